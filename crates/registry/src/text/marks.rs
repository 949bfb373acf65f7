//! A text with marks at the bytes that split it, set in one pass with vector instructions. Lines, columns and words are
//! then found by their marks, so each byte is looked at once.

const DELIMITER: u8 = b'|';
/// A mark is one bit of a `u64`.
const BLOCK: usize = 64;
/// Bytes compared at a time.
const LANES: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Delimiter,
    Blank,
    /// Anything but printable ASCII.
    Odd,
}

/// The first byte has the lowest bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Bits {
    delimiters: u64,
    blanks: u64,
    odd: u64,
}

/// A buffer for marks, reused from text to text.
#[derive(Debug, Default)]
pub(crate) struct Marks(Vec<Bits>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct MarkedText<'a> {
    text: &'a [u8],
    marks: &'a [Bits],
}

/// A part of a marked text shorter than 4 GiB.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSlice<'a> {
    of: &'a MarkedText<'a>,
    start: u32,
    end: u32,
}

impl Marks {
    pub(crate) fn mark<'a>(&'a mut self, text: &'a [u8]) -> MarkedText<'a> {
        let (blocks, rest) = text.as_chunks::<BLOCK>();
        self.0.clear();
        self.0.extend(blocks.iter().map(Bits::from_block));
        if !rest.is_empty() {
            let mut last = [b'.'; BLOCK];
            last.iter_mut().zip(rest).for_each(|(place, &byte)| *place = byte);
            self.0.push(Bits::from_block(&last));
        }
        MarkedText { text, marks: &self.0 }
    }
}

impl MarkedText<'_> {
    pub(crate) const fn whole(&self) -> TextSlice<'_> {
        TextSlice { of: self, start: 0, end: self.text.len() as u32 }
    }

    #[inline]
    fn marks_of(&self, mark: Mark, block: usize) -> u64 {
        self.marks.get(block).map_or(0, |bits| bits.marked_as(mark))
    }
}

impl Bits {
    /// Collects the bits in sixteen lanes, one for every sixteenth byte, then orders them: few instructions, none
    /// beyond SSE2.
    #[inline]
    fn from_block(bytes: &[u8; BLOCK]) -> Self {
        let mut lanes = [[0_u8; LANES]; 3];
        let [delimiters, blanks, odd] = &mut lanes;
        for (row, sixteen) in bytes.as_chunks::<LANES>().0.iter().enumerate() {
            let places = delimiters.iter_mut().zip(blanks.iter_mut()).zip(odd.iter_mut());
            for (lane, (&byte, ((delimiter, blank), odd))) in sixteen.iter().zip(places).enumerate() {
                let bit = 1 << (2 * row + lane / 8);
                *delimiter |= if byte == DELIMITER { bit } else { 0 };
                *blank |= if byte == b' ' { bit } else { 0 };
                *odd |= if is_odd(byte) { bit } else { 0 };
            }
        }
        let [delimiters, blanks, odd] = lanes.map(in_order);
        Self { delimiters, blanks, odd }
    }

    const fn marked_as(self, mark: Mark) -> u64 {
        match mark {
            Mark::Delimiter => self.delimiters,
            Mark::Blank => self.blanks,
            Mark::Odd => self.odd,
        }
    }
}

const fn is_odd(byte: u8) -> bool {
    byte.wrapping_sub(0x20) >= 0x5f
}

/// Bit `i` of byte `j` of the overlaid halves belongs to byte `8 * i + j`: transposes eight by eight bits.
fn in_order(lanes: [u8; LANES]) -> u64 {
    let both = u128::from_le_bytes(lanes);
    let mut bits = both as u64 | (both >> 64) as u64;
    for (distance, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0x0000_0000_f0f0_f0f0)] {
        let swapped = (bits ^ (bits >> distance)) & mask;
        bits ^= swapped ^ (swapped << distance);
    }
    bits
}

