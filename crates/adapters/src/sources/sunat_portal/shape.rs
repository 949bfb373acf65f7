//! The form of a list's lines, and values that stand at another label or run together. What has the form of something
//! else shows that the page is damaged.
//!
//! An unknown word passes through: only the form is known, and in which list a known word belongs.

use kuraka_domain::{ActivityRank, Date, Ruc};

use super::error::PageError;
use super::label::{Label, letters};
use super::words::{are_run_together, is_word};
use crate::sources::text::{folded, is_placeholder};

/// The only entry of an empty list.
pub(super) const NONE: &str = "NINGUNO";
/// How the banner begins, which repeats the status.
const BANNER: &str = "IMPORTANTE:";
/// The value of a row that every page holds in a comment.
const SAMPLE: &str = "eeee";
/// Comes before the day in a line about a system of electronic issuing.
const SINCE: &str = "DESDE";
/// Comes before the day in a line about such a list.
const FROM: &str = "a partir del";
/// The words of the lists that a taxpayer is on.
const ON_A_LIST: [&str; 4] = [FROM, "Régimen", "Incorporado a", "Excluido de"];
/// Rows of one text that have words of their own, or any words.
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
/// Letters of a trade name that may be said twice, as in a name like CHINCHIN.
const SAID_TWICE: usize = 8;

