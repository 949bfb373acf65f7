//! A published file, zip or text, as a stream of text. The format is detected from the content.
//!
//! A zip must have exactly one entry, a text file. Its directory is checked before it is parsed, its declared sizes
//! against the bytes read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::DeflateDecoder;
use kuraka_domain::Date;
use sha2::{Digest, Sha256};
use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;
use zip::{CompressionMethod, DateTime, ZipArchive};

use super::directory;
use super::error::SourceError;
use super::hand_over::hand_over;
use crate::dataset::Limits;

/// The least text of which the ratio is checked.
const RATIO_FROM: u64 = 1 << 20;
const CHUNK: usize = 1 << 20;
/// The inflater copies its window with every call, so few large chunks.
const COMPRESSED_CHUNK: usize = 256 << 10;
/// The most text that a zip without a zip64 directory can declare.
const NARROW_TEXT: u64 = 4 << 30;
/// Bytes that tell zip, text and HTML apart.
const SNIFFED: usize = 512;

pub(crate) struct Source<'a> {
    file: HashedFile<'a>,
    pub(crate) bytes: u64,
    /// `None` = the file is the text.
    pub(crate) entry: Option<Entry>,
    limits: Limits,
}

/// The entry of a zip, as the zip declares it.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) date: Option<Date>,
    method: CompressionMethod,
    start: u64,
    compressed: u64,
    text: u64,
    crc32: u32,
}

/// A file that is read once, from its beginning to its end.
struct HashedFile<'a> {
    file: File,
    sha256: Sha256,
    /// Bytes read, for progress reports.
    read: &'a AtomicU64,
}

impl Read for HashedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.sha256.update(buffer.get(..count).unwrap_or_default());
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// A file that was read to its end and checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadText {
    pub(crate) sha256: [u8; 32],
    pub(crate) text_bytes: u64,
}

impl From<ZipError> for SourceError {
    fn from(error: ZipError) -> Self {
        if let ZipError::Io(error) = error { unpacking(error) } else { Self::Zip { detail: error.to_string() } }
    }
}

/// An error without a system error number means that the zip is broken.
fn unpacking(error: io::Error) -> SourceError {
    if error.raw_os_error().is_some() { SourceError::Io(error) } else { SourceError::Zip { detail: error.to_string() } }
}

impl<'a> Source<'a> {
    /// `read` counts the bytes read.
    pub(crate) fn open(path: &Path, limits: Limits, read: &'a AtomicU64) -> Result<Self, SourceError> {
        let mut file = File::open(path)?;
        let bytes = file.metadata()?.len();
        let mut start = Vec::new();
        Read::by_ref(&mut file).take(SNIFFED as u64).read_to_end(&mut start)?;
        if is_html(&start) {
            return Err(SourceError::HtmlPage);
        }
        let is_zip = start.starts_with(b"PK");
        if is_zip {
            directory::check(&mut file, bytes, limits.text > NARROW_TEXT)?;
        }
        let entry = if is_zip { Some(Entry::read(&file, limits)?) } else { None };
        file.seek(SeekFrom::Start(0))?;
        Ok(Self { file: HashedFile { file, sha256: Sha256::new(), read }, bytes, entry, limits })
    }

