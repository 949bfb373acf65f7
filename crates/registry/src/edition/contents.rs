//! The stored rows of an open edition, for a comparison with another one.

use super::file::{MappedFile, range};
use crate::format::header::{Header, WORDS};
use crate::format::rows::Rows;

/// The stored rows of an open edition.
#[derive(Clone, Copy)]
pub(crate) struct Contents<'a> {
    file: &'a MappedFile,
    pub(crate) rows: &'a Rows,
}

impl<'a> Contents<'a> {
    pub(super) const fn new(file: &'a MappedFile, rows: &'a Rows) -> Self {
        Self { file, rows }
    }

    /// The whole file. What was read from it counts only while [`Contents::is_unreadable`] is false.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.file
    }

    /// Whether reading the file has failed.
    pub(crate) fn is_unreadable(self) -> bool {
        self.file.is_unreadable()
    }

    /// Gives back the memory of the pages that were read; the file can be read on.
    pub(crate) fn forget_pages(self) {
        self.file.forget_pages();
    }

    /// Whether the dictionary begins with that of `older`, so that equal bytes of a record mean the same.
    pub(crate) fn has_words_of(self, older: Self) -> bool {
        let words = |contents: Self| {
            let (header, _) = Header::decode(contents.bytes()).ok()?;
            contents.bytes().get(range(&header, WORDS).ok()?)
        };
        matches!((words(self), words(older)), (Some(new), Some(old)) if new.starts_with(old))
    }
}
