//! The values of one row, by the rules of its columns.

use std::collections::HashMap;

use kuraka_domain::TaxpayerType;

use super::bad_lines::Reason;
use super::convert::convert;
use super::header::Field;
use super::report::{NAMED, Report};
use crate::dataset::{Rule, Value};

const REMEMBERED: usize = 1_000;

#[derive(Debug, Default)]
pub(super) struct RowFields {
    absent: &'static [&'static str],
    /// Wordings of types of taxpayer, with the type's text.
    wordings: HashMap<String, Option<&'static str>>,
    pub(super) report: Report,
}

impl RowFields {
    pub(super) fn new(absent: &'static [&'static str]) -> Self {
        Self { absent, ..Self::default() }
    }

    /// The value of a decoded text, or the reason why it cannot be decoded. In a `strict` row every value must be
    /// readable.
    pub(super) fn value<'a>(
        &mut self,
        field: &Field,
        text: Result<&'a str, Reason>,
        strict: bool,
    ) -> Result<Value<'a>, Reason> {
        let absent = self.absent;
        match (
            text.and_then(|text| convert(field.kind, text, absent, |text| self.taxpayer_type(field, text))),
            field.rule,
        ) {
            (Ok(Value::Absent), Rule::Required) => Err(Reason::MissingValue),
            (Err(_), Rule::Lenient) if !strict => {
                *self.report.unread_values.entry(field.name).or_default() += 1;
                Ok(Value::Absent)
            }
            (value, _) => value,
        }
    }

    fn taxpayer_type<'a>(&mut self, field: &Field, wording: &'a str) -> &'a str {
        let known = match self.wordings.get(wording) {
            Some(known) => *known,
            None => {
                let found = TaxpayerType::find(wording).map(TaxpayerType::text);
                if self.wordings.len() < REMEMBERED {
                    self.wordings.insert(wording.to_owned(), found);
                }
                found
            }
        };
        known.unwrap_or_else(|| {
            self.count_unlisted(field.name, wording);
            wording
        })
    }

    fn count_unlisted(&mut self, name: &'static str, text: &str) {
        *self.report.unlisted_values.entry(name).or_default() += 1;
        let named = &mut self.report.unlisted_wordings;
        if named.len() < NAMED && !named.iter().any(|known| known == text) {
            named.push(text.to_owned());
        }
    }
}
