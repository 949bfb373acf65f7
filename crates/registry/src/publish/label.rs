//! The names of editions.

use kuraka_domain::Date;
use sha2::{Digest, Sha256};

use crate::checksum::{Checksum, hex};

/// `YYYY-MM-DD-<8 hex>`: of the file's checksum, or of all checksums if lists came with it.
pub(crate) fn label(date: Date, padron: Checksum, lists: &[Checksum]) -> String {
    let digest: Checksum = if lists.is_empty() {
        padron
    } else {
        lists
            .iter()
            .fold(Sha256::new().chain_update(padron), |sha256, list| sha256.chain_update(list))
            .finalize()
            .into()
    };
    format!("{date}-{}", hex(digest.first_chunk::<4>().unwrap_or(&[0; 4])))
}

/// Whether the text has the form of a [`label`]: it becomes the name of a file.
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
