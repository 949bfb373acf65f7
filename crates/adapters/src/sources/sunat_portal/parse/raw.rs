//! A result as labelled, unchecked values: the lines of a text, split at `</br>`, inner blanks kept; or the entries of a
//! list, each once, blanks folded.

use super::decode::is_garbled;
use crate::sources::sunat_portal::error::UnreadablePageError;
use crate::sources::sunat_portal::label::Label;

/// Each label at most once.
#[derive(Default)]
pub(in crate::sources::sunat_portal) struct RawRecord {
    rows: Vec<(Label, Vec<String>)>,
    /// Rows without a known label.
    pub(super) unknown: usize,
}

impl RawRecord {
    pub(in crate::sources::sunat_portal) fn value(&self, label: Label) -> Option<&[String]> {
        self.rows.iter().find(|(found, _)| *found == label).map(|(_, value)| value.as_slice())
    }

    pub(super) fn insert(&mut self, label: Label, value: Vec<String>) -> Result<(), UnreadablePageError> {
        if self.value(label).is_some() {
            return Err(UnreadablePageError::Misplaced(label));
        }
        if value.iter().any(|text| is_garbled(text)) {
            return Err(UnreadablePageError::Garbled);
        }
        if value.iter().any(|text| text.contains("***")) {
            return Err(UnreadablePageError::Masked(label));
        }
        self.rows.push((label, value));
        Ok(())
    }
}
