//! The shape of a refused value, which shows no personal data.

const MAX_CHARS: usize = 60;

/// Digits become `9` and letters `A`: `31-02-2026` becomes `99-99-9999`.
pub(super) fn shape(text: &[u8]) -> String {
    let text = encoding_rs::WINDOWS_1252.decode_without_bom_handling(text).0;
    let hide = |c: char| match c {
        _ if c.is_numeric() => '9',
        _ if c.is_control() => ' ',
        _ if c.is_ascii() && !c.is_alphabetic() => c,
        _ => 'A',
    };
    text.chars().take(MAX_CHARS).map(hide).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_digits_are_hidden() {
        assert_eq!(shape(b"31-02-2026"), "99-99-9999");
        assert_eq!(shape(b"\xd1a\xf1ez, J. 40\t\x00"), "AAAAA, A. 99  ");
        assert_eq!(shape(&[b'x'; 1000]).len(), MAX_CHARS);
    }
}
