//! Cuts the section into blocks with a check, so that a search verifies only the bytes it uses.

use crate::format::check;

/// The check included.
const BLOCK: usize = 256;
const CONTENT: usize = BLOCK - 4;
const CACHED_BLOCKS: usize = 16;

/// The last block is padded with zeros.
pub(super) fn encode(content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len().div_ceil(CONTENT) * BLOCK);
    for (number, part) in content.chunks(CONTENT).enumerate() {
        out.extend_from_slice(part);
        out.resize(number * BLOCK + CONTENT, 0);
        let check = check(number as u32, out.get(number * BLOCK..).unwrap_or_default());
        out.extend_from_slice(&check.to_le_bytes());
    }
    out
}

/// Reads the content across blocks, and keeps some, because many reads are near earlier ones.
pub(super) struct Reader<'a> {
    section: &'a [u8],
    /// The blocks read last and their numbers, at their number modulo [`CACHED_BLOCKS`].
    kept: [(Option<usize>, [u8; CONTENT]); CACHED_BLOCKS],
    out: Vec<u8>,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(section: &'a [u8]) -> Self {
        Self { section, kept: [(None, [0; CONTENT]); CACHED_BLOCKS], out: Vec::new() }
    }

    pub(super) const fn len(&self) -> usize {
        self.section.len() / BLOCK * CONTENT
    }

    /// `None` if the content ends early, or a block has changed.
    pub(super) fn read(&mut self, at: usize, length: usize) -> Option<&[u8]> {
        self.out.clear();
        let end = at.checked_add(length).filter(|&end| end <= self.len())?;
        let mut at = at;
        while at < end {
            let (number, start) = (at / CONTENT, at % CONTENT);
            let (kept, content) = self.kept.get_mut(number % CACHED_BLOCKS)?;
            if *kept != Some(number) {
                *kept = None;
                // A checked copy, because the file may change between two reads.
                let (block, stored) = self.section.get(number * BLOCK..(number + 1) * BLOCK)?.split_first_chunk()?;
                *content = *block;
                (stored == check(number as u32, content).to_le_bytes()).then_some(())?;
                *kept = Some(number);
            }
            let part = content.get(start..CONTENT.min(start + end - at))?;
            self.out.extend_from_slice(part);
            at += part.len();
        }
        Some(&self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_reads_back_and_a_changed_byte_is_noticed() {
        let content: Vec<u8> = (0..CONTENT * 3 + 40).map(|at| (at * 7 % 251) as u8).collect();
        let section = encode(&content);
        for (at, length) in [(0, 1), (CONTENT - 1, 2), (5, CONTENT * 2), (0, content.len()), (content.len(), 0)] {
            assert_eq!(Reader::new(&section).read(at, length), content.get(at..at + length));
        }
        assert_eq!(Reader::new(&section).read(section.len() / BLOCK * CONTENT, 1), None);
        for at in 0..section.len() {
            let mut bad = section.clone();
            bad[at] ^= 8;
            let mut reader = Reader::new(&bad);
            for block in 0..4 {
                assert_eq!(reader.read(block * CONTENT, 9).is_none(), block == at / BLOCK, "byte {at}");
            }
        }
        let swapped = [&section[BLOCK..2 * BLOCK], &section[..BLOCK]].concat();
        assert_eq!(Reader::new(&swapped).read(0, 1), None);
    }
}
