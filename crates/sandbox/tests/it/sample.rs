use std::collections::{HashMap, HashSet};

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{DomicileCondition, Ruc, RucError, RucKind, TaxpayerStatus, status::CUT};
use kuraka_sandbox::sample::{
    ABSENT, BAD_CHECK_DIGIT, COMPANY, GOOD_TAXPAYERS, ON_BOTH_LISTS, PADRON, PERSON, REJECTED_CHECK_DIGIT,
    REJECTED_CUT_SHORT, WITHHOLDING,
};

fn decode(bytes: &[u8]) -> String {
    let (text, _, replaced) = WINDOWS_1252.decode(bytes);
    assert!(!replaced);
    text.into_owned()
}

/// The lines after the header, without their ends.
fn padron_lines() -> Vec<String> {
    decode(PADRON).split_terminator('\n').skip(1).map(str::to_owned).collect()
}

fn first(line: &str) -> &str {
    line.split('|').next().unwrap()
}

/// The RUCs of the lines to accept.
fn accepted() -> HashMap<String, String> {
    padron_lines()
        .into_iter()
        .filter(|line| ![REJECTED_CHECK_DIGIT, REJECTED_CUT_SHORT, "00"].contains(&first(line)))
        .map(|line| (first(&line).to_owned(), line))
        .collect()
}

/// The first column of a list's records, in order.
fn listed(bytes: &[u8]) -> Vec<String> {
    decode(bytes).split_terminator('\r').skip(1).map(|record| first(record).to_owned()).collect()
}

