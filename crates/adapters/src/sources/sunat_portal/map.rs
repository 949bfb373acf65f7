//! Labelled values to a record. A value that does not fit its label is an error, never an empty field.

use kuraka_domain::ubigeo::split_department;
use kuraka_domain::{Date, DomicileCondition, ElectronicIssuing, Ruc, TaxpayerDetail, TaxpayerStatus};

use super::error::UnreadablePageError;
use super::label::Label;
use super::parse::RawRecord;
use super::shape::{NONE, check_lines, check_name, check_places, check_withheld_address, electronic_vouchers};
use crate::sources::activity::activities;
use crate::sources::text::{folded, is_placeholder};

const DASH: &str = " - ";
/// The page pads department and province to 131 characters; no other text has such a run of blanks.
const PADDING: usize = 20;
/// A line that some pages add to the trade name.
const NEW_RUS: &str = "Afecto al Nuevo RUS";
/// The page shows all of these values, or none.
const REGISTRATION: [Label; 4] =
    [Label::Registered, Label::IssuingSystem, Label::ForeignTrade, Label::AccountingSystem];
/// Separates a deregistered taxpayer's status from the day.
const DAY_OF_DEREGISTRATION: &str = "Fecha de Baja";

pub(super) fn map(raw: &RawRecord, asked: Ruc) -> Result<TaxpayerDetail, UnreadablePageError> {
    let (ruc, name) = ruc_and_name(raw)?;
    if ruc != asked {
        return Err(UnreadablePageError::OtherRuc);
    }
    check_name(&name, ruc)?;
    let full_address = if ruc.is_personal() { withheld_address(raw)? } else { address(raw)? };
    check_places(|label| {
        lines(raw, label).first().map(|line| line.split_once(NEW_RUS).map_or(line.as_str(), |(before, _)| before))
    })?;
    check_registration(raw)?;
    let (status, deregistered) = status(raw)?;
    Ok(TaxpayerDetail {
        ruc,
        name,
        status,
        condition: condition(raw)?,
        full_address,
        taxpayer_type: filled(text(raw, Label::TaxpayerType)?, Label::TaxpayerType)?,
        registered: date(raw, Label::Registered)?,
        activities: activities(&list(raw, Label::Activities)?, true)?,
        trade_name: trade_name(raw)?,
        activities_started: date(raw, Label::ActivitiesStarted)?,
        deregistered,
        issuing_system: unless_none(text(raw, Label::IssuingSystem)?),
        foreign_trade: unless_none(text(raw, Label::ForeignTrade)?),
        accounting_system: unless_none(text(raw, Label::AccountingSystem)?),
        authorised_vouchers: list(raw, Label::AuthorisedVouchers)?,
        electronic_issuing: ElectronicIssuing {
            systems: list(raw, Label::ElectronicSystems)?,
            since: date(raw, Label::ElectronicSince)?,
            vouchers: electronic_vouchers(&unless_none(text(raw, Label::ElectronicVouchers)?))?,
            electronic_books_since: date(raw, Label::BooksSince)?,
        },
        padrones: list(raw, Label::Padrones)?,
    })
}

/// None if an optional row is absent.
fn lines(raw: &RawRecord, label: Label) -> &[String] {
    raw.value(label).unwrap_or_default()
}

/// A row of one line, folded; empty for a placeholder. A row without even that has lost its value.
fn text(raw: &RawRecord, label: Label) -> Result<String, UnreadablePageError> {
    match lines(raw, label) {
        [] => Ok(String::new()),
        [line] if line.trim().is_empty() => Err(UnreadablePageError::Blank(label)),
        [line] if is_placeholder(line) => Ok(String::new()),
        [line] => Ok(folded(line)),
        _ => Err(UnreadablePageError::Value(label)),
    }
}

/// The word for an empty list may also stand for an empty text.
fn unless_none(text: String) -> String {
    if text == NONE { String::new() } else { text }
}

/// An empty value of a registration next to others is damage.
fn check_registration(raw: &RawRecord) -> Result<(), UnreadablePageError> {
    let (mut is_filled, mut empty) = (false, None);
    for label in REGISTRATION.into_iter().filter(|label| raw.value(*label).is_some()) {
        if unless_none(text(raw, label)?).is_empty() {
            empty = empty.or(Some(label));
        } else {
            is_filled = true;
        }
    }
    empty.filter(|_| is_filled).map_or(Ok(()), |label| Err(UnreadablePageError::Blank(label)))
}

fn first_line(raw: &RawRecord, label: Label) -> String {
    lines(raw, label).first().map(|line| folded(line)).unwrap_or_default()
}

fn filled(text: String, label: Label) -> Result<String, UnreadablePageError> {
    if is_placeholder(&text) { Err(UnreadablePageError::Blank(label)) } else { Ok(text) }
}

/// Vocabulary is in capitals; any other text is a remark without its line break.
fn capitals(text: String, label: Label) -> Result<String, UnreadablePageError> {
    if text.chars().any(char::is_lowercase) { Err(UnreadablePageError::Value(label)) } else { filled(text, label) }
}

