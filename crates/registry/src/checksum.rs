//! SHA-256 of files, and its text form.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use hex::FromHex;
pub(crate) use hex::encode as hex;
use sha2::{Digest, Sha256};

pub type Checksum = [u8; 32];

pub(crate) fn checksum_of(path: &Path) -> io::Result<Checksum> {
    let (mut file, mut sha256, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sha256.finalize().into()),
            read => sha256.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}

/// Parses 64 hexadecimal digits, as `sha256sum` prints them.
pub fn parse_checksum(text: &str) -> Option<Checksum> {
    Checksum::from_hex(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_its_digits_in_either_case() {
        let checksum: Checksum = std::array::from_fn(|at| at as u8 * 8);
        let text = hex(checksum);
        assert_eq!(parse_checksum(&text), Some(checksum));
        assert_eq!(parse_checksum(&text.to_uppercase()), Some(checksum));
        for wrong in ["", &text[1..], &format!("{text}0"), &text.replacen('0', "+", 1), &"ñ".repeat(32)] {
            assert_eq!(parse_checksum(wrong), None, "{wrong}");
        }
    }
}
