//! A table of the values that a column may have, each with the wordings in which it was published.

use super::folded::folded;

/// A table of values.
#[derive(Debug)]
pub struct Table {
    /// The values.
    pub entries: &'static [Entry],
}

/// One value.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// The publisher's code.
    pub code: u8,
    /// The text of answers.
    pub text: &'static str,
    /// Other wordings seen in published files.
    pub wordings: &'static [&'static str],
}

impl Table {
    /// The value with this text or wording. Case, accents and punctuation are ignored.
    #[must_use]
    pub fn find(&self, published: &str) -> Option<&'static Entry> {
        let wanted = folded(published);
        let mut entries = self.entries.iter();
        entries.find(|entry| entry.wordings.iter().chain([&entry.text]).any(|wording| folded(wording) == wanted))
    }
}