/// `None` for a placeholder.
fn date(raw: &RawRecord, label: Label) -> Result<Option<Date>, UnreadablePageError> {
    let text = text(raw, label)?;
    if text.is_empty() { Ok(None) } else { parse_date(&text, label).map(Some) }
}

fn parse_date(text: &str, label: Label) -> Result<Date, UnreadablePageError> {
    Date::parse_dmy(text).map_err(|cause| UnreadablePageError::Date { label, cause })
}

/// `20440374248 - GOBIERNO REGIONAL LA LIBERTAD`; a name may hold more dashes.
fn ruc_and_name(raw: &RawRecord) -> Result<(Ruc, String), UnreadablePageError> {
    let text = text(raw, Label::Ruc)?;
    let (ruc, name) = text.split_once(DASH).ok_or(UnreadablePageError::Value(Label::Ruc))?;
    Ok((Ruc::parse(ruc).map_err(UnreadablePageError::NoRuc)?, filled(name.to_owned(), Label::Ruc)?))
}

/// The day of deregistration may follow on a separate line.
fn status(raw: &RawRecord) -> Result<(TaxpayerStatus, Option<Date>), UnreadablePageError> {
    let whole = folded(&lines(raw, Label::Status).join(" "));
    let (status, day) = match whole.split_once(DAY_OF_DEREGISTRATION) {
        Some((status, day)) => {
            let day = parse_date(day.trim_start_matches([':', ' ']), Label::Deregistered)?;
            (status.trim_end().to_owned(), Some(day))
        }
        None => (whole, None),
    };
    Ok((TaxpayerStatus::from_text(&capitals(status, Label::Status)?), day))
}

/// A remark may follow on a separate line. As in the padrón, `-` alone is the empty condition.
fn condition(raw: &RawRecord) -> Result<DomicileCondition, UnreadablePageError> {
    let label = Label::Condition;
    let is_dash = matches!(lines(raw, label), [line] if line.contains('-') && is_placeholder(line));
    let text = if is_dash { String::new() } else { capitals(first_line(raw, label), label)? };
    Ok(DomicileCondition::from_text(&text))
}

/// A remark may follow on a separate line.
fn trade_name(raw: &RawRecord) -> Result<String, UnreadablePageError> {
    let label = Label::TradeName;
    let whole = lines(raw, label).join("\n");
    let name = whole.split_once(NEW_RUS).map_or(whole.as_str(), |(name, _)| name).trim();
    if name.is_empty() {
        return Err(UnreadablePageError::Blank(label));
    }
    // The rest of the remark without its label.
    if name.lines().skip(1).any(|line| matches!(line.trim(), "SI" | "NO")) {
        return Err(UnreadablePageError::Line(label));
    }
    Ok(if is_placeholder(name) { String::new() } else { folded(name) })
}

/// The page withholds a person's address; if printed, it is not kept.
fn withheld_address(raw: &RawRecord) -> Result<String, UnreadablePageError> {
    let label = Label::Address;
    match lines(raw, label) {
        [line] if line.trim().is_empty() => Err(UnreadablePageError::Blank(label)),
        [line] => check_withheld_address(line).map(|()| String::new()),
        _ => Err(UnreadablePageError::Value(label)),
    }
}

/// `ADDRESS DEPARTMENT<padding>- PROVINCE<padding>- DISTRICT`, reordered from street to department.
fn address(raw: &RawRecord) -> Result<String, UnreadablePageError> {
    let [line] = lines(raw, Label::Address) else { return Err(UnreadablePageError::Value(Label::Address)) };
    if line.trim().is_empty() {
        return Err(UnreadablePageError::Blank(Label::Address));
    }
    if is_placeholder(line) {
        return Ok(String::new());
    }
    let (line, district) = split_last(line).ok_or(UnreadablePageError::Address)?;
    let (line, province) = split_last(line).ok_or(UnreadablePageError::Address)?;
    let line = folded(line);
    let (street, department) = split_department(&line).ok_or(UnreadablePageError::Address)?;
    let (province, district) = (folded(province), folded(district));
    if is_placeholder(&province) || is_placeholder(&district) {
        return Err(UnreadablePageError::Address);
    }
    // Callao's province is printed like its department: `PROV. CONST. DEL CALLAO`.
    let province = match split_department(&province) {
        Some(("", name)) => name,
        _ => &province,
    };
    let parts = [street, &district, province, department];
    Ok(parts.into_iter().filter(|part| !is_placeholder(part)).collect::<Vec<_>>().join(DASH))
}

/// Splits at the last dash after padding, or without padding at the last dash between blanks.
fn split_last(line: &str) -> Option<(&str, &str)> {
    let padded = line.rmatch_indices("- ").find_map(|(at, dash)| {
        let (before, after) = (line.get(..at)?, line.get(at + dash.len()..)?);
        (before.len() - before.trim_end_matches(' ').len() >= PADDING).then_some((before, after))
    });
    padded.or_else(|| line.rsplit_once(DASH))
}

fn list(raw: &RawRecord, label: Label) -> Result<Vec<String>, UnreadablePageError> {
    let entries = lines(raw, label);
    check_lines(label, entries)?;
    Ok(entries.iter().filter(|entry| !is_placeholder(entry) && *entry != NONE).cloned().collect())
}
