//! The stored rows of an open edition, for a comparison with another one.

use super::container::Container;
use crate::format::header::WORDS;
use crate::format::rows::Rows;

/// The stored rows of an open edition.
#[derive(Clone, Copy)]
pub(crate) struct Contents<'a>(&'a Container);

impl<'a> Contents<'a> {
    pub(super) const fn new(container: &'a Container) -> Self {
        Self(container)
    }

    /// Where the rows are.
    pub(crate) const fn rows(self) -> &'a Rows {
        self.0.rows()
    }

    /// The whole file. What was read from it counts only while [`Contents::is_unreadable`] is false.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.0.file()
    }

    /// Whether reading the file has failed.
    pub(crate) fn is_unreadable(self) -> bool {
        self.0.is_unreadable()
    }

    /// Gives back the memory of the pages that were read; the file can be read on.
    pub(crate) fn forget_pages(self) {
        self.0.file().forget_pages();
    }

    /// Whether the file differs from `other` by no more than its number and its parent.
    pub(crate) fn is_that_of(self, other: Self) -> bool {
        self.0.has_content_of(other.0)
    }

    /// Whether the dictionary begins with that of `older`, so that equal bytes of a record mean the same.
    pub(crate) fn has_words_of(self, older: Self) -> bool {
        let words = |contents: Self| contents.0.section(WORDS, Some);
        matches!((words(self), words(older)), (Ok(new), Ok(old)) if new.starts_with(old))
    }
}
