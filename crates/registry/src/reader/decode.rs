//! Cells as UTF-8 without control characters and double blanks, in either encoding.

use super::bad_lines::Reason;
use super::windows_1252::{self, Scratch};
use crate::dataset::Encoding;
use crate::text::Marks;

const CONTINUATION: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// `None` until a non-ASCII byte was seen.
    pub(super) encoding: Option<Encoding>,
    marks: Marks,
    scratch: Scratch,
}

impl Decoder {
    /// Decides an unknown encoding by a chunk, which is better evidence than a cell. Call it before the chunk's lines
    /// are decoded.
    pub(super) fn observe(&mut self, chunk: &[u8]) {
        self.encoding = self.encoding.or_else(|| sniff(chunk));
    }

    pub(super) fn append(&mut self, cell: &[u8], out: &mut String) -> Result<(), Reason> {
        if self.encoding.is_none() && !cell.is_ascii() {
            let is_utf8 = std::str::from_utf8(cell).is_ok();
            self.encoding = Some(if is_utf8 { Encoding::Utf8 } else { Encoding::Windows1252 });
        }
        if self.encoding == Some(Encoding::Utf8) {
            if memchr::memchr(0, cell).is_some() {
                return Err(Reason::Nul);
            }
            fold(std::str::from_utf8(cell).map_err(|_| Reason::OtherEncoding)?, out);
            return Ok(());
        }
        let decoded = windows_1252::decode(self.marks.mark(cell).whole(), &mut self.scratch)?;
        fold(std::str::from_utf8(decoded.whole().bytes()).map_err(|_| Reason::OtherEncoding)?, out);
        Ok(())
    }
}

/// Whether a trimmed cell needs no decoding: printable ASCII without double blanks.
pub(super) fn is_plain(cell: &[u8]) -> bool {
    let printable = cell.iter().fold(true, |plain, &byte| plain & (byte.wrapping_sub(0x20) < 0x5f));
    printable && memchr::memmem::find(cell, b"  ").is_none()
}

/// Appends the words, one blank between them. Control characters and no-break spaces separate words.
pub(super) fn fold(text: &str, out: &mut String) {
    let start = out.len();
    for word in text.split(|c: char| c.is_control() || c == ' ' || c == '\u{a0}').filter(|word| !word.is_empty()) {
        if out.len() > start {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// The chunk may begin and end within a character.
fn sniff(chunk: &[u8]) -> Option<Encoding> {
    let cut = chunk.iter().take(CONTINUATION).take_while(|&&byte| byte & 0xc0 == 0x80).count();
    let chunk = chunk.get(cut..).unwrap_or_default();
    let (valid, is_utf8) = match std::str::from_utf8(chunk) {
        Ok(_) => (chunk, true),
        Err(error) => (chunk.get(..error.valid_up_to()).unwrap_or_default(), error.error_len().is_none()),
    };
    match (is_utf8, valid.is_ascii()) {
        (false, _) => Some(Encoding::Windows1252),
        (true, false) => Some(Encoding::Utf8),
        (true, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_encoding(encoding: Encoding) -> Decoder {
        Decoder { encoding: Some(encoding), ..Decoder::default() }
    }

    fn decoded(decoder: &mut Decoder, cell: &[u8]) -> Result<String, Reason> {
        let mut out = String::from("before");
        decoder.append(cell, &mut out).map(|()| out.split_off(6))
    }

    #[test]
    fn the_first_chunk_that_is_not_ascii_decides() {
        for (chunk, expected) in [
            (&b"plain"[..], None),
            ("a\u{d1}o".as_bytes(), Some(Encoding::Utf8)),
            (b"a\xd1o", Some(Encoding::Windows1252)),
            // A character that is cut at the end or the beginning is no evidence.
            (b"plain \xc3", None),
            (b"\x91 plain", None),
            ("\u{d1} \u{f1}".as_bytes().split_last().unwrap().1, Some(Encoding::Utf8)),
            // One mojibake among windows-1252.
            (b"SE\xc3\x91OR PE\xd1A", Some(Encoding::Windows1252)),
        ] {
            let mut decoder = Decoder::default();
            decoder.observe(chunk);
            assert_eq!(decoder.encoding, expected, "{chunk:?}");
        }
        let mut decoder = in_encoding(Encoding::Windows1252);
        decoder.observe("\u{d1}".as_bytes());
        assert_eq!(decoder.encoding, Some(Encoding::Windows1252));
    }

    #[test]
    fn both_encodings_give_the_same_text() {
        let (mut utf8, mut latin) = (Decoder::default(), Decoder::default());
        assert_eq!(decoded(&mut utf8, "  \u{d1}A \t N\u{a0}\u{2013} ".as_bytes()).unwrap(), "\u{d1}A N \u{2013}");
        assert_eq!(decoded(&mut latin, b"  \xd1A \t N\xa0\x96 ").unwrap(), "\u{d1}A N \u{2013}");
        assert_eq!((utf8.encoding, latin.encoding), (Some(Encoding::Utf8), Some(Encoding::Windows1252)));
    }

    #[test]
    fn the_other_encoding_and_undefined_bytes_are_refused() {
        let (mut utf8, mut latin) = (in_encoding(Encoding::Utf8), in_encoding(Encoding::Windows1252));
        assert_eq!(decoded(&mut utf8, b"\xd1A"), Err(Reason::OtherEncoding));
        assert_eq!(decoded(&mut utf8, b"A\0"), Err(Reason::Nul));
        assert_eq!(decoded(&mut latin, "\u{d1}A".as_bytes()), Err(Reason::OtherEncoding));
        assert_eq!(decoded(&mut latin, b"A\x81"), Err(Reason::UndefinedByte));
        assert_eq!(decoded(&mut latin, b"A\0"), Err(Reason::Nul));
    }
}
