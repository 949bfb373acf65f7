//! Detects damage: lines of a list in the wrong form, values under the wrong label or joined. Unknown words pass: only
//! the form is known, and in which list a known word belongs.

use kuraka_domain::{Date, Ruc};

use super::error::UnreadablePageError;
use super::label::{Label, letters};
use super::words::{are_run_together, is_word};
use crate::sources::activity::is_activity;
use crate::sources::text::{folded, is_placeholder};

/// The entry of an empty list.
pub(super) const NONE: &str = "NINGUNO";
/// The start of the banner, which repeats the status.
const BANNER: &str = "IMPORTANTE:";
/// The value of the row that every page has in a comment.
const SAMPLE: &str = "eeee";
/// Before the day of a system of electronic issuing.
const SINCE: &str = "DESDE";
/// Before the day of an official list.
const FROM: &str = "a partir del";
const ON_A_LIST: [&str; 4] = [FROM, "Régimen", "Incorporado a", "Excluido de"];
/// Rows of one text.
const TEXTS: [Label; 8] = [
    Label::TaxpayerType,
    Label::Document,
    Label::TradeName,
    Label::Status,
    Label::Condition,
    Label::IssuingSystem,
    Label::ForeignTrade,
    Label::AccountingSystem,
];
/// No other text has such blanks inside.
const PADDING: &str = "                    ";
/// Before the day of an electronic voucher, lower case.
const VOUCHER_SINCE: &str = "(desde ";
/// Letters in each equal half of a doubled trade name: CHINCHIN is a name.
const HALF: usize = 8;

/// Checks the folded lines of a list, which may be empty.
pub(super) fn check_lines(label: Label, lines: &[String]) -> Result<(), UnreadablePageError> {
    let unexpected = UnreadablePageError::Line(label);
    if let [line] = lines
        && (line == NONE || is_placeholder(line))
    {
        return Ok(());
    }
    let fits = |line: &String| {
        let is_own = if label == Label::AuthorisedVouchers {
            dates(line).is_empty() && !is_activity(line) && !is_on_a_list(line) && !are_run_together(line)
        } else if label == Label::ElectronicSystems {
            is_system(line)
        } else {
            // The activities are checked with their numbers.
            label != Label::Padrones || is_register(line)
        };
        let is_others = TEXTS.iter().any(|other| is_word(*other, line)) || line.starts_with(BANNER) || line == SAMPLE;
        is_own && !is_others && line != NONE && !is_placeholder(line)
    };
    if lines.iter().all(fits) { Ok(()) } else { Err(unexpected) }
}

/// Splits `FACTURA (desde 23/03/2015),BOLETA (desde 25/10/2018)`. A name may hold commas and brackets.
pub(super) fn electronic_vouchers(text: &str) -> Result<Vec<String>, UnreadablePageError> {
    let (mut vouchers, mut voucher) = (Vec::new(), String::new());
    for part in text.split(',') {
        if !voucher.is_empty() {
            voucher.push(',');
        }
        voucher.push_str(part);
        if is_placeholder(&voucher) {
            voucher.clear();
        } else if is_electronic_voucher(voucher.trim()) {
            vouchers.push(folded(&std::mem::take(&mut voucher)));
        }
    }
    if voucher.is_empty() { Ok(vouchers) } else { Err(UnreadablePageError::Line(Label::ElectronicVouchers)) }
}

fn is_electronic_voucher(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some((name, day)) = lower.rsplit_once(VOUCHER_SINCE) else { return false };
    let is_day = day.strip_suffix(')').is_some_and(|day| Date::parse_dmy(day).is_ok());
    is_day && !is_placeholder(name) && !name.contains(VOUCHER_SINCE)
}

fn has_electronic_voucher(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    dates(&lower).iter().any(|at| lower.get(..*at).is_some_and(|before| before.ends_with(VOUCHER_SINCE)))
}

/// A line like `SEE-FACTURADOR . AUTORIZ DESDE 10/01/2017`, with any number of days, not of another list, and with
/// nothing joined to a day.
fn is_system(line: &str) -> bool {
    is_single_line(line) && !is_on_a_list(line)
}

fn has_since(text: &str) -> bool {
    dates(text).iter().any(|at| text.get(..*at).is_some_and(|before| before.trim_end().ends_with(SINCE)))
}

/// `Incorporado al Régimen … a partir del 01/06/2003`: no line of another list.
fn is_register(line: &str) -> bool {
    is_single_line(line)
        && !has_since(line)
        && !ON_A_LIST.iter().any(|words| line.match_indices(words).any(|(at, _)| is_glued(line, at)))
}

