//! The padrón's bytes as text: windows-1252, with control characters and no-break spaces turned into blanks.
//!
//! Most lines are plain ASCII and are used unchanged. This module does not interpret columns.

use std::sync::LazyLock;

use encoding_rs::WINDOWS_1252;

use super::rejections::RejectReason;

/// The bytes that windows-1252 leaves undefined.
const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

/// Characters of the bytes 0x80 to 0xff.
static UPPER_HALF: LazyLock<[char; 128]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let byte = [0x80 + index as u8];
        WINDOWS_1252.decode_without_bom_handling(&byte).0.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
    })
});

/// The text of a line in UTF-8: the line itself if it is plain, else `scratch`, filled with it.
pub(crate) fn decode<'a>(line: &'a [u8], scratch: &'a mut Vec<u8>) -> Result<&'a [u8], RejectReason> {
    if is_plain(line) {
        return Ok(line);
    }
    if memchr::memchr(0, line).is_some() {
        return Err(RejectReason::Nul);
    }
    if !line.is_ascii() && std::str::from_utf8(line).is_ok() {
        return Err(RejectReason::Utf8);
    }
    scratch.clear();
    // Each piece but the last ends with a byte that is not plain.
    for piece in line.split_inclusive(|&byte| !is_plain_byte(byte)) {
        match piece.split_last() {
            Some((&last, plain)) if !is_plain_byte(last) => {
                scratch.extend_from_slice(plain);
                if UNDEFINED.contains(&last) {
                    return Err(RejectReason::UndefinedByte);
                }
                scratch.extend_from_slice(special(last).encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => scratch.extend_from_slice(piece),
        }
    }
    Ok(scratch)
}

/// The character of a byte that is not plain: a blank for control characters and the no-break space.
fn special(byte: u8) -> char {
    let upper = byte.checked_sub(0x80).and_then(|index| UPPER_HALF.get(usize::from(index)));
    upper.copied().filter(|&c| c != '\u{a0}').unwrap_or(' ')
}

/// Whether every byte is printable ASCII.
fn is_plain(line: &[u8]) -> bool {
    // Without an early return, so that it compiles to vector instructions.
    line.iter().fold(true, |plain, &byte| plain & is_plain_byte(byte))
}

const fn is_plain_byte(byte: u8) -> bool {
    byte.wrapping_sub(0x20) < 0x5f
}

/// The words between blanks.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b' ').filter(|word| !word.is_empty())
}

/// Whether a column has no value: it is empty, `-` or `----`.
pub(crate) fn is_absent(text: &[u8]) -> bool {
    matches!(text.trim_ascii(), b"" | b"-" | b"----")
}

/// Runs of blanks as one blank, the ends trimmed.
pub(crate) fn fold(text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for word in words(text) {
        if !out.is_empty() {
            out.push(b' ');
        }
        out.extend_from_slice(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(line: &[u8]) -> Result<String, RejectReason> {
        decode(line, &mut Vec::new()).map(|text| String::from_utf8(text.to_vec()).unwrap())
    }

    #[test]
    fn windows_1252_becomes_utf_8() {
        assert_eq!(decoded(b"\xd1AND\xda \x93SOL\x94 \x96 \x80").unwrap(), "ÑANDÚ “SOL” – €");
        assert_eq!(decoded(b"A\tB\xa0C\x07D\x7f").unwrap(), "A B C D ");
    }

    #[test]
    fn nul_utf_8_and_undefined_bytes_are_refused() {
        assert_eq!(decoded(b"A\0B"), Err(RejectReason::Nul));
        assert_eq!(decoded("PERÚ".as_bytes()), Err(RejectReason::Utf8));
        for byte in UNDEFINED {
            assert_eq!(decoded(&[b'A', byte, b'B']), Err(RejectReason::UndefinedByte));
        }
    }

    #[test]
    fn every_defined_byte_decodes_as_the_standard_says() {
        for byte in 0xa1..=0xff_u8 {
            assert_eq!(decoded(&[b'A', byte]).unwrap(), format!("A{}", char::from(byte)));
        }
    }
}
