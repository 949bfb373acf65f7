//! The fields of one row, from texts to values, by the rules of their columns.

use std::collections::{BTreeMap, HashMap};

use super::bad_lines::Reason;
use super::convert::convert;
use super::header::Field;
use super::report::NAMED;
use crate::dataset::{Entry, FieldKind, Rule, Value};

/// Wordings of one column that are remembered.
const REMEMBERED: usize = 1_000;

/// Converts the fields of a file's rows.
#[derive(Debug, Default)]
pub(super) struct RowFields {
    absent: &'static [&'static str],
    /// Wordings seen, with their value.
    wordings: HashMap<(&'static str, String), Option<&'static Entry>>,
    pub(super) unread: BTreeMap<&'static str, u64>,
    pub(super) unlisted: BTreeMap<&'static str, u64>,
    pub(super) unlisted_wordings: Vec<String>,
}

impl RowFields {
    pub(super) fn new(absent: &'static [&'static str]) -> Self {
        Self { absent, ..Self::default() }
    }

    /// The value of a field's text, which is refused already if it cannot be decoded. In a `strict` row every value must
    /// be readable.
    pub(super) fn value<'a>(
        &mut self,
        field: &Field,
        text: Result<&'a str, Reason>,
        strict: bool,
    ) -> Result<Value<'a>, Reason> {
        let absent = self.absent;
        let value = text.and_then(|text| convert(field.kind, text, absent, |text| self.listed(field, text)));
        match (value, field.rule) {
            (Ok(Value::Absent), Rule::Required) => Err(Reason::MissingValue),
            (Ok(value), _) => {
                if let (FieldKind::Listed(_), Value::Text(text)) = (field.kind, value) {
                    self.count_unlisted(field.name, text);
                }
                Ok(value)
            }
            (Err(_), Rule::Lenient) if !strict => {
                *self.unread.entry(field.name).or_default() += 1;
                Ok(Value::Absent)
            }
            (Err(reason), _) => Err(reason),
        }
    }

    fn listed(&mut self, field: &Field, text: &str) -> Option<&'static Entry> {
        let FieldKind::Listed(table) = field.kind else { return None };
        let key = (field.name, text.to_owned());
        if let Some(known) = self.wordings.get(&key) {
            return *known;
        }
        let entry = table.find(text);
        if self.wordings.len() < REMEMBERED {
            self.wordings.insert(key, entry);
        }
        entry
    }

    fn count_unlisted(&mut self, name: &'static str, text: &str) {
        *self.unlisted.entry(name).or_default() += 1;
        let named = &mut self.unlisted_wordings;
        if named.len() < NAMED && !named.iter().any(|known| known == text) {
            named.push(text.to_owned());
        }
    }
}
