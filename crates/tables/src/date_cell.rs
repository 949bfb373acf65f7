//! The date in a spreadsheet cell.

use kuraka_domain::Date;

/// With or without a time, such as `2026-09-04 00:00:00` or `4/9/2026`.
#[must_use]
pub fn date_cell(cell: &str) -> Option<Date> {
    let day = cell.trim().split([' ', 'T']).next()?;
    let mut parts = day.split(['/', '-', '.']).map(|part| part.parse::<u16>().ok());
    let (first, month, last) = (parts.next()??, parts.next()??, parts.next()??);
    let (year, day) = if first > 31 { (first, last) } else { (last, first) };
    Date::new((year > 99).then_some(year)?, month.try_into().ok()?, day.try_into().ok()?).ok()
}
