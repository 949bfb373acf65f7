//! The names of editions.

use kuraka_domain::Date;

use crate::checksum::{Checksum, hex};

/// `YYYY-MM-DD-<8 hex>`: the date, and the start of the published file's checksum.
pub(crate) fn label(date: Date, file: &Checksum) -> String {
    format!("{date}-{}", hex(file.first_chunk::<4>().unwrap_or(&[0; 4])))
}

/// Whether the text is a [`label`]: it becomes a file name.
pub(crate) fn is_label(label: &str) -> bool {
    let is_digest = |text: &str| text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    label.split_at_checked(10).is_some_and(|(date, rest)| {
        Date::parse(date).is_ok_and(|parsed| parsed.to_string() == date)
            && rest.strip_prefix('-').is_some_and(is_digest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_date_and_eight_hex_digits_are_a_label() {
        assert!(is_label("2026-11-20-0a1b2c3d"));
        for bad in [
            "",
            "../../etc/passwd",
            "2026-11-20",
            "2026-13-20-0a1b2c3d",
            "2026-11-20-0a1b2c3",
            "2026-11-20-0a1b2c3g",
            "2026-11-20/0a1b2c3d",
            "2026-11-20-0a1b2c3d.",
        ] {
            assert!(!is_label(bad), "{bad}");
        }
    }
}
