//! Builds a taxpayer's record from an answer. Pure.

use kuraka_domain::text::without_accents;
use kuraka_domain::ubigeo::split_department;
use kuraka_domain::{
    Date, DateError, DomicileCondition, ElectronicIssuing, Ruc, RucKind, TaxpayerDetail, TaxpayerStatus,
};
use serde_json::Value;

use super::error::{AnswerError, UnreadableAnswerError};
use super::field::Field;
use super::parse::{Answer, parse};
use super::spec::{Pointer, ProviderSpec};
use crate::sources::activity::activities;
use crate::sources::text;

/// The longest lists have a few dozen texts.
const MAX_ITEMS: usize = 200;

/// `None` = there is no such taxpayer.
pub(super) fn read(spec: &ProviderSpec, answer: Answer<'_>) -> Result<Option<TaxpayerDetail>, AnswerError> {
    let Some(document) = parse(spec, answer)? else { return Ok(None) };
    let is_fuller = spec.places.iter().any(|place| place.optional && place.find(&document).is_some());
    Ok(Some(Fields { spec, document: &document, is_fuller }.record(answer.ruc)?))
}

/// The fields of an answer. One that the file does not locate is empty.
struct Fields<'a> {
    spec: &'a ProviderSpec,
    document: &'a Value,
    /// An answer has all optional fields or none.
    is_fuller: bool,
}

impl Fields<'_> {
    fn record(&self, ruc: Ruc) -> Result<TaxpayerDetail, UnreadableAnswerError> {
        let status = self.said(Field::Status)?.to_uppercase();
        let condition = self.said(Field::Condition)?.to_uppercase();
        Ok(TaxpayerDetail {
            ruc,
            name: self.said(Field::Name)?,
            status: TaxpayerStatus::from_text(&status),
            condition: DomicileCondition::from_text(&condition),
            full_address: self.address(ruc)?,
            taxpayer_type: self.text(Field::TaxpayerType)?,
            registered: self.date(Field::Registered)?,
            activities: activities(&self.list(Field::Activities)?, false)?,
            trade_name: self.text(Field::TradeName)?,
            activities_started: self.date(Field::ActivitiesStarted)?,
            deregistered: self.date(Field::Deregistered)?,
            issuing_system: self.text(Field::IssuingSystem)?,
            foreign_trade: self.text(Field::ForeignTrade)?,
            accounting_system: self.text(Field::AccountingSystem)?,
            authorised_vouchers: self.list(Field::AuthorisedVouchers)?,
            electronic_issuing: ElectronicIssuing {
                systems: self.list(Field::ElectronicSystems)?,
                since: self.date(Field::ElectronicSince)?,
                vouchers: self.list(Field::ElectronicVouchers)?,
                electronic_books_since: self.date(Field::ElectronicBooksSince)?,
            },
            padrones: self.list(Field::Padrones)?,
        })
    }

    /// Where a field is, and its value; `None` if it has none.
    fn value(&self, field: Field) -> Result<Option<(&Pointer, &Value)>, UnreadableAnswerError> {
        let place = self.spec.place(field).filter(|place| self.is_fuller || !place.optional);
        let Some(place) = place else { return Ok(None) };
        let found = place.find(self.document).ok_or_else(|| place.missing())?;
        let may_be_null = place.nullable || Field::ADDRESS.contains(&field);
        Ok(Some(found).filter(|(_, value)| !may_be_null || !value.is_null()))
    }

    fn text(&self, field: Field) -> Result<String, UnreadableAnswerError> {
        match self.value(field)? {
            None => Ok(String::new()),
            Some((_, Value::String(text))) => clean(field, text),
            Some((at, _)) => Err(wrong(field, at)),
        }
    }

    /// The non-empty texts; SUNAT writes `NINGUNO` for an empty list.
    fn list(&self, field: Field) -> Result<Vec<String>, UnreadableAnswerError> {
        let Some((at, value)) = self.value(field)? else { return Ok(Vec::new()) };
        let items = match value {
            Value::String(_) => std::slice::from_ref(value),
            Value::Array(items) if items.len() <= MAX_ITEMS => items,
            Value::Array(_) | Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {
                return Err(wrong(field, at));
            }
        };
        let item = |item: &Value| clean(field, item.as_str().ok_or_else(|| wrong(field, at))?);
        let mut texts = items.iter().map(item).collect::<Result<Vec<_>, _>>()?;
        texts.retain(|text| !text.is_empty() && text != "NINGUNO");
        Ok(texts)
    }

    /// A mandatory text. Providers replace hidden data with asterisks. As in the padrón, a condition may be `-`.
    fn said(&self, field: Field) -> Result<String, UnreadableAnswerError> {
        let text = self.text(field)?;
        let is_dash = || matches!(self.value(field), Ok(Some((_, Value::String(text)))) if text.contains('-'));
        if text.is_empty() && field == Field::Condition && is_dash() {
            return Ok(text);
        }
        let says_nothing = text.contains("***") || text.bytes().all(|byte| byte == b'*');
        if says_nothing { Err(UnreadableAnswerError::Empty(field)) } else { Ok(text) }
    }

    fn date(&self, field: Field) -> Result<Option<Date>, UnreadableAnswerError> {
        match &*self.text(field)? {
            "" => Ok(None),
            text => day_of(text).map(Some).map_err(|fault| UnreadableAnswerError::Date { field, fault }),
        }
    }

    /// Empty for natural persons, whose address is never shown and has many forms. All of its parts may be null.
    fn address(&self, ruc: Ruc) -> Result<String, UnreadableAnswerError> {
        if ruc.kind() != RucKind::LegalPerson {
            return Ok(String::new());
        }
        let is_null = |field: &Field| {
            let found = self.spec.place(*field).and_then(|place| place.find(self.document));
            found.is_some_and(|(_, value)| value.is_null())
        };
        let nulls: Vec<_> = Field::ADDRESS.into_iter().filter(is_null).collect();
        if let ([missing, ..], 1..4) = (nulls.as_slice(), nulls.len()) {
            return Err(UnreadableAnswerError::Empty(*missing));
        }
        let [street, district, province, department] = Field::ADDRESS.map(|field| self.text(field));
        full_address(&street?, [&district?, &province?, &department?])
    }
}

