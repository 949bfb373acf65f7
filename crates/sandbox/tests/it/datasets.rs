//! The sample's pieces of the datasets are in their published form.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::sample::{
    COMPANY, DESCRIBED, ON_BOTH_LISTS, OPEN_DATA_ONLY, PADRON, Piece, SANCTIONED, WITHHOLDING, datasets,
};
use kuraka_sandbox::upstream::{FaultCase, FaultTarget};

/// The taxpayers whose answers the README's table of outcomes shows.
const OUTCOMES: [&str; 8] =
    [ON_BOTH_LISTS, COMPANY, "10999990075", "20999999990", "20999985034", "20999980563", "20999960023", "20999980407"];

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

fn decoded(dataset: &str) -> String {
    WINDOWS_1252.decode(&unzipped(dataset).1).0.into_owned()
}

/// The column with this number of every line but the first.
fn column(text: &str, line_end: char, delimiter: char, number: usize) -> Vec<String> {
    let cell = |line: &str| line.split(delimiter).nth(number).unwrap().to_owned();
    text.split_terminator(line_end).skip(1).map(cell).collect()
}

fn sample_rucs() -> BTreeSet<String> {
    let text = WINDOWS_1252.decode(PADRON).0;
    text.lines().skip(1).map(|line| line.split('|').next().unwrap().to_owned()).collect()
}

#[test]
fn there_is_a_piece_of_every_dataset_under_its_published_names() {
    let names: Vec<_> = datasets().unwrap().into_iter().map(|piece| (piece.dataset, piece.file_name)).collect();
    assert_eq!(
        names,
        [
            ("padron", "padron_reducido_ruc.zip"),
            ("retencion", "AgenRet_TXT.zip"),
            ("buenos_contribuyentes", "BueCont_TXT.zip"),
            ("percepcion_venta_interna", "AgenPercVI_TXT.zip"),
            ("percepcion_combustibles", "AgenPerc_TXT.zip"),
            ("anexos", "padron_reducido_local_anexo.zip"),
            ("datos_abiertos", "PadronRUC_202609.zip"),
            ("ssco", "sujesincapacidadOperativa.xlsx"),
            ("sanciones", "sancionados.csv"),
        ]
    );
    assert_eq!(unzipped("padron"), ("padron_reducido_ruc.txt".to_owned(), PADRON.to_vec()));
    assert_eq!(unzipped("retencion"), ("AgenRet_TXT.txt".to_owned(), WITHHOLDING.to_vec()));
    for (dataset, inner) in [
        ("buenos_contribuyentes", "BueCont_TXT.txt"),
        ("percepcion_venta_interna", "AgenPercVI_TXT.txt"),
        ("percepcion_combustibles", "AgenPerc_TXT.txt"),
        ("anexos", "padron_reducido_local_anexo.txt"),
        ("datos_abiertos", "PadronRUC_202609.csv"),
    ] {
        assert_eq!(unzipped(dataset).0, inner);
    }
    assert_eq!(datasets().unwrap(), datasets().unwrap(), "the bytes are always the same");
}

#[test]
fn the_lists_of_perception_have_bare_cr_quotes_a_pipe_in_a_name_and_a_duplicate() {
    for dataset in ["percepcion_venta_interna", "percepcion_combustibles"] {
        let text = decoded(dataset);
        assert!(text.starts_with("Ruc|Nombre/Razon|A partir del|Resolucion|\r") && text.ends_with("|\r"));
        assert!(!text.contains('\n') && text.contains("|\""), "{dataset}");
        let rucs = column(&text, '\r', '|', 0);
        assert_eq!(rucs.iter().collect::<BTreeSet<_>>().len(), rucs.len() - 1);
        assert!(rucs.iter().all(|ruc| sample_rucs().contains(ruc)));
        assert!(rucs.iter().all(|ruc| ruc.starts_with("20999")), "real companies are on no list of perception");
    }
    assert!(decoded("percepcion_venta_interna").contains("|COMERCIAL A|B S.A.C.|"));
}

