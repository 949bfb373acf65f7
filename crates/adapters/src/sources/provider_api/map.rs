//! Builds a taxpayer's record from an answer. Pure.

mod activity;
mod address;

use kuraka_domain::{
    Date, DateError, DomicileCondition, ElectronicIssuing, Ruc, RucKind, TaxpayerDetail, TaxpayerStatus,
};

use super::error::{AnswerError, UnreadableAnswerError};
use super::field::Field;
use super::parse::{Answer, RawRecord, parse};
use super::spec::ProviderSpec;

/// `None` = there is no such taxpayer.
pub(super) fn read(spec: &ProviderSpec, answer: Answer<'_>) -> Result<Option<TaxpayerDetail>, AnswerError> {
    let raw = parse(spec, answer)?;
    Ok(raw.map(|raw| map(&raw, answer.ruc)).transpose()?)
}

fn map(raw: &RawRecord, ruc: Ruc) -> Result<TaxpayerDetail, UnreadableAnswerError> {
    let status = raw.said(Field::Status)?.to_uppercase();
    let condition = raw.said(Field::Condition)?.to_uppercase();
    let activities = raw.list(Field::Activities).iter().enumerate();
    Ok(TaxpayerDetail {
        ruc,
        name: raw.said(Field::Name)?.to_owned(),
        status: TaxpayerStatus::from_text(&status),
        condition: DomicileCondition::from_text(&condition),
        full_address: raw.address(ruc)?,
        taxpayer_type: raw.text(Field::TaxpayerType),
        registered: raw.date(Field::Registered)?,
        activities: activities.map(|(index, line)| activity::activity(index, line)).collect::<Result<_, _>>()?,
        trade_name: raw.text(Field::TradeName),
        activities_started: raw.date(Field::ActivitiesStarted)?,
        deregistered: raw.date(Field::Deregistered)?,
        issuing_system: raw.text(Field::IssuingSystem),
        foreign_trade: raw.text(Field::ForeignTrade),
        accounting_system: raw.text(Field::AccountingSystem),
        authorised_vouchers: raw.list(Field::AuthorisedVouchers).to_vec(),
        electronic_issuing: ElectronicIssuing {
            systems: raw.list(Field::ElectronicSystems).to_vec(),
            since: raw.date(Field::ElectronicSince)?,
            vouchers: raw.list(Field::ElectronicVouchers).to_vec(),
            electronic_books_since: raw.date(Field::ElectronicBooksSince)?,
        },
        padrones: raw.list(Field::Padrones).to_vec(),
    })
}

impl RawRecord {
    fn text(&self, field: Field) -> String {
        self.texts.get(&field).cloned().unwrap_or_default()
    }

    fn list(&self, field: Field) -> &[String] {
        self.lists.get(&field).map_or(&[], Vec::as_slice)
    }

    /// A mandatory text. Providers replace hidden data with asterisks.
    fn said(&self, field: Field) -> Result<&str, UnreadableAnswerError> {
        let text = self.texts.get(&field).map(String::as_str).unwrap_or_default();
        let says_nothing = text.is_empty() || text.contains("***") || text.bytes().all(|byte| byte == b'*');
        if says_nothing { Err(UnreadableAnswerError::Empty(field)) } else { Ok(text) }
    }

    fn date(&self, field: Field) -> Result<Option<Date>, UnreadableAnswerError> {
        match self.texts.get(&field).map(String::as_str) {
            None | Some("") => Ok(None),
            Some(text) => day_of(text).map(Some).map_err(|fault| UnreadableAnswerError::Date { field, fault }),
        }
    }

    /// Empty for natural persons.
    fn address(&self, ruc: Ruc) -> Result<String, UnreadableAnswerError> {
        if ruc.kind() != RucKind::LegalPerson {
            return Ok(String::new());
        }
        let [street, places @ ..] = Field::ADDRESS;
        let given = Field::ADDRESS.into_iter().filter(|field| !self.nulls.contains(field)).count();
        if let (1..4, Some(missing)) = (given, self.nulls.iter().find(|field| Field::ADDRESS.contains(field))) {
            return Err(UnreadableAnswerError::Empty(*missing));
        }
        let text = |field: Field| self.texts.get(&field).map(String::as_str).unwrap_or_default();
        address::full(text(street), places.map(text))
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_with_or_without_a_time() {
        let day = Date::new(1992, 10, 9).unwrap();
        for text in ["1992-10-09", "09/10/1992", "1992-10-09T00:00:00.000Z", "1992-10-09 16:11:53", "09/10/1992 00:00"]
        {
            assert_eq!(day_of(text), Ok(day), "{text}");
        }
        for text in ["1992-10", "9/10/1992", "1992-10-09Tmorning", "1992-13-09", "719971200", "1992-10-09 X"] {
            assert!(day_of(text).is_err(), "{text}");
        }
    }
}
