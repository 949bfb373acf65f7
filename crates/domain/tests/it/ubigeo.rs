//! Ubigeo: the table and its source, unusual entries, missing codes, departments at the end of a text.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use kuraka_domain::ubigeo::{DEPARTMENTS, split_department};
use kuraka_domain::{Ubigeo, UbigeoError};
use proptest::prelude::*;

const SOURCE: &str = include_str!("../../data/ubigeo_inei.csv");

fn ubigeo(code: &str) -> Ubigeo {
    Ubigeo::parse(code).expect(code)
}

/// The source's rows: code, department, province, district.
fn rows() -> Vec<[&'static str; 4]> {
    SOURCE.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>().try_into().expect(line)).collect()
}

#[test]
fn every_row_of_the_source_has_its_names() {
    let rows = rows();
    for [code, department, province, district] in &rows {
        let place = ubigeo(code);
        assert_eq!(place.department(), *department, "{code}");
        assert_eq!(place.province(), Some(*province), "{code}");
        assert_eq!(place.district(), Some(*district), "{code}");
        assert_eq!(place.to_string(), *code);
        assert_eq!(format!("{place:?}"), format!("Ubigeo({code})"));
    }
    let known: Vec<String> = Ubigeo::known().map(|place| place.to_string()).collect();
    let codes: Vec<&str> = rows.iter().map(|[code, ..]| *code).collect();
    assert_eq!(known, codes);
}

#[test]
fn the_source_is_sorted_complete_and_consistent() {
    let rows = rows();
    assert!(rows.is_sorted_by(|[a, ..], [b, ..]| a < b));
    assert_eq!(rows.len(), 1892);
    assert_eq!(rows.iter().map(|[code, ..]| &code[..4]).collect::<HashSet<_>>().len(), 196);
    let departments: BTreeMap<&str, &str> = rows.iter().map(|[code, name, ..]| (&code[..2], *name)).collect();
    assert_eq!(departments.values().copied().collect::<Vec<_>>(), DEPARTMENTS);
    let provinces: BTreeSet<(&str, &str)> = rows.iter().map(|[code, _, name, _]| (&code[..4], *name)).collect();
    assert_eq!(provinces.len(), 196, "a province's code has one name");
}

/// Entries that look like mistakes but are the source's own. This test fails if an update of the table corrects one.
#[test]
fn unusual_spellings_and_gaps_of_the_source_are_kept() {
    // The only accented vowel in the table. The other names have no accents, but keep their Ñ.
    let accented = rows().iter().filter(|row| row.concat().chars().any(|c| !c.is_ascii() && c != 'Ñ')).count();
    assert_eq!((accented, ubigeo("080918").district()), (1, Some("UNION ASHÁNINKA")));
    // The article is missing; the district's name is La Encañada.
    assert_eq!(ubigeo("060105").district(), Some("ENCAÑADA"));
    // Hyphens although the repeated word is one name.
    let hyphens: Vec<String> = Ubigeo::known()
        .filter(|place| place.district().is_some_and(|name| name.contains('-')))
        .map(|place| place.to_string())
        .collect();
    assert_eq!(hyphens, ["030602", "050607", "090307", "090609", "100601", "120803", "230404"]);
    // Numbers that INEI no longer uses or never used: the districts of these provinces have gaps.
    let mut districts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for place in Ubigeo::known() {
        districts.entry(place.get() / 100).or_default().push(place.get() % 100);
    }
    let gaps: Vec<u32> = districts
        .into_iter()
        .filter(|(_, numbers)| !numbers.iter().copied().eq(1..=numbers.len() as u32))
        .map(|(province, _)| province)
        .collect();
    assert_eq!(gaps, [907, 1003, 1201, 1306, 1601, 1602, 2001]);
}

#[test]
fn a_code_outside_the_table_still_has_its_department() {
    let new_district = ubigeo("150199");
    assert_eq!((new_district.department(), new_district.province()), ("LIMA", Some("LIMA")));
    assert_eq!(new_district.district(), None);
    let new_province = ubigeo("259901");
    assert_eq!((new_province.department(), new_province.province()), ("UCAYALI", None));
    assert_eq!(new_province.district(), None);
    assert_eq!(ubigeo("010000").district(), None);
}

