//! The sample's pieces of the datasets are in their published form.

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read};

use encoding_rs::WINDOWS_1252;
use kuraka_domain::status::CUT;
use kuraka_domain::{DomicileCondition, Ruc, RucError, RucKind, TaxpayerStatus};
use kuraka_sandbox::sample::{
    ABSENT, BAD_CHECK_DIGIT, COMPANY, DESCRIBED, GOOD_TAXPAYERS, ON_BOTH_LISTS, OPEN_DATA_ONLY, PADRON, PERSON, Piece,
    REJECTED_CHECK_DIGIT, REJECTED_CUT_SHORT, SANCTIONED, WITHHOLDING, datasets,
};
use kuraka_sandbox::upstream::{FaultCase, FaultTarget};

/// The taxpayers whose answers the README's table shows.
const SHOWN: [&str; 6] = [ON_BOTH_LISTS, COMPANY, "20999985034", "20999980563", "20999960023", "20999980407"];

fn decode(bytes: &[u8]) -> String {
    // The decoder maps the five unassigned bytes to control characters instead of refusing them.
    assert!(!bytes.iter().any(|byte| [0x81, 0x8d, 0x8f, 0x90, 0x9d].contains(byte)));
    WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned()
}

/// The lines of the padrón after the header, without their ends.
fn padron_lines() -> Vec<String> {
    decode(PADRON).split_terminator('\n').skip(1).map(str::to_owned).collect()
}

fn first(line: &str) -> &str {
    line.split('|').next().unwrap()
}

/// The lines to accept, by RUC.
fn accepted() -> HashMap<String, String> {
    padron_lines()
        .into_iter()
        .filter(|line| ![REJECTED_CHECK_DIGIT, REJECTED_CUT_SHORT, "00"].contains(&first(line)))
        .map(|line| (first(&line).to_owned(), line))
        .collect()
}

fn piece(dataset: &str) -> Piece {
    datasets().unwrap().into_iter().find(|piece| piece.dataset == dataset).unwrap()
}

/// The name and the text of the one file of a zip.
fn unzipped(dataset: &str) -> (String, Vec<u8>) {
    let mut archive = zip::ZipArchive::new(Cursor::new(piece(dataset).bytes)).unwrap();
    assert_eq!(archive.len(), 1);
    let mut file = archive.by_index(0).unwrap();
    let mut text = Vec::new();
    file.read_to_end(&mut text).unwrap();
    (file.name().unwrap().into_owned(), text)
}

/// The column with this number of every line but the first.
fn column(text: &str, line_end: char, delimiter: char, number: usize) -> Vec<String> {
    let cell = |line: &str| line.split(delimiter).nth(number).unwrap().to_owned();
    text.split_terminator(line_end).skip(1).map(cell).collect()
}

#[test]
fn there_is_a_piece_of_every_dataset_under_its_published_names() {
    let expected = [
        ("padron", "padron_reducido_ruc.zip", "padron_reducido_ruc.txt"),
        ("retencion", "AgenRet_TXT.zip", "AgenRet_TXT.txt"),
        ("buenos_contribuyentes", "BueCont_TXT.zip", "BueCont_TXT.txt"),
        ("percepcion_venta_interna", "AgenPercVI_TXT.zip", "AgenPercVI_TXT.txt"),
        ("percepcion_combustibles", "AgenPerc_TXT.zip", "AgenPerc_TXT.txt"),
        ("anexos", "padron_reducido_local_anexo.zip", "padron_reducido_local_anexo.txt"),
        ("datos_abiertos", "PadronRUC_202609.zip", "PadronRUC_202609.csv"),
        ("ssco", "sujesincapacidadOperativa.xlsx", ""),
        ("sanciones", "sancionados.csv", ""),
    ];
    let pieces = datasets().unwrap();
    assert_eq!(pieces.len(), expected.len());
    for (piece, (dataset, file, inner)) in pieces.iter().zip(expected) {
        assert_eq!((piece.dataset, piece.file_name), (dataset, file));
        assert!(inner.is_empty() || unzipped(dataset).0 == inner, "{dataset}");
    }
    assert_eq!(pieces, datasets().unwrap(), "the bytes are always the same");
}

