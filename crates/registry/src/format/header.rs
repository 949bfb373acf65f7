//! The header of an edition file. Its SHA-256 without the sequence identifies the file on every server.

use sha2::{Digest, Sha256};

use super::{EditionError, u32_at, u64_at};

/// The first and last byte catch transfers that change text.
pub(crate) const MAGIC: [u8; 8] = *b"\x89KURAKA\n";
/// A reader refuses any other version.
pub(crate) const FORMAT: u32 = 2;
const FIXED: usize = 68;
const SEQUENCE: usize = 24;
const ENTRY: usize = 32;
/// Bounds the memory that a hostile header can request.
const MAX_SECTIONS: usize = 64;

/// SHA-256 of a header without sequence and checksum.
pub(crate) type Identity = [u8; 32];

/// ASCII, padded with zeros.
pub(crate) type SectionName = [u8; 8];

/// A section's name and the version of its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionKind {
    pub(crate) name: SectionName,
    pub(crate) version: u32,
}

/// Facts, JSON.
pub(crate) const META: SectionKind = SectionKind { name: *b"meta\0\0\0\0", version: 1 };
pub(crate) const ROWS: SectionKind = SectionKind { name: *b"rows\0\0\0\0", version: 2 };
/// Where each bucket begins.
pub(crate) const OFFSETS: SectionKind = SectionKind { name: *b"offsets\0", version: 1 };
/// Each group's first bucket.
pub(crate) const DIRECTORY: SectionKind = SectionKind { name: *b"dir\0\0\0\0\0", version: 2 };
pub(crate) const WORDS: SectionKind = SectionKind { name: *b"words\0\0\0", version: 1 };

/// The index of company names.
pub(crate) const NAMES: SectionKind = SectionKind { name: *b"names\0\0\0", version: 2 };

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) name: SectionName,
    pub(crate) version: u32,
    pub(crate) crc: u32,
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) file_length: u64,
    pub(crate) sequence: u64,
    /// Identity of the parent edition; zeros for none.
    pub(crate) parent: Identity,
    pub(crate) sections: Vec<Section>,
}

pub(crate) fn display(name: &SectionName) -> String {
    name.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte).escape_default().to_string()).collect()
}

impl Header {
    pub(crate) const MAX_BYTES: u64 = Self::length(MAX_SECTIONS) as u64;

    pub(crate) const fn length(sections: usize) -> usize {
        FIXED + sections * ENTRY + 4
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let length = Self::length(self.sections.len());
        let mut out = Vec::with_capacity(length);
        out.extend_from_slice(&MAGIC);
        out.extend_from_slice(&FORMAT.to_le_bytes());
        out.extend_from_slice(&(length as u32).to_le_bytes());
        out.extend_from_slice(&self.file_length.to_le_bytes());
        out.extend_from_slice(&self.sequence.to_le_bytes());
        out.extend_from_slice(&self.parent);
        out.extend_from_slice(&(self.sections.len() as u32).to_le_bytes());
        for section in &self.sections {
            out.extend_from_slice(&section.name);
            out.extend_from_slice(&section.version.to_le_bytes());
            out.extend_from_slice(&section.crc.to_le_bytes());
            out.extend_from_slice(&section.offset.to_le_bytes());
            out.extend_from_slice(&section.length.to_le_bytes());
        }
        let crc = crc32fast::hash(&out);
        out.extend_from_slice(&crc.to_le_bytes());
        out
    }

    /// The header and its identity. Sections must follow each other without a gap up to the file's end, so that a
    /// checksum covers every byte.
    pub(crate) fn decode(bytes: &[u8]) -> Result<(Self, Identity), EditionError> {
        const CUT: EditionError = EditionError::Header("it is cut short");
        if bytes.get(..MAGIC.len()) != Some(MAGIC.as_slice()) {
            return Err(EditionError::NotAnEdition);
        }
        let found = u32_at(bytes, 8).ok_or(CUT)?;
        if found != FORMAT {
            return Err(EditionError::Version { found, readable: FORMAT });
        }
        let length = u32_at(bytes, 12).ok_or(CUT)? as usize;
        let count = u32_at(bytes, 64).ok_or(CUT)? as usize;
        if count > MAX_SECTIONS || length != Self::length(count) {
            return Err(EditionError::Header("its length is impossible"));
        }
        let block = bytes.get(..length).ok_or(CUT)?;
        if u32_at(block, length - 4) != block.get(..length - 4).map(crc32fast::hash) {
            return Err(EditionError::Header("its checksum does not match"));
        }
        let header = Self::fields(block, count).ok_or(CUT)?;
        let mut end = length as u64;
        for section in &header.sections {
            if section.offset != end {
                return Err(EditionError::Header("its sections leave a gap or overlap"));
            }
            end = end.checked_add(section.length).ok_or(EditionError::Header("a section is too long"))?;
        }
        if end != header.file_length {
            return Err(EditionError::Header("its sections do not fill the file"));
        }
        let (before, after) = (block.get(..SEQUENCE).unwrap_or_default(), block.get(SEQUENCE + 8..length - 4));
        let hash = Sha256::new().chain_update(before).chain_update(after.unwrap_or_default());
        Ok((header, hash.finalize().into()))
    }

    fn fields(block: &[u8], count: usize) -> Option<Self> {
        let mut sections = Vec::with_capacity(count);
        for entry in block.get(FIXED..)?.chunks_exact(ENTRY).take(count) {
            sections.push(Section {
                name: entry.get(..8)?.try_into().ok()?,
                version: u32_at(entry, 8)?,
                crc: u32_at(entry, 12)?,
                offset: u64_at(entry, 16)?,
                length: u64_at(entry, 24)?,
            });
        }
        Some(Self {
            file_length: u64_at(block, 16)?,
            sequence: u64_at(block, SEQUENCE)?,
            parent: block.get(32..64)?.try_into().ok()?,
            sections,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Header {
        let start = Header::length(2) as u64;
        Header {
            file_length: start + 30,
            sequence: 7,
            parent: [3; 32],
            sections: vec![
                Section { name: ROWS.name, version: 1, crc: 5, offset: start, length: 10 },
                Section { name: META.name, version: 1, crc: 6, offset: start + 10, length: 20 },
            ],
        }
    }

    #[test]
    fn a_header_reads_back() {
        let (header, _) = Header::decode(&sample().encode()).unwrap();
        assert_eq!(header, sample());
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_refused() {
        let good = sample().encode();
        for bit in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::decode(&bad).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(Header::decode(&good[..length]).is_err(), "length {length}");
        }
    }

    #[test]
    fn another_format_is_refused_by_its_number() {
        let mut bytes = sample().encode();
        bytes[8] = 1;
        let end = bytes.len() - 4;
        let crc = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&crc.to_le_bytes());
        let error = Header::decode(&bytes).unwrap_err();
        assert!(matches!(error, EditionError::Version { found: 1, readable: FORMAT }), "{error}");
    }

    #[test]
    fn sections_with_a_gap_are_refused() {
        let mut header = sample();
        header.sections[1].offset += 1;
        header.file_length += 1;
        assert!(matches!(Header::decode(&header.encode()), Err(EditionError::Header(_))));
    }
}
