//! Computes the SHA-256 of a file while another reader reads it.
//!
//! Bytes that follow the hashed ones are hashed when they are read, with the few skipped between; the others are read
//! at the end. A file that is read in order is therefore read once, except a zip's directory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

/// Bytes that may be skipped: the longest name and extra field of a zip's entry.
const SKIPPED: u64 = 128 << 10;

pub(crate) struct DigestingFile<'a> {
    file: File,
    position: u64,
    hashed: u64,
    sha256: Sha256,
    /// Bytes read, for progress reports.
    read: &'a AtomicU64,
}

impl<'a> DigestingFile<'a> {
    pub(crate) fn new(file: File, read: &'a AtomicU64) -> Self {
        Self { file, position: 0, hashed: 0, sha256: Sha256::new(), read }
    }

    /// The digest of the whole file, and its length.
    pub(crate) fn finish(mut self) -> io::Result<([u8; 32], u64)> {
        self.seek(SeekFrom::Start(self.hashed))?;
        io::copy(&mut self, &mut io::sink())?;
        Ok((self.sha256.finalize().into(), self.hashed))
    }

    fn hash_skipped(&mut self, bytes: u64) -> io::Result<()> {
        let mut skipped = Vec::new();
        self.file.seek(SeekFrom::Start(self.hashed))?;
        Read::by_ref(&mut self.file).take(bytes).read_to_end(&mut skipped)?;
        self.sha256.update(&skipped);
        self.hashed += skipped.len() as u64;
        self.file.seek(SeekFrom::Start(self.position)).map(drop)
    }
}

impl Read for DigestingFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let skipped = self.position.saturating_sub(self.hashed);
        if (1..=SKIPPED).contains(&skipped) {
            self.hash_skipped(skipped)?;
        }
        let count = self.file.read(buffer)?;
        let end = self.position + count as u64;
        // Bytes that are read again, such as a zip's first header, are already hashed.
        let known = self.hashed.checked_sub(self.position).and_then(|known| usize::try_from(known).ok());
        if let Some(new) = known.and_then(|known| buffer.get(known..count)) {
            self.sha256.update(new);
            self.hashed = end;
            self.read.store(self.hashed, Ordering::Relaxed);
        }
        self.position = end;
        Ok(count)
    }
}

impl Seek for DigestingFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeking_does_not_change_the_digest() {
        let path = tempfile::NamedTempFile::new().unwrap();
        let content: Vec<u8> = (0..100_000_u32).map(|i| (i * 31) as u8).collect();
        std::fs::write(path.path(), &content).unwrap();
        let read = AtomicU64::new(0);
        let mut file = DigestingFile::new(File::open(path.path()).unwrap(), &read);
        let mut buffer = [0; 1000];
        for position in [99_000, 0, 1000, 50_000, 2000] {
            file.seek(SeekFrom::Start(position)).unwrap();
            file.read_exact(&mut buffer).unwrap();
        }
        let (digest, length) = file.finish().unwrap();
        assert_eq!(digest, <[u8; 32]>::from(Sha256::digest(&content)));
        assert_eq!(length, 100_000);
    }

    #[test]
    fn a_zip_is_hashed_while_it_is_read() {
        let path = tempfile::NamedTempFile::new().unwrap();
        let content: Vec<u8> = (0..1_000_000_u32).map(|i| (i * 31) as u8).collect();
        std::fs::write(path.path(), &content).unwrap();
        let read = AtomicU64::new(0);
        let mut file = DigestingFile::new(File::open(path.path()).unwrap(), &read);
        // Its directory, the header of its entry, and what follows the name in the header.
        for (position, length) in [(999_900, 100), (0, 30), (53, 999_947)] {
            file.seek(SeekFrom::Start(position)).unwrap();
            file.read_exact(&mut vec![0; length]).unwrap();
        }
        assert_eq!(read.into_inner(), 1_000_000);
    }

    #[test]
    fn bytes_read_twice_are_hashed_once() {
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(path.path(), [7; 500_000]).unwrap();
        let read = AtomicU64::new(0);
        let mut file = DigestingFile::new(File::open(path.path()).unwrap(), &read);
        let mut buffer = [0; 1000];
        for (position, expected) in [(0, 1000), (30, 1030), (400_000, 1030), (0, 1030), (1030, 2030)] {
            file.seek(SeekFrom::Start(position)).unwrap();
            file.read_exact(&mut buffer).unwrap();
            assert_eq!(read.load(Ordering::Relaxed), expected, "after reading from {position}");
        }
        assert_eq!(file.finish().unwrap().0, <[u8; 32]>::from(Sha256::digest([7; 500_000])));
    }
}