impl<'a> TextSlice<'a> {
    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.of.text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The text from the slice's start to the end of the whole.
    #[inline]
    pub(crate) fn onwards(self) -> &'a [u8] {
        self.of.text.get(self.start as usize..).unwrap_or_default()
    }

    #[inline]
    pub(crate) const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.start == self.end
    }

    #[inline]
    pub(crate) fn first(self, length: usize) -> Self {
        Self { end: self.end.min(self.start + length as u32), ..self }
    }

    #[inline]
    pub(crate) fn after(self, length: usize) -> Self {
        Self { start: self.end.min(self.start + length as u32), ..self }
    }

    /// Counted from the start.
    #[inline]
    pub(crate) fn find(self, mark: Mark) -> Option<usize> {
        let (start, end) = (self.start as usize, self.end as usize);
        let mut block = start / BLOCK;
        let mut marks = self.of.marks_of(mark, block) & (!0 << (start % BLOCK));
        while marks == 0 {
            block += 1;
            if block * BLOCK >= end {
                return None;
            }
            marks = self.of.marks_of(mark, block);
        }
        let found = block * BLOCK + marks.trailing_zeros() as usize;
        (found < end).then(|| found - start)
    }

    /// Counted from the start.
    #[inline]
    pub(crate) fn find_last(self, mark: Mark) -> Option<usize> {
        let (start, last) = (self.start as usize, (self.end as usize).checked_sub(1)?);
        let mut block = last / BLOCK;
        let mut marks = self.of.marks_of(mark, block) & (!0 >> (BLOCK - 1 - last % BLOCK));
        while marks == 0 {
            if block * BLOCK <= start {
                return None;
            }
            block -= 1;
            marks = self.of.marks_of(mark, block);
        }
        (block * BLOCK + marks.ilog2() as usize).checked_sub(start)
    }

    #[inline]
    pub(crate) fn split_first(self, mark: Mark) -> Option<(Self, Self)> {
        self.find(mark).map(|at| (self.first(at), self.after(at + 1)))
    }

    #[inline]
    pub(crate) fn split_last(self, mark: Mark) -> Option<(Self, Self)> {
        self.find_last(mark).map(|at| (self.first(at), self.after(at + 1)))
    }

    pub(crate) fn split(self, mark: Mark) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let all = rest?;
            let split = all.split_first(mark);
            rest = split.map(|(_, after)| after);
            Some(split.map_or(all, |(before, _)| before))
        })
    }

    pub(crate) fn words(self) -> impl Iterator<Item = Self> {
        let mut rest = self;
        std::iter::from_fn(move || {
            while !rest.is_empty() {
                let length = rest.find(Mark::Blank).unwrap_or(rest.len());
                let word = rest.first(length);
                rest = rest.after(length + 1);
                if !word.is_empty() {
                    return Some(word);
                }
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn byte() -> impl Strategy<Value = u8> {
        prop_oneof![4 => Just(b'A'), 2 => Just(b' '), 2 => Just(b'|'), 1 => Just(b'\n'), 1 => any::<u8>()]
    }

    fn is(mark: Mark, byte: u8) -> bool {
        match mark {
            Mark::Delimiter => byte == b'|',
            Mark::Blank => byte == b' ',
            Mark::Odd => !matches!(byte, b' '..=b'~'),
        }
    }

    proptest! {
        #[test]
        fn a_piece_is_split_where_its_bytes_say(text in prop::collection::vec(byte(), 0..300), cut in any::<[u16; 2]>()) {
            let mut marks = Marks::default();
            let [start, length] = cut.map(|cut| usize::from(cut) % (text.len() + 1));
            let marked = marks.mark(&text);
            let piece = marked.whole().after(start).first(length);
            let bytes = piece.bytes();
            prop_assert_eq!(bytes, &text[start..(start + length).min(text.len())]);
            prop_assert!(piece.onwards() == &text[start..] && piece.len() == bytes.len());
            for mark in [Mark::Delimiter, Mark::Blank, Mark::Odd] {
                prop_assert_eq!(piece.find(mark), bytes.iter().position(|&byte| is(mark, byte)));
                prop_assert_eq!(piece.find_last(mark), bytes.iter().rposition(|&byte| is(mark, byte)));
                let parts: Vec<&[u8]> = piece.split(mark).map(TextSlice::bytes).collect();
                prop_assert_eq!(parts, bytes.split(|&byte| is(mark, byte)).collect::<Vec<_>>());
            }
            let words: Vec<&[u8]> = piece.words().map(TextSlice::bytes).collect();
            prop_assert_eq!(words, bytes.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_byte_at_every_place_is_marked_as_what_it_is() {
        for place in 0..2 * BLOCK {
            for byte in 0..=u8::MAX {
                let mut text = [b'A'; 2 * BLOCK];
                text[place] = byte;
                let mut marks = Marks::default();
                let marked = marks.mark(&text);
                let piece = marked.whole();
                for mark in [Mark::Delimiter, Mark::Blank, Mark::Odd] {
                    assert_eq!(piece.find(mark), is(mark, byte).then_some(place), "{mark:?}: {byte} at {place}");
                }
            }
        }
    }
}
