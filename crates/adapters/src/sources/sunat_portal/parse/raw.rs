//! A result as labelled, unchecked values.

use super::decode::is_garbled;
use crate::sources::sunat_portal::error::UnreadablePageError;
use crate::sources::sunat_portal::label::Label;

/// Each label at most once.
#[derive(Default)]
pub(in crate::sources::sunat_portal) struct RawRecord {
    rows: Vec<(Label, Value)>,
    /// Rows without a known label.
    pub(super) unknown: usize,
}

pub(in crate::sources::sunat_portal) enum Value {
    /// The lines of a text, split at `</br>`, inner blanks kept.
    Text(Vec<String>),
    /// The entries of a list, each once, blanks folded.
    List(Vec<String>),
}

impl RawRecord {
    pub(in crate::sources::sunat_portal) fn value(&self, label: Label) -> Option<&Value> {
        self.rows.iter().find(|(found, _)| *found == label).map(|(_, value)| value)
    }

    pub(super) fn insert(&mut self, label: Label, value: Value) -> Result<(), UnreadablePageError> {
        if self.value(label).is_some() {
            return Err(UnreadablePageError::Misplaced(label));
        }
        let texts = match &value {
            Value::Text(texts) | Value::List(texts) => texts,
        };
        if texts.iter().any(|text| is_garbled(text)) {
            return Err(UnreadablePageError::Garbled);
        }
        if texts.iter().any(|text| text.contains("***")) {
            return Err(UnreadablePageError::Masked(label));
        }
        self.rows.push((label, value));
        Ok(())
    }
}
