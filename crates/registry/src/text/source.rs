//! A published file, zip or text, as a stream of text. The format is detected from the content.
//!
//! A zip must have exactly one entry, a text file. Its directory is checked before it is parsed, its declared sizes
//! against the bytes read.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::sync_channel;
use std::thread;

use flate2::bufread::DeflateDecoder;
use kuraka_domain::Date;
use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::digest::DigestingFile;
use super::directory;
use super::error::SourceError;
use crate::dataset::Limits;

/// The least text of which the ratio is checked.
const RATIO_FROM: u64 = 1 << 20;
const CHUNK: usize = 1 << 20;
/// Chunks between the two threads.
const IN_FLIGHT: usize = 4;
/// The inflater copies its window with every call, so few large chunks.
const COMPRESSED_CHUNK: usize = 256 << 10;
/// The most text that a zip without a zip64 directory can declare.
const NARROW_TEXT: u64 = 4 << 30;
/// Bytes that tell zip, text and HTML apart.
const SNIFFED: usize = 512;

pub(crate) struct Source<'a> {
    content: Content<'a>,
    pub(crate) bytes: u64,
    pub(crate) entry_date: Option<Date>,
    pub(crate) entry_name: Option<String>,
    limits: Limits,
}

enum Content<'a> {
    Text(DigestingFile<'a>),
    Zip(Box<ZipArchive<DigestingFile<'a>>>),
}

/// As the zip declares them.
struct DeclaredText {
    bytes: u64,
    crc32: u32,
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
        file.seek(SeekFrom::Start(0))?;
        let file = DigestingFile::new(file, read);
        if !is_zip {
            return Ok(Self { content: Content::Text(file), bytes, entry_date: None, entry_name: None, limits });
        }
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
        let entry_name = Some(String::from_utf8_lossy(entry.name_raw()).into_owned());
        let entry_date = entry.last_modified().and_then(|time| Date::new(time.year(), time.month(), time.day()).ok());
        drop(entry);
        Ok(Self { content: Content::Zip(Box::new(archive)), bytes, entry_date, entry_name, limits })
    }

    /// Reads the text on another thread and calls `each` on this one, with chunks of up to 1 MiB. Do not trust the text
    /// before this returns: a zip's checksum is known only at its end.
    ///
    /// The outer error is the first one of `each`.
    pub(crate) fn read<E>(
        self,
        mut each: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<Result<ReadText, SourceError>, E> {
        let (filled, chunks) = sync_channel::<Vec<u8>>(IN_FLIGHT);
        let (free, free_chunks) = sync_channel(IN_FLIGHT);
        for _ in 1..IN_FLIGHT {
            // The channel has room for all of them.
            let _ = free.send(Vec::new());
        }
        thread::scope(|scope| {
            let streaming = scope.spawn(move || {
                self.stream(|chunk| {
                    filled.send(chunk).ok()?;
                    free_chunks.recv().ok()
                })
            });
            // Dropped when `each` fails, so that the other thread ends.
            let (chunks, free) = (chunks, free);
            for chunk in chunks {
                each(&chunk)?;
                // The other thread ends after its last chunk.
                let _ = free.send(chunk);
            }
            Ok(streaming.join().unwrap_or(Err(SourceError::Interrupted)))
        })
    }

    /// `each` returns the buffer to fill next, or `None` to stop.
    fn stream(self, mut each: impl FnMut(Vec<u8>) -> Option<Vec<u8>>) -> Result<ReadText, SourceError> {
        let (bytes, limits) = (self.bytes, self.limits);
        let (mut text_bytes, mut buffer) = (0, Vec::new());
        let mut pump = |reader: &mut dyn Read, declared: Option<DeclaredText>| {
            let mut crc32 = crc32fast::Hasher::new();
            loop {
                buffer.resize(CHUNK, 0);
                let filled = fill(reader, &mut buffer).map_err(unpacking)?;
                text_bytes += filled as u64;
                if let Some(DeclaredText { bytes: declared, .. }) = declared.as_ref().filter(|it| text_bytes > it.bytes)
                {
                    return Err(SourceError::Size { declared: *declared, found: text_bytes });
                }
                if text_bytes > limits.text {
                    return Err(SourceError::TooLarge { limit: limits.text });
                }
                if text_bytes > RATIO_FROM && text_bytes / limits.ratio > bytes {
                    return Err(SourceError::Ratio { limit: limits.ratio });
                }
                let last = filled < CHUNK;
                buffer.truncate(filled);
                if declared.is_some() {
                    crc32.update(&buffer);
                }
                if last {
                    each(std::mem::take(&mut buffer));
                    return match declared {
                        Some(DeclaredText { bytes: declared, .. }) if declared != text_bytes => {
                            Err(SourceError::Size { declared, found: text_bytes })
                        }
                        Some(declared) if declared.crc32 != crc32.finalize() => {
                            Err(SourceError::Zip { detail: "its checksum differs".to_owned() })
                        }
                        _ => Ok(()),
                    };
                }
                buffer = each(std::mem::take(&mut buffer)).ok_or(SourceError::Interrupted)?;
            }
        };
        let file = match self.content {
            Content::Text(mut file) => {
                pump(&mut file, None)?;
                file
            }
            Content::Zip(mut archive) => {
                let mut entry = archive.by_index_raw(0)?;
                let declared = Some(DeclaredText { bytes: entry.size(), crc32: entry.crc32() });
                let method = entry.compression();
                if method == CompressionMethod::Deflated {
                    let compressed = BufReader::with_capacity(COMPRESSED_CHUNK, &mut entry);
                    pump(&mut DeflateDecoder::new(compressed), declared)?;
                } else if method == CompressionMethod::Stored {
                    pump(&mut entry, declared)?;
                } else {
                    return Err(SourceError::Zip { detail: format!("compression {method} is not supported") });
                }
                drop(entry);
                archive.into_inner()
            }
        };
        let (sha256, _) = file.finish()?;
        Ok(ReadText { sha256, text_bytes })
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
