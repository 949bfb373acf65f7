//! Decodes windows-1252, with control characters and no-break spaces as blanks. Most lines are plain ASCII and are used
//! unchanged.

use std::sync::LazyLock;

use encoding_rs::WINDOWS_1252;

use super::bad_lines::Reason;
use crate::text::{Mark, MarkedText, Marks, TextSlice};

const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

static UPPER_HALF: LazyLock<[char; 128]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let byte = [0x80 + index as u8];
        WINDOWS_1252.decode_without_bom_handling(&byte).0.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    })
});

#[derive(Debug, Default)]
pub(super) struct Scratch {
    text: Vec<u8>,
    marks: Marks,
}

/// The UTF-8 of a line with odd bytes.
pub(super) fn decode<'a>(line: TextSlice<'_>, scratch: &'a mut Scratch) -> Result<MarkedText<'a>, Reason> {
    let odd = line.after(line.find(Mark::Odd).unwrap_or_default()).bytes();
    if memchr::memchr(0, odd).is_some() {
        return Err(Reason::Nul);
    }
    if !odd.is_ascii() && std::str::from_utf8(odd).is_ok() {
        return Err(Reason::OtherEncoding);
    }
    let Scratch { text, marks } = scratch;
    text.clear();
    let mut rest = line;
    while let Some(at) = rest.find(Mark::Odd) {
        text.extend_from_slice(rest.first(at).bytes());
        let byte = rest.after(at).bytes().first().copied().unwrap_or_default();
        if UNDEFINED.contains(&byte) {
            return Err(Reason::UndefinedByte);
        }
        text.extend_from_slice(special(byte).encode_utf8(&mut [0; 4]).as_bytes());
        rest = rest.after(at + 1);
    }
    text.extend_from_slice(rest.bytes());
    Ok(marks.mark(text))
}

/// Control characters and the no-break space become a blank.
fn special(byte: u8) -> char {
    let upper = byte.checked_sub(0x80).and_then(|index| UPPER_HALF.get(usize::from(index)));
    upper.copied().filter(|&c| c != '\u{a0}').unwrap_or(' ')
}

/// Whether a column is empty, `-` or `----`.
pub(crate) fn is_absent(text: &[u8]) -> bool {
    matches!(text.trim_ascii(), b"" | b"-" | b"----")
}

/// Runs of blanks as one, the ends trimmed.
pub(crate) fn fold(text: TextSlice<'_>, out: &mut Vec<u8>) {
    out.clear();
    for word in text.words() {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.extend_from_slice(word.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(line: &[u8]) -> Result<String, Reason> {
        let (mut marks, mut scratch) = (Marks::default(), Scratch::default());
        decode(marks.mark(line).whole(), &mut scratch)
            .map(|text| String::from_utf8(text.whole().bytes().to_vec()).unwrap())
    }

    #[test]
    fn windows_1252_becomes_utf_8() {
        assert_eq!(decoded(b"\xd1AND\xda \x93SOL\x94 \x96 \x80").unwrap(), "ÑANDÚ “SOL” – €");
        assert_eq!(decoded(b"A\tB\xa0C\x07D\x7f").unwrap(), "A B C D ");
    }

    #[test]
    fn nul_utf_8_and_undefined_bytes_are_refused() {
        assert_eq!(decoded(b"A\0B"), Err(Reason::Nul));
        assert_eq!(decoded("PERÚ".as_bytes()), Err(Reason::OtherEncoding));
        for byte in UNDEFINED {
            assert_eq!(decoded(&[b'A', byte, b'B']), Err(Reason::UndefinedByte));
        }
    }

    #[test]
    fn every_defined_byte_decodes_as_the_standard_says() {
        for byte in 0xa1..=0xff_u8 {
            assert_eq!(decoded(&[b'A', byte]).unwrap(), format!("A{}", char::from(byte)));
        }
    }
}