#[test]
fn annexes_have_a_blank_before_the_header_and_a_pipe_at_the_end() {
    let text = decoded("anexos");
    assert!(text.starts_with(" RUC|UBIGEO|TIPO DE VÍA|"));
    assert!(text.split_terminator('\n').all(|line| line.matches('|').count() == 12 && line.ends_with('|')), "{text}");
    let rucs = column(&text, '\n', '|', 0);
    assert_eq!(rucs.iter().filter(|ruc| **ruc == DESCRIBED).count(), 3);
    assert!(rucs.iter().all(|ruc| ruc.starts_with("20999") && sample_rucs().contains(ruc)));
}

#[test]
fn the_open_data_have_persons_first_and_no_company_of_the_outcomes() {
    let (_, bytes) = unzipped("datos_abiertos");
    assert!(std::str::from_utf8(&bytes).is_err(), "latin-1");
    let text = decoded("datos_abiertos");
    assert!(text.split_terminator('\n').all(|line| line.matches(',').count() == 15 && line.is_char_boundary(0)));
    let rucs = column(&text, '\n', ',', 0);
    assert!(rucs.is_sorted() && rucs.iter().all(|ruc| sample_rucs().contains(ruc)));
    assert!(rucs[0].starts_with("10") && rucs.iter().collect::<BTreeSet<_>>().len() < rucs.len(), "one row is twice");
    for ruc in OUTCOMES.iter().filter(|ruc| ruc.starts_with("20")) {
        assert!(!rucs.iter().any(|known| known == ruc), "{ruc}");
    }
    for ruc in [DESCRIBED, OPEN_DATA_ONLY] {
        assert!(rucs.iter().any(|known| known == ruc), "{ruc}");
    }
}

#[test]
fn page_and_providers_are_down_for_the_company_that_only_the_open_data_have() {
    let down = FaultCase::named("status-503").unwrap();
    assert_eq!(down.ruc(FaultTarget::Both), Some(Ruc::parse(OPEN_DATA_ONLY).unwrap()));
    assert!(sample_rucs().contains(OPEN_DATA_ONLY));
}

#[test]
fn sanctions_are_of_invented_providers() {
    let text = WINDOWS_1252.decode(&piece("sanciones").bytes).0.into_owned();
    assert!(text.starts_with("FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|"));
    let rucs = column(&text, '\n', '|', 1);
    let sanctioned: Vec<_> = rucs.iter().filter(|ruc| **ruc == SANCTIONED).collect();
    assert_eq!(sanctioned.len(), 2);
    for ruc in rucs {
        match Ruc::parse(&ruc).map(Ruc::kind) {
            Ok(RucKind::NaturalPerson) => assert!(ruc.starts_with("1099999"), "{ruc}"),
            Ok(_) => assert!(ruc.starts_with("20999"), "{ruc}"),
            Err(_) => assert_eq!(ruc.len(), 10, "an id that is no RUC"),
        }
    }
}

#[test]
fn the_workbook_has_dates_a_number_as_ruc_and_invented_companies() {
    let mut archive = zip::ZipArchive::new(Cursor::new(piece("ssco").bytes)).unwrap();
    let mut part = |name: &str| {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    let (sheet, texts) = (part("xl/worksheets/sheet1.xml"), part("xl/sharedStrings.xml"));
    assert!(part("xl/workbook.xml").contains("name=\"Hoja1\""));
    assert!(sheet.contains(&format!("<c r=\"A2\"><v>{SANCTIONED}</v></c>")), "{sheet}");
    // 2025-03-14.
    assert!(sheet.contains("<c r=\"E2\" s=\"1\"><v>45730</v></c>"), "{sheet}");
    assert!(texts.contains(">Razón social<") && texts.contains("20999990780"));
    assert!(texts.contains("A &amp; B") && texts.contains("&lt;ALTURA&gt;"));
}
