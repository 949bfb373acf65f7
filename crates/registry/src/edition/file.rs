//! An edition file, mapped, its sections found by name.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;

use memmap2::{Mmap, UncheckedAdvice};

use super::bus_error::MappingGuard;
use crate::folder::FileState;
use crate::format::EditionError;
use crate::format::header::{self, Header, SectionKind};

pub(super) struct MappedFile {
    // Dropped before the mapping.
    guard: MappingGuard,
    map: Mmap,
    file: File,
    state: FileState,
}

impl MappedFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let state = FileState::from(&file.metadata()?);
        #[expect(unsafe_code, reason = "a mapping is the only way to share 300 MB between processes and editions")]
        // SAFETY: the mapping is read only, and published edition files are never written: they are replaced by rename
        // and removed by unlink, which keep the mapped file alive. Other changes are damage: each lookup copies what it
        // uses and checks the copy, and `MappingGuard` handles memory that cannot be read.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self { guard: MappingGuard::new(&map)?, map, file, state })
    }

    /// Whether reading has failed since the file was mapped: bytes read since may be zeros.
    pub(super) fn is_unreadable(&self) -> bool {
        self.guard.is_damaged()
    }

    /// Gives back the memory of the pages that were read. They stay in the page cache.
    pub(super) fn forget_pages(&self) {
        #[expect(unsafe_code, reason = "the system may drop pages that a mapping has read")]
        // SAFETY: the mapping is read only and of a file, so a dropped page is read again when it is needed. Zeros that
        // `MappingGuard` has put in its place are never written either, and stay zeros.
        let _ = unsafe { self.map.unchecked_advise(UncheckedAdvice::DontNeed) };
    }

    pub(super) fn has_changed(&self) -> bool {
        self.is_unreadable() || !self.file.metadata().is_ok_and(|now| FileState::from(&now) == self.state)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

pub(super) fn range(header: &Header, kind: SectionKind) -> Result<Range<usize>, EditionError> {
    header
        .sections
        .iter()
        .find(|section| section.name == kind.name && section.version == kind.version)
        .map(|section| section.offset as usize..(section.offset + section.length) as usize)
        .ok_or_else(|| EditionError::MissingSection { section: header::display(&kind.name) })
}

pub(super) fn read<'a, T>(
    map: &'a [u8],
    header: &Header,
    kind: SectionKind,
    decode: impl FnOnce(&'a [u8]) -> Option<T>,
) -> Result<T, EditionError> {
    map.get(range(header, kind)?).and_then(decode).ok_or_else(|| unreadable(kind))
}

pub(super) fn unreadable(kind: SectionKind) -> EditionError {
    EditionError::Content { section: header::display(&kind.name) }
}