/// Whether a text is one line about systems or registers, with nothing joined to a day.
fn is_single_line(line: &str) -> bool {
    !is_word(Label::AuthorisedVouchers, line)
        && !are_run_together(line)
        && !is_activity(line)
        && !has_electronic_voucher(line)
        && dates(line).iter().all(|at| is_apart(line, *at))
}

fn is_on_a_list(line: &str) -> bool {
    ON_A_LIST.iter().any(|words| line.contains(words))
}

/// Whether a letter or digit is right before this place.
fn is_glued(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric))
}

fn dates(text: &str) -> Vec<usize> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.filter(|at| text.get(*at..at + DAY).is_some_and(|day| Date::parse_dmy(day).is_ok())).collect()
}

/// In bytes: `10/01/2017`.
const DAY: usize = 10;

fn is_apart(text: &str, at: usize) -> bool {
    !text.get(at + DAY..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// Checks that no value is under another label, as far as form and words show. `value` returns a row's source text.
pub(super) fn check_places<'a>(value: impl Fn(Label) -> Option<&'a str>) -> Result<(), UnreadablePageError> {
    for label in TEXTS {
        let Some(source) = value(label) else { continue };
        let text = folded(source);
        if is_foreign(label, source) {
            return Err(UnreadablePageError::Line(label));
        }
        if label != Label::TradeName && is_word(Label::AuthorisedVouchers, &text) {
            return Err(UnreadablePageError::Exchanged { label, other: Label::AuthorisedVouchers });
        }
        for other in TEXTS {
            let is_others = other != label && is_word(other, &text) && !is_word(label, &text);
            // Any word may be a trade name, unless the row of that word lacks one.
            let is_free = label == Label::TradeName
                && (other == Label::TaxpayerType || value(other).is_none_or(|text| is_word(other, &folded(text))));
            if is_others && !is_free {
                return Err(UnreadablePageError::Exchanged { label, other });
            }
        }
    }
    Ok(())
}

/// Whether a text has another row's form.
fn is_foreign(label: Label, source: &str) -> bool {
    let text = folded(source);
    if label == Label::TradeName {
        // A business may have any name, but a person's document must not be returned.
        return is_activity(&text) || text.starts_with(BANNER) || text == SAMPLE || is_document(&text);
    }
    let may_be_none = matches!(label, Label::IssuingSystem | Label::ForeignTrade | Label::AccountingSystem);
    if text == NONE && !may_be_none {
        return true;
    }
    // The day of deregistration may follow the status.
    let is_day = label != Label::Status && !dates(&text).is_empty();
    label != Label::Document && (is_day || has_foreign_form(source, &text))
}

fn is_document(text: &str) -> bool {
    let number = text.strip_prefix("DNI ").map(str::trim_start).unwrap_or_default();
    number.get(..8).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text looks like another row's value, or none's.
fn has_foreign_form(source: &str, text: &str) -> bool {
    is_padded(source)
        || is_activity(text)
        || is_on_a_list(text)
        || has_since(text)
        || has_electronic_voucher(text)
        || text.starts_with(BANNER)
        || text == SAMPLE
}

/// Checks an address that is not kept: it must not be another row's value.
pub(super) fn check_withheld_address(line: &str) -> Result<(), UnreadablePageError> {
    let text = folded(line);
    let is_word = || TEXTS.into_iter().chain([Label::AuthorisedVouchers]).any(|other| is_word(other, &text));
    // Addresses are padded, and streets are named after days.
    let is_day = Date::parse_dmy(&text).is_ok();
    if is_day || is_word() || has_foreign_form("", &text) {
        return Err(UnreadablePageError::Line(Label::Address));
    }
    Ok(())
}

/// Whether a text is padded inside, as only addresses and one list's lines are.
pub(super) fn is_padded(source: &str) -> bool {
    source.trim().contains(PADDING)
}

/// Checks that the name does not repeat the number: then two rows are one.
pub(super) fn check_name(name: &str, ruc: Ruc) -> Result<(), UnreadablePageError> {
    if name.contains(&ruc.to_string()) { Err(UnreadablePageError::Line(Label::Ruc)) } else { Ok(()) }
}

pub(super) fn is_doubled(label: Label, source: &str) -> bool {
    let Some((first, second)) = source.split_at_checked(source.len() / 2) else { return false };
    let half = letters(first).chars().count();
    let is_long = half >= HALF || label != Label::TradeName || first.trim() != first;
    first == second && half > 0 && is_long
}
