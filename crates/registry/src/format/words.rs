//! The dictionary: distinct words by number.
//!
//! An open edition keeps a copy, so that damage cannot put another word into a record. Most words are stored in their
//! entry, so a lookup costs one cache miss.

pub(crate) const END: u8 = b'\n';
/// The longest word in its entry.
const SHORT: usize = 15;
/// A line has at most 64 KiB, and its characters take at most three bytes.
pub(crate) const MAX_WORD_BYTES: usize = 3 * (64 << 10);
/// Bounds a record that repeats long words.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// The length of a word outside of its entry.
const LONG: u8 = u8::MAX;

/// A word, zero-padded; or a long word's offset and length, four bytes each.
#[derive(Clone, Copy, Debug)]
struct Entry {
    bytes: [u8; SHORT],
    length: u8,
}

#[derive(Debug)]
pub(crate) struct Words {
    entries: Box<[Entry]>,
    /// The text of the long words.
    long: Box<[u8]>,
}

/// Memory that a dictionary takes: one of empty words takes sixteen times its length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    entries: usize,
    long: usize,
}

impl Words {
    /// `None` if it is no dictionary.
    pub(crate) fn decode(section: &[u8], size: Size) -> Option<Self> {
        std::str::from_utf8(section).ok()?;
        let mut entries = Vec::with_capacity(size.entries);
        let mut long = Vec::with_capacity(size.long);
        let mut start = 0;
        for end in memchr::memchr_iter(END, section) {
            entries.push(Entry::new(section.get(start..end)?, &mut long)?);
            start = end + 1;
        }
        Some(Self { entries: entries.into(), long: long.into() })
    }

    pub(crate) const fn count(&self) -> u32 {
        self.entries.len() as u32
    }

    pub(crate) fn word(&self, id: u32) -> Option<&[u8]> {
        let entry = self.entries.get(id as usize)?;
        entry.bytes.get(..usize::from(entry.length)).or_else(|| self.long.get(entry.elsewhere()))
    }

    pub(crate) fn append(&self, id: u32, out: &mut Vec<u8>) -> Option<()> {
        let entry = self.entries.get(id as usize)?;
        match SHORT.checked_sub(usize::from(entry.length)) {
            // A copy of constant length compiles to a few instructions.
            Some(padding) => {
                out.extend_from_slice(&entry.bytes);
                out.truncate(out.len() - padding);
            }
            None => {
                out.extend_from_slice(self.long.get(entry.elsewhere())?);
                (out.len() <= MAX_TEXT_BYTES).then_some(())?;
            }
        }
        Some(())
    }
}

impl Size {
    /// `None` if the last word has no end, or one is too long.
    pub(crate) fn read(section: &[u8]) -> Option<Self> {
        let (mut size, mut start) = (Self { entries: 0, long: 0 }, 0);
        for end in memchr::memchr_iter(END, section) {
            let length = end - start;
            (length <= MAX_WORD_BYTES).then_some(())?;
            size.entries += 1;
            size.long += if length > SHORT { length } else { 0 };
            start = end + 1;
        }
        (start == section.len()).then_some(size)
    }

    pub(crate) const fn bytes(self) -> usize {
        self.entries * size_of::<Entry>() + self.long
    }
}

impl Entry {
    /// Appends `word` to `long` if it does not fit.
    fn new(word: &[u8], long: &mut Vec<u8>) -> Option<Self> {
        let mut bytes = [0; SHORT];
        if let Some(place) = bytes.get_mut(..word.len()) {
            place.copy_from_slice(word);
            return Some(Self { bytes, length: word.len() as u8 });
        }
        let (start, rest) = bytes.split_first_chunk_mut()?;
        *start = u32::try_from(long.len()).ok()?.to_le_bytes();
        *rest.first_chunk_mut()? = u32::try_from(word.len()).ok()?.to_le_bytes();
        long.extend_from_slice(word);
        Some(Self { bytes, length: LONG })
    }

    fn elsewhere(&self) -> std::ops::Range<usize> {
        let [s0, s1, s2, s3, l0, l1, l2, l3, ..] = self.bytes;
        let start = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
        start..start + u32::from_le_bytes([l0, l1, l2, l3]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(section: &[u8]) -> Option<Words> {
        Words::decode(section, Size::read(section)?)
    }

    #[test]
    fn words_of_every_length_read_back() {
        let words: Vec<String> = (0..40).map(|length| "Ñ".repeat(length / 2) + &"X".repeat(length % 2)).collect();
        let section = words.join("\n") + "\n";
        let read = decoded(section.as_bytes()).unwrap();
        assert_eq!(read.count(), 40);
        for (id, word) in (0..).zip(&words) {
            let mut out = b"BEFORE ".to_vec();
            read.append(id, &mut out).unwrap();
            assert_eq!(read.word(id), Some(word.as_bytes()));
            assert_eq!(out, [b"BEFORE ", word.as_bytes()].concat());
        }
        assert_eq!(read.word(40), None);
        assert_eq!(read.append(40, &mut Vec::new()), None);
    }

    #[test]
    fn invalid_bytes_are_not_a_dictionary() {
        assert!(decoded(b"").is_some());
        assert!(decoded(b"CUT\nSHOR").is_none());
        assert!(decoded(b"NO UTF-8 \xff\n").is_none());
        let word = |length| "X".repeat(length) + "\n";
        assert!(
            decoded(word(MAX_WORD_BYTES).as_bytes()).is_some()
                && decoded(word(MAX_WORD_BYTES + 1).as_bytes()).is_none()
        );
    }

    #[test]
    fn the_size_of_a_dictionary_is_known_before_it_is_read() {
        let long = "X".repeat(SHORT + 1);
        let section = format!("A\n{long}\n");
        assert_eq!(Size::read(section.as_bytes()).unwrap().bytes(), 2 * 16 + long.len());
        assert_eq!(Size::read(b"").unwrap().bytes(), 0);
    }

    #[test]
    fn long_words_make_no_endless_text() {
        let words = decoded(format!("{}\n", "X".repeat(1 << 17)).as_bytes()).unwrap();
        let mut out = Vec::new();
        let appended = (0..100).take_while(|_| words.append(0, &mut out).is_some()).count();
        assert_eq!(appended, 8);
    }
}
