//! The date in a spreadsheet cell.

use kuraka_domain::Date;

use crate::ruc_cell::without_decimals;
use crate::xlsx_reader::EPOCH_1900;

/// Beginnings of the names of months; September has two.
const MONTHS: [&str; 13] = ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "set", "oct", "nov", "dic", "sep"];

/// The serial numbers of the days from 2000 to 2099.
const SERIALS: std::ops::Range<i32> = 36_526..73_051;

/// With or without a time, such as `2026-09-04 00:00:00`, `4/9/2026`, `04-09-26` or `4 set 2026`.
pub fn date_cell(cell: &str) -> Option<Date> {
    let (date, rest) = dated(cell.trim())?;
    is_time(rest).then_some(date)
}

/// The same, or the serial number of a day since 2000, for a column of dates.
pub(crate) fn date_or_serial(cell: &str) -> Option<Date> {
    let serial = || {
        let days = without_decimals(cell.trim()).parse().ok().filter(|days| SERIALS.contains(days))?;
        Date::from_days_since_epoch(days + EPOCH_1900)
    };
    date_cell(cell).or_else(serial)
}

/// A date with four digits of the year and no other text, not even a time.
pub(crate) fn is_only_date(cell: &str) -> bool {
    let has_year = cell.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() == 4);
    has_year && dated(cell).is_some_and(|(_, rest)| matches!(rest, "" | "00:00:00" | "00:00"))
}

/// The date, and what follows it.
fn dated(cell: &str) -> Option<(Date, &str)> {
    let (mut parts, mut rest) = ([0_u16; 3], cell);
    for (at, part) in parts.iter_mut().enumerate() {
        if at > 0 {
            rest = rest.trim_start_matches(['/', '-', '.', ' ', ',']);
            rest = rest.strip_prefix("de ").or(rest.strip_prefix("del ")).unwrap_or(rest);
        }
        let is_name = at == 1 && rest.starts_with(char::is_alphabetic);
        let end = rest.find(|c: char| if is_name { !c.is_alphabetic() } else { !c.is_ascii_digit() });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        *part = if is_name { month(word)? } else { word.parse().ok()? };
        // Blanks separate the parts only around the name of a month.
        let is_next = at == 2 || is_name || after.starts_with(['/', '-', '.']) || month_follows(after);
        rest = Some(after).filter(|_| is_next)?;
    }
    let [first, month, last] = parts;
    let (year, day) = if first > 31 { (first, last) } else { (last, first) };
    // Points also separate the numbers of sections.
    let is_short = first <= 31 && !cell.contains('.') && cell.strip_suffix(rest).is_some_and(has_two_digits);
    let year = if is_short { 2_000 + year } else { year };
    let rest = rest.strip_prefix('T').unwrap_or(rest.trim_start());
    Some((Date::new((year > 99).then_some(year)?, month.try_into().ok()?, day.try_into().ok()?).ok()?, rest))
}

fn has_two_digits(date: &str) -> bool {
    date.rsplit(|c: char| !c.is_ascii_digit()).next().is_some_and(|year| year.len() == 2)
}

fn month_follows(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix("de ").unwrap_or(text).starts_with(char::is_alphabetic)
}

fn month(name: &str) -> Option<u16> {
    let name = name.to_lowercase();
    let at = MONTHS.iter().position(|month| name.starts_with(month))?;
    (name.len() <= 10).then_some(if at == 12 { 9 } else { at as u16 + 1 })
}

/// Nothing, or a time such as `00:00:00`, `10:30 a. m.` or `10:30:00.000Z`.
fn is_time(text: &str) -> bool {
    text.is_empty()
        || text.contains(':')
            && text.chars().all(|c| {
                c.is_ascii_digit() || matches!(c, ':' | '.' | ' ' | '+' | '-' | '\u{a0}') || "apmzAPMZ".contains(c)
            })
}