#[test]
fn the_padron_has_the_published_header_line_ends_and_columns() {
    let text = decode(PADRON);
    assert!(PADRON.iter().any(|byte| (0x80..0xa0).contains(byte)), "some characters are not in ISO-8859-1");
    assert!(text.starts_with(
        "RUC|NOMBRE O RAZÓN SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICIÓN DE DOMICILIO|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|\
         CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KILÓMETRO|\n"
    ));
    assert!(text.ends_with("|\n") && !text.contains('\r') && !padron_lines().is_sorted());
    let more: Vec<_> = accepted().into_values().filter(|line| line.matches('|').count() != 15).collect();
    assert_eq!(more.len(), 2, "only the two names that hold pipes: {more:?}");
    assert!(accepted().values().all(|line| line.ends_with('|') && line.matches('|').count() >= 15));
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
    let cut = |text: &str| text.get(..CUT).unwrap_or(text).trim_end().to_owned();
    for status in TaxpayerStatus::KNOWN {
        assert!(statuses.contains(&cut(status.as_str())), "{status}");
    }
    // The table has more conditions than the file shows.
    for condition in &DomicileCondition::KNOWN[..14] {
        assert!(conditions.contains(&cut(condition.as_str())), "{condition}");
    }
    assert!(statuses.iter().chain(&conditions).all(|text| text.chars().count() <= CUT));
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
    let [withholding, good] = [WITHHOLDING, GOOD_TAXPAYERS].map(|list| column(&decode(list), '\r', '|', 0));
    assert_eq!(
        accepted[COMPANY],
        "20100119227|3M PERU S A|ACTIVO|HABIDO|150131|AV.|ENRIQUE CANAVAL Y MOREYRA|URB.|EL PALOMAR|641|-|-|-|-|-|"
    );
    for (ruc, is_withholding, is_good) in [(COMPANY, true, false), (ON_BOTH_LISTS, true, true), (ABSENT, false, false)]
    {
        let listed = [&withholding, &good].map(|list| list.iter().any(|listed| listed == ruc));
        assert_eq!((accepted.contains_key(ruc), listed), (is_withholding, [is_withholding, is_good]), "{ruc}");
    }
    assert_eq!(Ruc::parse(PERSON).unwrap().kind(), RucKind::NaturalPerson);
    assert!(accepted.contains_key(PERSON) && accepted.contains_key(OPEN_DATA_ONLY));
    assert!(Ruc::parse(ABSENT).is_ok());
    assert!(matches!(Ruc::parse(BAD_CHECK_DIGIT), Err(RucError::CheckDigit { .. })));
    assert!(!padron_lines().iter().any(|line| line.starts_with(BAD_CHECK_DIGIT)));
    let down = FaultCase::named("status-503").unwrap();
    assert_eq!(down.ruc(FaultTarget::Both), Some(Ruc::parse(OPEN_DATA_ONLY).unwrap()), "page and providers are down");
}

#[test]
fn the_lists_have_the_published_header_bare_cr_quotes_and_a_duplicate() {
    for dataset in ["retencion", "buenos_contribuyentes", "percepcion_venta_interna", "percepcion_combustibles"] {
        let text = decode(&unzipped(dataset).1);
        assert!(text.starts_with("Ruc|Nombre/Razon|A partir del|Resolucion|\r"), "{dataset}");
        assert!(!text.contains('\n') && text.contains('"'), "{dataset}");
        assert!(text.split_terminator('\r').all(|record| record.matches('|').count() >= 4 && record.ends_with('|')));
        let rucs = column(&text, '\r', '|', 0);
        assert!(rucs.iter().all(|ruc| Ruc::parse(ruc).is_ok()));
        assert_eq!(rucs.iter().collect::<HashSet<_>>().len(), rucs.len() - 1);
        let are_invented = rucs.iter().all(|ruc| ruc.starts_with("20999") && accepted().contains_key(ruc));
        assert!(!dataset.starts_with("percepcion") || are_invented, "real companies are on no list of perception");
    }
    assert!(decode(&unzipped("percepcion_venta_interna").1).contains("|COMERCIAL A|B S.A.C.|"));
}

#[test]
fn annexes_have_a_blank_before_the_header_and_a_pipe_at_the_end() {
    let text = decode(&unzipped("anexos").1);
    assert!(text.starts_with(" RUC|UBIGEO|TIPO DE VÍA|"));
    assert!(text.split_terminator('\n').all(|line| line.matches('|').count() == 12 && line.ends_with('|')), "{text}");
    let rucs = column(&text, '\n', '|', 0);
    assert_eq!(rucs.iter().filter(|ruc| **ruc == DESCRIBED).count(), 3);
    assert!(rucs.iter().all(|ruc| ruc.starts_with("20999") && accepted().contains_key(ruc)));
}

#[test]
fn the_open_data_have_persons_first_and_no_company_that_the_readme_shows() {
    let bytes = unzipped("datos_abiertos").1;
    assert!(std::str::from_utf8(&bytes).is_err(), "latin-1");
    let text = decode(&bytes);
    assert!(text.split_terminator('\n').all(|line| line.matches(',').count() == 15));
    let rucs = column(&text, '\n', ',', 0);
    assert!(rucs.is_sorted() && rucs.iter().all(|ruc| accepted().contains_key(ruc)));
    let known: HashSet<&str> = rucs.iter().map(String::as_str).collect();
    assert!(rucs[0].starts_with("10") && known.len() < rucs.len(), "one row is twice");
    assert!(SHOWN.iter().all(|ruc| !known.contains(ruc)));
    assert!(known.contains(DESCRIBED) && known.contains(OPEN_DATA_ONLY));
}

#[test]
fn sanctions_are_of_invented_providers() {
    let text = decode(&piece("sanciones").bytes);
    assert!(text.starts_with("FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|"));
    let rucs = column(&text, '\n', '|', 1);
    assert_eq!(rucs.iter().filter(|ruc| **ruc == SANCTIONED).count(), 2);
    for ruc in rucs {
        match Ruc::parse(&ruc).map(Ruc::kind) {
            Ok(RucKind::NaturalPerson) => assert!(ruc.starts_with("1099999"), "{ruc}"),
            Ok(_) => assert!(ruc.starts_with("20999"), "{ruc}"),
            Err(_) => assert_eq!(ruc.len(), 10, "an id that is no RUC"),
        }
    }
}
