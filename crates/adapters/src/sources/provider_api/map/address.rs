//! Builds a full address in the official page's form. Providers may add district, province and department to the
//! street, in either order, and write the department as `CALLAO` or `PROV. CONST. DEL CALLAO`.

use kuraka_domain::text::without_accents;
use kuraka_domain::ubigeo::split_department;

use crate::sources::provider_api::error::UnreadableAnswerError;

/// The non-empty parts, joined by ` - `.
pub(super) fn full(
    address: &str,
    [district, province, department]: [&str; 3],
) -> Result<String, UnreadableAnswerError> {
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