#[test]
fn every_byte_is_a_windows_1252_character() {
    for file in [PADRON, WITHHOLDING, GOOD_TAXPAYERS] {
        // The decoder maps the five unassigned bytes to control characters instead of refusing them.
        assert!(!file.iter().any(|byte| [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains(byte)));
        decode(file);
    }
    assert!(PADRON.iter().any(|byte| (0x80..0xa0).contains(byte)), "some characters are not in ISO-8859-1");
}

#[test]
fn the_padron_has_the_published_header_and_line_ends() {
    let text = decode(PADRON);
    assert!(text.starts_with(
        "RUC|NOMBRE O RAZÓN SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICIÓN DE DOMICILIO|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|\
         CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KILÓMETRO|\n"
    ));
    assert!(text.ends_with("|\n"));
    assert!(!text.contains('\r'));
    assert!(!padron_lines().is_sorted());
}

#[test]
fn every_ruc_is_valid_and_unique_but_for_the_intended_lines() {
    let lines = padron_lines();
    assert_eq!(lines.len(), 559);
    assert_eq!(lines.iter().filter(|line| first(line) == "00").count(), 2);
    let accepted = accepted();
    assert_eq!(accepted.len(), lines.len() - 4, "two lines of noise, two to reject, and no RUC twice");
    for ruc in accepted.keys() {
        assert!(Ruc::parse(ruc).is_ok(), "{ruc}");
    }
    assert!(matches!(Ruc::parse(REJECTED_CHECK_DIGIT), Err(RucError::CheckDigit { .. })));
    assert!(Ruc::parse(REJECTED_CUT_SHORT).is_ok());
    let cut = lines.iter().find(|line| first(line) == REJECTED_CUT_SHORT).unwrap();
    assert!(cut.matches('|').count() < 15);
}

#[test]
fn every_line_to_accept_has_fifteen_columns_and_a_trailing_pipe() {
    let more: Vec<_> = accepted().into_values().filter(|line| line.matches('|').count() != 15).collect();
    assert_eq!(more.len(), 2, "only the two names that hold pipes: {more:?}");
    assert!(accepted().values().all(|line| line.ends_with('|') && line.matches('|').count() >= 15));
}

#[test]
fn natural_persons_are_invented_and_have_no_address() {
    let persons: Vec<_> =
        accepted().into_iter().filter(|(ruc, _)| Ruc::parse(ruc).unwrap().kind() != RucKind::LegalPerson).collect();
    assert_eq!(persons.len(), 48);
    for (ruc, line) in persons {
        assert_eq!(&ruc[2..7], "99999", "{ruc} is in the range kept for invented persons");
        assert!(line.ends_with(&("|-".repeat(11) + "|")), "{line}");
    }
}

#[test]
fn every_known_cut_status_and_condition_of_the_published_file_occurs() {
    let lines: Vec<_> = accepted().into_values().filter(|line| line.matches('|').count() == 15).collect();
    let column = |index: usize| -> HashSet<String> {
        lines.iter().map(|line| line.split('|').nth(index).unwrap().to_owned()).collect()
    };
    let (statuses, conditions) = (column(2), column(3));
    for status in TaxpayerStatus::KNOWN {
        assert!(statuses.contains(cut(status.as_str())), "{status}");
    }
    // The table has more conditions than the file shows.
    for condition in &DomicileCondition::KNOWN[..14] {
        assert!(conditions.contains(cut(condition.as_str())), "{condition}");
    }
    assert!(statuses.iter().chain(&conditions).all(|text| text.chars().count() <= CUT));
}

fn cut(text: &str) -> &str {
    text.get(..CUT).unwrap_or(text).trim_end()
}

#[test]
fn the_quirks_of_the_published_file_occur() {
    let text = padron_lines().join("\n");
    for quirk in [
        "COMERCIAL A|B S.A.C.",
        "     \"CORPRUEBA S.A.\"",
        "EL \"SOL INVENTADO",
        "– NORTE “EL SOL”",
        "CON\tTABULADOR",
        "huamán",
        "\\ SUCURSAL",
        "|S/N|",
        "|----|",
        "|58.5|",
        "|159999|",
        "|CIRCUNVALACIÓN DEL CLUB G|",
    ] {
        assert!(text.contains(quirk), "{quirk}");
    }
    assert!(accepted().values().any(|line| line.split('|').nth(1).unwrap().len() > 255));
}

#[test]
fn the_named_rucs_are_what_they_are_said_to_be() {
    let accepted = accepted();
    let withholding = listed(WITHHOLDING);
    let good = listed(GOOD_TAXPAYERS);
    assert_eq!(
        accepted[COMPANY],
        "20100119227|3M PERU S A|ACTIVO|HABIDO|150131|AV.|ENRIQUE CANAVAL Y MOREYRA|URB.|EL PALOMAR|641|-|-|-|-|-|"
    );
    assert!(withholding.iter().any(|ruc| ruc == COMPANY));
    assert!(!good.iter().any(|ruc| ruc == COMPANY));
    assert!(accepted.contains_key(ON_BOTH_LISTS));
    assert!(withholding.iter().any(|ruc| ruc == ON_BOTH_LISTS) && good.iter().any(|ruc| ruc == ON_BOTH_LISTS));
    assert_eq!(Ruc::parse(PERSON).unwrap().kind(), RucKind::NaturalPerson);
    assert!(accepted.contains_key(PERSON));
    assert!(Ruc::parse(ABSENT).is_ok());
    assert!(matches!(Ruc::parse(BAD_CHECK_DIGIT), Err(RucError::CheckDigit { .. })));
    for ruc in [ABSENT, BAD_CHECK_DIGIT] {
        assert!(!padron_lines().iter().any(|line| line.starts_with(ruc)), "{ruc}");
        assert!(!withholding.iter().chain(&good).any(|listed| listed == ruc), "{ruc}");
    }
}

#[test]
fn the_lists_have_the_published_header_bare_cr_quotes_and_a_duplicate() {
    for file in [WITHHOLDING, GOOD_TAXPAYERS] {
        let text = decode(file);
        assert!(text.starts_with("Ruc|Nombre/Razon|A partir del|Resolucion|\r"));
        assert!(!text.contains('\n'));
        assert!(text.contains('"'));
        assert!(text.split_terminator('\r').all(|record| record.matches('|').count() == 4 && record.ends_with('|')));
        let rucs = listed(file);
        assert!(rucs.iter().all(|ruc| Ruc::parse(ruc).is_ok()));
        assert_eq!(rucs.iter().collect::<HashSet<_>>().len(), rucs.len() - 1);
    }
}
