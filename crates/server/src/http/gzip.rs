//! A text as gzip (RFC 1952) that is compressed once, although each answer has another end.

use crc32fast::Hasher;
use flate2::{Compress, Compression, FlushCompress};

/// Deflate, without name and time.
const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
/// Begins the last block, which is stored as it is (RFC 1951, 3.2.4).
const LAST_STORED_BLOCK: u8 = 1;

/// The compressed beginning.
pub(crate) struct GzipStart {
    bytes: Vec<u8>,
    checksum: Hasher,
    length: u32,
}

impl GzipStart {
    /// `None` = the text does not become shorter.
    pub(crate) fn new(text: &[u8]) -> Option<Self> {
        let mut bytes = Vec::with_capacity(HEADER.len() + text.len());
        bytes.extend_from_slice(&HEADER);
        let mut deflate = Compress::new(Compression::best(), false);
        deflate.compress_vec(text, &mut bytes, FlushCompress::Sync).ok()?;
        let is_whole = bytes.len() < bytes.capacity();
        bytes.shrink_to_fit();
        let mut checksum = Hasher::new();
        checksum.update(text);
        is_whole.then_some(Self { bytes, checksum, length: text.len() as u32 })
    }

    /// With the end, of less than 64 KiB.
    pub(crate) fn with_end(&self, end: &[u8]) -> Vec<u8> {
        let mut checksum = self.checksum.clone();
        checksum.update(end);
        let (stored, length) = (end.len() as u16, self.length.wrapping_add(end.len() as u32));
        let block = [&[LAST_STORED_BLOCK][..], &stored.to_le_bytes(), &(!stored).to_le_bytes(), end];
        let trailer = [checksum.finalize().to_le_bytes(), length.to_le_bytes()];
        [&*self.bytes, &block.concat(), &trailer.concat()].concat()
    }
}
