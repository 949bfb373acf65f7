//! An edition file as mapped bytes, its sections found by name.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use memmap2::Mmap;

use super::error::EditionError;
use crate::Meta;
use crate::format::header::{self, Header, SECTION_VERSION, SectionName};

/// Maps the file at `path` into memory.
pub(super) fn map(path: &Path) -> io::Result<Mmap> {
    let file = File::open(path)?;
    #[allow(unsafe_code, reason = "a mapping is the only way to share 300 MB between processes and editions")]
    // SAFETY: the mapping is read only, and edition files are never written after publication: they are replaced by
    // rename and removed by unlink, both of which keep the mapped file alive. The checks of each lookup detect other
    // damage to the file; they do not assume that a byte stays the same.
    unsafe {
        Mmap::map(&file)
    }
}

/// Where the section is.
pub(super) fn range(header: &Header, name: SectionName) -> Result<Range<usize>, EditionError> {
    header
        .sections
        .iter()
        .find(|section| section.name == name && section.version == SECTION_VERSION)
        .map(|section| section.offset as usize..(section.offset + section.length) as usize)
        .ok_or_else(|| EditionError::MissingSection { section: header::display(&name) })
}

/// The section, decoded.
pub(super) fn read<'a, T>(
    map: &'a [u8],
    header: &Header,
    name: SectionName,
    decode: impl FnOnce(&'a [u8]) -> Option<T>,
) -> Result<T, EditionError> {
    map.get(range(header, name)?)
        .and_then(decode)
        .ok_or_else(|| EditionError::Content { section: header::display(&name) })
}

/// The edition's facts.
pub(super) fn read_meta(map: &[u8], header: &Header) -> Result<Meta, EditionError> {
    read(map, header, header::META, |section| serde_json::from_slice(section).ok())
}