/// The non-empty parts in the official page's form, joined by ` - `. Providers may add district, province and department
/// to the street, in either order, and write the department as `CALLAO` or `PROV. CONST. DEL CALLAO`.
fn full_address(address: &str, [district, province, department]: [&str; 3]) -> Result<String, UnreadableAnswerError> {
    let known = if department.is_empty() { "" } else { name_of(department)? };
    let street = without_places(address, [district, province, department]);
    let parts = [street, district, province, known];
    Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" - "))
}

/// The department as the table of ubigeos spells it.
fn name_of(department: &str) -> Result<&'static str, UnreadableAnswerError> {
    match split_department(&without_accents(department)) {
        Some(("", name)) => Ok(name),
        Some(_) | None => Err(UnreadableAnswerError::Department),
    }
}

/// The street alone, if all three places follow in either order.
fn without_places<'a>(address: &'a str, [district, province, department]: [&str; 3]) -> &'a str {
    [[district, province, department], [department, province, district]]
        .into_iter()
        .find_map(|order| order.iter().rev().try_fold(address, |rest, place| without_last(rest, place)))
        .unwrap_or(address)
}

/// The text before a final place.
fn without_last<'a>(text: &'a str, place: &str) -> Option<&'a str> {
    let between = [' ', '-', ',', '/'];
    let before = text.strip_suffix(place)?;
    let rest = before.trim_end_matches(between);
    (!place.is_empty() && rest.len() < before.len()).then_some(rest)
}

fn clean(field: Field, text: &str) -> Result<String, UnreadableAnswerError> {
    text::clean(text).map_err(|fault| UnreadableAnswerError::Text { field, fault })
}

fn wrong(field: Field, at: &Pointer) -> UnreadableAnswerError {
    UnreadableAnswerError::Form { field, at: at.to_string().into() }
}

/// `YYYY-MM-DD` or `DD/MM/YYYY`, with or without a time.
fn day_of(text: &str) -> Result<Date, DateError> {
    const FORM: DateError = DateError::Form { expected: "YYYY-MM-DD or DD/MM/YYYY" };
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let is_time = |time: &str| {
        time.starts_with(|c: char| c.is_ascii_digit())
            && time.bytes().all(|byte| byte.is_ascii_digit() || b":.+-Z".contains(&byte))
    };
    if time.is_some_and(|time| !is_time(time)) {
        return Err(FORM);
    }
    if day.contains('/') { Date::parse_dmy(day) } else { Date::parse(day) }
}