    /// Reads the text on another thread and calls `each` on this one, with chunks of up to 1 MiB. Do not trust the text
    /// before this returns: a zip's checksum is known only at its end.
    ///
    /// The outer error is the first one of `each`.
    pub(crate) fn read<E>(
        self,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Result<ReadText, SourceError>, E> {
        let read = hand_over(|hand_on| self.stream(hand_on), |chunk: Vec<u8>| each(&chunk).map(|()| chunk))?;
        Ok(read.unwrap_or(Err(SourceError::Interrupted)))
    }

    /// `each` returns the buffer to fill next, or `None` to stop.
    fn stream(self, each: &mut dyn FnMut(Vec<u8>) -> Option<Vec<u8>>) -> Result<ReadText, SourceError> {
        let Self { mut file, bytes, entry, limits } = self;
        let (mut text_bytes, mut buffer) = (0, Vec::new());
        let mut pump = |reader: &mut dyn Read| {
            let mut crc32 = crc32fast::Hasher::new();
            loop {
                buffer.resize(CHUNK, 0);
                let filled = fill(reader, &mut buffer).map_err(unpacking)?;
                text_bytes += filled as u64;
                if let Some(Entry { text, .. }) = entry.as_ref().filter(|entry| text_bytes > entry.text) {
                    return Err(SourceError::Size { declared: *text, found: text_bytes });
                }
                if text_bytes > limits.text {
                    return Err(SourceError::TooLarge { limit: limits.text });
                }
                if text_bytes > RATIO_FROM && text_bytes / limits.ratio > bytes {
                    return Err(SourceError::Ratio { limit: limits.ratio });
                }
                let last = filled < CHUNK;
                buffer.truncate(filled);
                if entry.is_some() {
                    crc32.update(&buffer);
                }
                if last {
                    each(std::mem::take(&mut buffer));
                    return match &entry {
                        Some(Entry { text, .. }) if *text != text_bytes => {
                            Err(SourceError::Size { declared: *text, found: text_bytes })
                        }
                        Some(entry) if entry.crc32 != crc32.finalize() => {
                            Err(SourceError::Zip { detail: "its checksum differs".to_owned() })
                        }
                        _ => Ok(()),
                    };
                }
                buffer = each(std::mem::take(&mut buffer)).ok_or(SourceError::Interrupted)?;
            }
        };
        match &entry {
            None => pump(&mut file)?,
            Some(Entry { method, start, compressed, .. }) => {
                io::copy(&mut (&mut file).take(*start), &mut io::sink())?;
                let mut content = (&mut file).take(*compressed);
                if *method == CompressionMethod::Deflated {
                    let compressed = BufReader::with_capacity(COMPRESSED_CHUNK, content);
                    pump(&mut DeflateDecoder::new(compressed))?;
                } else if *method == CompressionMethod::Stored {
                    pump(&mut content)?;
                } else {
                    return Err(SourceError::Zip { detail: format!("compression {method} is not supported") });
                }
            }
        }
        // What follows the text belongs to the file, too.
        io::copy(&mut file, &mut io::sink())?;
        Ok(ReadText { sha256: file.sha256.finalize().into(), text_bytes })
    }
}

impl Entry {
    fn read(file: &File, limits: Limits) -> Result<Self, SourceError> {
        let mut archive = ZipArchive::with_config(Config { archive_offset: ArchiveOffset::Known(0) }, file)?;
        if archive.len() != 1 {
            return Err(SourceError::Entries { found: archive.len() });
        }
        let entry = archive.by_index_raw(0)?;
        if entry.encrypted() {
            return Err(SourceError::Encrypted);
        }
        if !entry.is_file() || entry.is_symlink() {
            return Err(SourceError::NotAFile);
        }
        check_name(entry.name_raw())?;
        if entry.size() > limits.text {
            return Err(SourceError::TooLarge { limit: limits.text });
        }
        let day = |time: DateTime| Date::new(time.year(), time.month(), time.day()).ok();
        Ok(Self {
            name: String::from_utf8_lossy(entry.name_raw()).into_owned(),
            date: entry.last_modified().and_then(day),
            method: entry.compression(),
            start: entry.data_start().unwrap_or_default(),
            compressed: entry.compressed_size(),
            text: entry.size(),
            crc32: entry.crc32(),
        })
    }
}

/// Reads until the buffer is full; fewer bytes = the end.
fn fill(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

fn is_html(start: &[u8]) -> bool {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    text.starts_with(b"<")
}

/// The entry must be a text or CSV file in no folder.
fn check_name(found: &[u8]) -> Result<(), SourceError> {
    let is_plain = found.len() > 4 && !found.iter().any(|byte| matches!(byte, b'/' | b'\\' | b':' | 0));
    let name = found.to_ascii_lowercase();
    if is_plain && (name.ends_with(b".txt") || name.ends_with(b".csv")) {
        return Ok(());
    }
    Err(SourceError::EntryName { found: String::from_utf8_lossy(found).chars().take(100).collect() })
}
