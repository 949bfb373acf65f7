//! What the comparison of two editions reads.

use kuraka_domain::Ruc;

use super::Edition;
use super::records::{Row, TextsError, field_names};
use crate::dataset::RecordForm;
use crate::format::groups::Groups;
use crate::format::header::WORDS;

impl Edition {
    pub(crate) const fn groups(&self) -> &Groups {
        &self.groups
    }

    /// What was read counts only while [`Edition::is_unreadable`] is false.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.file
    }

    /// Gives back the memory of the pages that were read.
    pub(crate) fn forget_pages(&self) {
        self.file.forget_pages();
    }

    /// Whether the file differs from `other` by no more than number and parent.
    pub(crate) fn has_content_of(&self, other: &Self) -> bool {
        self.header.file_length == other.header.file_length && self.header.sections == other.header.sections
    }

    pub(crate) fn field_names(&self) -> Vec<&'static str> {
        field_names(self.dataset)
    }

    pub(crate) fn stores(&self, field: &str) -> bool {
        match self.dataset.records() {
            RecordForm::Summary => true,
            RecordForm::Fields => field.is_empty() || self.meta.fields.iter().any(|stored| stored.name == field),
        }
    }

    /// Whether equal bytes of a record mean equal values in both editions.
    pub(crate) fn stores_as(&self, older: &Self) -> bool {
        let (new, old) = (self.section(WORDS), older.section(WORDS));
        let has_words = matches!((new, old), (Ok(new), Ok(old)) if new.starts_with(old));
        self.meta.fields == older.meta.fields && has_words
    }

    /// The fields at these places, for each row of a taxpayer's record.
    pub(crate) fn texts(&self, ruc: Ruc, record: &[u8], places: &[usize]) -> Result<Vec<Row>, TextsError> {
        self.records.texts(ruc, record, places, &self.words)
    }
}