#[test]
fn each_error_says_what_is_wrong() {
    for text in ["", "-", "15013", "1501311", "15013\u{661}", "1501A1", "+15013"] {
        let expected = match text.chars().enumerate().find(|(_, c)| !c.is_ascii_digit()) {
            Some((index, found)) if text.chars().count() == 6 => UbigeoError::NotADigit { position: index + 1, found },
            _ => UbigeoError::Length { found: text.chars().count() },
        };
        assert_eq!(Ubigeo::parse(text), Err(expected), "{text:?}");
    }
    let texts = ["15013", "1501A\n"].map(|text| Ubigeo::parse(text).expect_err(text).to_string());
    assert_eq!(
        texts,
        ["a ubigeo has 6 digits, this has 5 characters", "a ubigeo has ASCII digits only, position 5 holds 'A'"]
    );
    assert_eq!("000101".parse::<Ubigeo>(), Err(UbigeoError::Department { found: 0 }));
    let error = "260101".parse::<Ubigeo>().expect_err("no department");
    assert_eq!(error.to_string(), "a ubigeo begins with a department from 01 to 25, this begins with 26");
}

#[test]
fn the_longest_department_at_the_end_is_split_off() {
    for (text, rest, name) in [
        (
            "CAL.LOS BRILLANTES NRO. 650 URB.  SANTA INES  LA LIBERTAD",
            "CAL.LOS BRILLANTES NRO. 650 URB.  SANTA INES",
            "LA LIBERTAD",
        ),
        ("JR. HUAROCHIRI NRO. 424 (2 DO. PISO)  LIMA", "JR. HUAROCHIRI NRO. 424 (2 DO. PISO)", "LIMA"),
        ("AV. TAMBOPATA NRO. 1 MADRE DE DIOS", "AV. TAMBOPATA NRO. 1", "MADRE DE DIOS"),
        ("JR. LIMA SAN MARTIN", "JR. LIMA", "SAN MARTIN"),
        ("AV. CALLAO PROV. CONST. DEL CALLAO", "AV. CALLAO", "CALLAO"),
        ("AV. SAENZ PENA NRO. 5 CALLAO   ", "AV. SAENZ PENA NRO. 5", "CALLAO"),
        ("URB. ICA TACNA", "URB. ICA", "TACNA"),
        ("PROV. CONST. DEL CALLAO", "", "CALLAO"),
        ("ICA", "", "ICA"),
    ] {
        assert_eq!(split_department(text), Some((rest, name)), "{text:?}");
    }
}

#[test]
fn a_department_must_be_the_last_separate_word() {
    for text in ["", " ", "JR. COLLIMA", "FABRICA", "LIMA NORTE", "LIMA -", "lima", "LIBERTAD", "MARTIN"] {
        assert_eq!(split_department(text), None, "{text:?}");
    }
}

proptest! {
    #[test]
    fn a_ubigeo_is_six_digits_of_a_known_department(text in prop_oneof!["[0-3][0-9]{5}", "[0-9]{5,7}", ".{0,7}"]) {
        let well_formed = text.len() == 6
            && text.chars().all(|c| "0123456789".contains(c))
            && (1..=25).contains(&text[..2].parse::<u32>().unwrap_or_default());
        let read = Ubigeo::parse(&text);
        prop_assert_eq!(read.is_ok(), well_formed, "{:?}", text);
        if let Ok(place) = read {
            prop_assert_eq!(place.to_string(), text.clone());
            let row = rows().into_iter().find(|[code, ..]| *code == text);
            prop_assert_eq!(place.district(), row.map(|[.., district]| district));
        }
    }

    #[test]
    fn the_text_before_a_department_is_returned(before in "[A-Z0-9. ]{0,20}[0-9.]", index in 0..DEPARTMENTS.len(), blanks in " {1,130}") {
        let text = format!("{before}{blanks}{}{blanks}", DEPARTMENTS[index]);
        prop_assert_eq!(split_department(&text), Some((before.as_str(), DEPARTMENTS[index])));
    }
}