/// Checks the lines of a list, which are folded. An empty list has no line, or one that says so.
pub(super) fn check_lines(label: Label, lines: &[String]) -> Result<(), PageError> {
    let unexpected = PageError::Line { label };
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

/// Checks an electronic voucher: `FACTURA (desde 23/03/2015)`.
pub(super) fn check_electronic_voucher(line: &str) -> Result<(), PageError> {
    let fits = line.split_once("(desde ").is_some_and(|(name, since)| {
        let day = since.strip_suffix(')').unwrap_or_default();
        !is_placeholder(name) && !name.contains(['(', ')']) && Date::parse_dmy(day).is_ok()
    });
    if fits { Ok(()) } else { Err(PageError::Line { label: Label::ElectronicVouchers }) }
}

/// The place of an activity among the others: the principal one is first, then `Secundaria 1`, `Secundaria 2`, … without
/// a gap. An entry without a rank has the one of its place.
pub(super) fn rank(word: Option<&str>, place: usize) -> Result<ActivityRank, PageError> {
    let expected = if place == 0 { ActivityRank::Principal } else { ActivityRank::Secondary };
    let fits = match word {
        None => true,
        Some("principal") => place == 0,
        Some(word) => word
            .strip_prefix("secundaria")
            .is_some_and(|number| place > 0 && (number.is_empty() || number.parse() == Ok(place))),
    };
    if fits { Ok(expected) } else { Err(PageError::Numbering) }
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

/// `SEE-FACTURADOR . AUTORIZ DESDE 10/01/2017`: one day, after the word for it.
fn is_system(line: &str) -> bool {
    let is_since = |at: &usize| line.get(..*at).is_some_and(|before| before.trim_end().ends_with(SINCE));
    let dates = dates(line);
    dates.iter().filter(|at| is_since(at)).count() == 1
        && dates.iter().all(|at| is_apart(line, *at))
        && !is_activity(line)
}

/// `Incorporado al Régimen … a partir del 01/06/2003`: not a line of another list.
fn is_register(line: &str) -> bool {
    let dates = dates(line);
    let is_since = |at: &usize| line.get(..*at).is_some_and(|before| before.trim_end().ends_with(SINCE));
    let is_voucher = is_word(Label::AuthorisedVouchers, line) || are_run_together(line);
    !is_voucher
        && !is_activity(line)
        && !dates.iter().any(is_since)
        && dates.iter().all(|at| is_apart(line, *at))
        && line.matches(FROM).count() <= 1
        && !ON_A_LIST.iter().any(|words| line.match_indices(words).any(|(at, _)| is_glued(line, at)))
}

fn is_on_a_list(line: &str) -> bool {
    ON_A_LIST.iter().any(|words| line.contains(words))
}

/// Whether a text runs on at this place without a blank.
fn is_glued(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(|c: char| !c.is_whitespace()))
}

/// Where days stand in a text.
fn dates(text: &str) -> Vec<usize> {
    let starts = text.char_indices().map(|(at, _)| at);
    starts.filter(|at| text.get(*at..at + DAY).is_some_and(|day| Date::parse_dmy(day).is_ok())).collect()
}

/// Bytes of a day: `10/01/2017`.
const DAY: usize = 10;

/// Whether nothing runs on after the day at this place.
fn is_apart(text: &str, at: usize) -> bool {
    !text.get(at + DAY..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

/// Checks that no value stands at another label, as far as form and words tell. `value` gives a row's text as it stands
/// in the source.
pub(super) fn check_places<'a>(value: impl Fn(Label) -> Option<&'a str>) -> Result<(), PageError> {
    for label in TEXTS {
        let Some(source) = value(label) else { continue };
        let text = folded(source);
        // Some people have called their business so.
        let is_none = text == NONE && label != Label::TradeName;
        if is_none || (label != Label::Document && has_foreign_form(source, label)) {
            return Err(PageError::Line { label });
        }
        if label != Label::TradeName && is_word(Label::AuthorisedVouchers, &text) {
            return Err(PageError::Exchanged { label, other: Label::AuthorisedVouchers });
        }
        for other in TEXTS {
            let is_others = other != label && is_word(other, &text) && !is_word(label, &text);
            // Any word may be a trade name, unless the row of that word lacks one.
            let is_free = label == Label::TradeName && value(other).is_none_or(|text| is_word(other, text.trim()));
            if is_others && !is_free {
                return Err(PageError::Exchanged { label, other });
            }
        }
    }
    Ok(())
}

/// Whether a text has the form of what stands in other rows, or in none.
fn has_foreign_form(source: &str, label: Label) -> bool {
    let text = folded(source);
    // A business may have a day in its name, but is not called by a day alone.
    let days = dates(&text);
    let has_day = if label == Label::TradeName {
        days == [0] && text.len() == DAY
    } else {
        label != Label::Status && !days.is_empty()
    };
    has_day
        || is_padded(source)
        || is_activity(&text)
        || is_on_a_list(&text)
        || is_system(&text)
        || check_electronic_voucher(text.split(',').next().unwrap_or_default()).is_ok()
        || text.starts_with(BANNER)
        || text == SAMPLE
}

/// Whether a text is padded inside, as only addresses and the lines of one list are.
pub(super) fn is_padded(source: &str) -> bool {
    source.trim().contains(PADDING)
}

/// Checks that a word of a list has not changed places with the trade name: the word is the trade name, and a line is
/// unknown to its list.
pub(super) fn check_exchange(trade_name: &str, vouchers: &[String], padrones: &[String]) -> Result<(), PageError> {
    let is_listed = trade_name == NONE || is_word(Label::AuthorisedVouchers, trade_name);
    let is_unknown_voucher = |line: &String| !is_word(Label::AuthorisedVouchers, line);
    if is_listed && (vouchers.iter().any(is_unknown_voucher) || !padrones.iter().all(|line| is_on_a_list(line))) {
        return Err(PageError::Line { label: Label::TradeName });
    }
    Ok(())
}

/// Checks that a name does not hold the number again, and a trade name no document: then two rows are one.
pub(super) fn check_name(label: Label, name: &str, ruc: Ruc) -> Result<(), PageError> {
    let document = name.strip_prefix("DNI ").map(str::trim_start).unwrap_or_default();
    let is_document = document.get(..8).is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    if name.contains(&ruc.to_string()) || is_document { Err(PageError::Line { label }) } else { Ok(()) }
}

/// Whether a text as it stands in the source is the same text twice.
pub(super) fn is_doubled(label: Label, source: &str) -> bool {
    let Some((first, second)) = source.split_at_checked(source.len() / 2) else { return false };
    let said = letters(first).chars().count();
    let is_long = said >= SAID_TWICE || label != Label::TradeName || first.trim() != first;
    first == second && said > 0 && is_long
}
