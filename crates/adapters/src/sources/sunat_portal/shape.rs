//! The form of a list's lines, and values under the wrong label, or joined to another value: they show that the page is
//! damaged.
//!
//! Unknown words pass: only the form is known, and in which list a known word belongs.

use kuraka_domain::{ActivityRank, Date, Ruc};

use super::error::UnreadablePageError;
use super::label::{Label, letters};
use super::words::{are_run_together, is_word};
use crate::sources::text::{folded, is_placeholder};

/// The only entry of an empty list.
pub(super) const NONE: &str = "NINGUNO";
/// The beginning of the banner, which repeats the status.
const BANNER: &str = "IMPORTANTE:";
/// The value of a row that every page holds in a comment.
const SAMPLE: &str = "eeee";
/// Before the day in a line about a system of electronic issuing.
const SINCE: &str = "DESDE";
/// Before the day in a line about such a list.
const FROM: &str = "a partir del";
/// The words of the lists that a taxpayer is on.
const ON_A_LIST: [&str; 4] = [FROM, "Régimen", "Incorporado a", "Excluido de"];
/// Rows of one text with words of their own, or any words.
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
/// Blanks that no other text has inside.
const PADDING: &str = "                    ";
/// Before the day of an electronic voucher, in lower case.
const VOUCHER_SINCE: &str = "(desde ";
/// A trade name with equal halves counts as doubled from this number of letters in a half. CHINCHIN is a name.
const HALF: usize = 8;

/// Checks the folded lines of a list. An empty list has no line, or one that says so.
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

/// Whether a text is one electronic voucher: a name and a day.
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

/// The place of an activity: the principal one is first, then `Secundaria 1`, `Secundaria 2`, … without a gap. An entry
/// without a rank has the rank of its place.
pub(super) fn rank(word: Option<&str>, place: usize) -> Result<ActivityRank, UnreadablePageError> {
    let expected = if place == 0 { ActivityRank::Principal } else { ActivityRank::Secondary };
    let fits = match word {
        None => true,
        Some("principal") => place == 0,
        Some(word) => word
            .strip_prefix("secundaria")
            .is_some_and(|number| place > 0 && (number.is_empty() || number.parse() == Ok(place))),
    };
    if fits { Ok(expected) } else { Err(UnreadablePageError::Numbering) }
}

/// Whether a text holds the start of an activity: `Principal - 8411`, `Secundaria 1 - 5320`.
pub(super) fn is_activity(text: &str) -> bool {
    ["Principal", "Secundaria"].into_iter().any(|rank| {
        text.match_indices(rank).any(|(at, rank)| {
            let rest = text.get(at + rank.len()..).unwrap_or_default();
            let rest = rest.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
            rest.strip_prefix("- ").is_some_and(|code| code.starts_with(|c: char| c.is_ascii_digit()))
        })
    })
}

/// A line like `SEE-FACTURADOR . AUTORIZ DESDE 10/01/2017`, also without a day or with several, that is not of another
/// list and has nothing glued to a day.
fn is_system(line: &str) -> bool {
    is_single_line(line) && !is_on_a_list(line)
}

/// Whether a text says since when a system is used.
fn has_since(text: &str) -> bool {
    dates(text).iter().any(|at| text.get(..*at).is_some_and(|before| before.trim_end().ends_with(SINCE)))
}

/// `Incorporado al Régimen … a partir del 01/06/2003`: not a line of another list.
fn is_register(line: &str) -> bool {
    is_single_line(line)
        && !has_since(line)
        && !ON_A_LIST.iter().any(|words| line.match_indices(words).any(|(at, _)| is_glued(line, at)))
}

/// Whether a text is one line about systems or registers: no voucher, no activity, and nothing glued to a day.
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

/// Whether a letter or a digit is right before this place.
fn is_glued(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(char::is_alphanumeric))
}

/// The positions of days in a text.
fn dates(text: &str) -> Vec<usize> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.filter(|at| text.get(*at..at + DAY).is_some_and(|day| Date::parse_dmy(day).is_ok())).collect()
}

/// Bytes of a day: `10/01/2017`.
const DAY: usize = 10;

/// Whether the day at this place ends there.
fn is_apart(text: &str, at: usize) -> bool {
    !text.get(at + DAY..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// Checks that no value is under another label, as far as form and words show. `value` gives a row's text as in the
/// source.
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
            // Any word may be a trade name, also a type of taxpayer, unless the row of that word lacks one.
            let is_free = label == Label::TradeName
                && (other == Label::TaxpayerType || value(other).is_none_or(|text| is_word(other, &folded(text))));
            if is_others && !is_free {
                return Err(UnreadablePageError::Exchanged { label, other });
            }
        }
    }
    Ok(())
}

/// Whether a text has the form of other rows, and so cannot be the value of this one.
fn is_foreign(label: Label, source: &str) -> bool {
    let text = folded(source);
    if label == Label::TradeName {
        // A business may have any name, but a person's document must not be answered.
        return is_activity(&text) || text.starts_with(BANNER) || text == SAMPLE || is_document(&text);
    }
    let may_be_none = matches!(label, Label::IssuingSystem | Label::ForeignTrade | Label::AccountingSystem);
    if text == NONE && !may_be_none {
        return true;
    }
    // A document is not kept. The day of deregistration may follow the status.
    let is_day = label != Label::Status && !dates(&text).is_empty();
    label != Label::Document && (is_day || has_foreign_form(source, &text))
}

/// `DNI 12345678 - …`.
fn is_document(text: &str) -> bool {
    let number = text.strip_prefix("DNI ").map(str::trim_start).unwrap_or_default();
    number.get(..8).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a text looks like the value of another row, or of none.
fn has_foreign_form(source: &str, text: &str) -> bool {
    is_padded(source)
        || is_activity(text)
        || is_on_a_list(text)
        || has_since(text)
        || has_electronic_voucher(text)
        || text.starts_with(BANNER)
        || text == SAMPLE
}

/// Checks an address that is not kept: it has any form, but is no value of another row.
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

/// Whether a text is padded inside, as only addresses and the lines of one list are.
pub(super) fn is_padded(source: &str) -> bool {
    source.trim().contains(PADDING)
}

/// Checks that the name does not hold the number again: then two rows are one.
pub(super) fn check_name(name: &str, ruc: Ruc) -> Result<(), UnreadablePageError> {
    if name.contains(&ruc.to_string()) { Err(UnreadablePageError::Line(Label::Ruc)) } else { Ok(()) }
}

/// Whether a text, as in the source, is the same text twice.
pub(super) fn is_doubled(label: Label, source: &str) -> bool {
    let Some((first, second)) = source.split_at_checked(source.len() / 2) else { return false };
    let half = letters(first).chars().count();
    let is_long = half >= HALF || label != Label::TradeName || first.trim() != first;
    first == second && half > 0 && is_long
}
