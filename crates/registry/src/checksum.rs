//! SHA-256 of files, and its text form.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// SHA-256 of a file.
pub type Checksum = [u8; 32];

/// Reads the file at `path` and returns its checksum.
pub(crate) fn checksum_of(path: &Path) -> io::Result<Checksum> {
    let (mut file, mut sha256, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sha256.finalize().into()),
            read => sha256.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_digits_are_lower_case_and_two_a_byte() {
        assert_eq!(hex(&[0x0a, 0xff]), "0aff");
    }
}
