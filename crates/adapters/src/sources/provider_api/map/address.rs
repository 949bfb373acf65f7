//! Builds a full address in the official page's form. Providers may add district, province and department to the
//! street, in either order, and write the department as `CALLAO` or `PROV. CONST. DEL CALLAO`.

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
    let plain: String = department.to_uppercase().chars().map(without_accent).collect();
    match split_department(&plain) {
        Some(("", name)) => Ok(name),
        Some(_) | None => Err(UnreadableAnswerError::Department),
    }
}

const fn without_accent(c: char) -> char {
    match c {
        'Á' => 'A',
        'É' => 'E',
        'Í' => 'I',
        'Ó' => 'O',
        'Ú' => 'U',
        other => other,
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

#[cfg(test)]
mod tests {
    use super::*;

    const SAN_BORJA: [&str; 3] = ["SAN BORJA", "LIMA", "LIMA"];

    #[test]
    fn parts_are_joined_from_the_street_to_the_department() {
        assert_eq!(full("AV. LIMA 1", SAN_BORJA).unwrap(), "AV. LIMA 1 - SAN BORJA - LIMA - LIMA");
        assert_eq!(full("", SAN_BORJA).unwrap(), "SAN BORJA - LIMA - LIMA");
        assert_eq!(full("", ["", "", ""]).unwrap(), "");
    }

    #[test]
    fn places_after_the_street_are_not_repeated() {
        let once = "AV. LIMA 1 - SAN BORJA - LIMA - LIMA";
        for street in ["AV. LIMA 1 - LIMA LIMA SAN BORJA", "AV. LIMA 1, LIMA - LIMA - SAN BORJA", once] {
            assert_eq!(full(street, SAN_BORJA).unwrap(), once, "{street}");
        }
    }

    #[test]
    fn a_street_named_after_a_place_keeps_its_name() {
        let cercado = ["LIMA", "LIMA", "LIMA"];
        assert_eq!(full("JR. LIMA", cercado).unwrap(), "JR. LIMA - LIMA - LIMA - LIMA");
        assert_eq!(full("JR. COLLIMA LIMA LIMA", cercado).unwrap(), "JR. COLLIMA LIMA LIMA - LIMA - LIMA - LIMA");
    }

    #[test]
    fn a_department_has_one_name() {
        let callao = ["BELLAVISTA", "CALLAO"];
        for spelling in ["CALLAO", "PROV. CONST. DEL CALLAO", "Callao"] {
            let full = full("AV. X", [callao[0], callao[1], spelling]).unwrap();
            assert_eq!(full, "AV. X - BELLAVISTA - CALLAO - CALLAO");
        }
        assert!(full("AV. X", ["HUANCAYO", "HUANCAYO", "JUNÍN"]).unwrap().ends_with(" - JUNIN"));
        assert!(matches!(full("AV. X", ["A", "B", "SANTIAGO"]), Err(UnreadableAnswerError::Department)));
        assert!(matches!(full("AV. X", ["A", "B", "AV. LIMA"]), Err(UnreadableAnswerError::Department)));
    }
}
