//! Every row of recorded files, compared with the server's answer character by character. This file computes the expected
//! record from the line by its own implementation of the rules.

use std::collections::BTreeMap;

use encoding_rs::WINDOWS_1252;
use serde_json::{Value, json};

use crate::app::scene;

const COMPANIES_2018: &[u8] = include_bytes!("../../crates/registry/tests/fixtures/companies_2018_real_latin1.txt");
const ROWS_2026: &[u8] = include_bytes!("../../crates/registry/tests/fixtures/rows_2026_latin1.txt");
const QUIRKS: &[u8] = include_bytes!("../../crates/registry/tests/fixtures/quirks_synthetic_cp1252.txt");

/// The full forms of the texts that the file truncates to twenty characters.
const CUT: [(&str, &str); 13] = [
    ("BAJA PROV. POR OFICI", "BAJA PROV. POR OFICIO"),
    ("BAJA MULT.INSCR. Y O", "BAJA MULT.INSCR. Y OTROS"),
    ("NUM. INTERNO IDENTIF", "NUM. INTERNO IDENTIF."),
    ("INHABILITADO-VENT.UN", "INHABILITADO-VENT.UNICA"),
    ("ANULACION - ERROR SU", "ANULACION - ERROR SUNAT"),
    ("NO HALLADO SE MUDO D", "NO HALLADO SE MUDO DE DOMICILIO"),
    ("NO HALLADO NO EXISTE", "NO HALLADO NO EXISTE DOMICILIO"),
    ("NO HALLADO NRO.PUERT", "NO HALLADO NRO.PUERTA NO EXISTE"),
    ("NO HALLADO DESTINATA", "NO HALLADO DESTINATARIO DESCONOCIDO"),
    ("NO HALLADO OTROS MOT", "NO HALLADO OTROS MOTIVOS"),
    ("NO EXISTE LA DIRECCI", "NO EXISTE LA DIRECCION DECLARADA"),
    ("NEGATIVA RECEPCION X", "NEGATIVA RECEPCION X PERSONA CAPAZ"),
    ("AUSENCIA DE PERSONA", "AUSENCIA DE PERSONA CAPAZ"),
];

/// INEI's departments; the index is the code minus one.
const DEPARTMENTS: [&str; 25] = [
    "AMAZONAS",
    "ANCASH",
    "APURIMAC",
    "AREQUIPA",
    "AYACUCHO",
    "CAJAMARCA",
    "CALLAO",
    "CUSCO",
    "HUANCAVELICA",
    "HUANUCO",
    "ICA",
    "JUNIN",
    "LA LIBERTAD",
    "LAMBAYEQUE",
    "LIMA",
    "LORETO",
    "MADRE DE DIOS",
    "MOQUEGUA",
    "PASCO",
    "PIURA",
    "PUNO",
    "SAN MARTIN",
    "TACNA",
    "TUMBES",
    "UCAYALI",
];

/// The text with blanks folded and trimmed, or empty for a placeholder.
fn clean(column: &str) -> String {
    let text = column.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().all(|c| c == '-') { String::new() } else { text }
}

fn whole(column: &str) -> String {
    let text = clean(column);
    CUT.iter().find(|(cut, _)| *cut == text).map_or(text, |(_, whole)| (*whole).to_owned())
}

/// The record of a line; `None` if the line is not valid.
fn expected(line: &str) -> Option<(String, Value)> {
    let columns: Vec<&str> = line.strip_suffix('|')?.split('|').collect();
    // A name may contain the separator, so the thirteen columns after it are counted from the end.
    let (head, tail) = columns.split_at_checked(columns.len().checked_sub(13)?)?;
    let (ruc, name) = head.split_first()?;
    let [status, condition, ubigeo, via_kind, via, zone_kind, zone, number, inside, lot, flat, block, km] = tail else {
        return None;
    };
    if name.is_empty() || !is_ruc(ruc) {
        return None;
    }
    let labelled =
        |label: &str, column: &&str| Some(clean(column)).filter(|c| !c.is_empty()).map(|c| format!("{label}{c}"));
    let parts = [
        labelled("", via_kind),
        labelled("", via),
        labelled("NRO. ", number),
        labelled("INT. ", inside),
        labelled("DPTO. ", flat),
        labelled("MZA. ", block),
        labelled("LOTE. ", lot),
        labelled("KM. ", km),
        labelled("", zone_kind),
        labelled("", zone),
    ];
    let department =
        ubigeo.get(..2).and_then(|code| code.parse::<usize>().ok()).map_or("", |code| DEPARTMENTS[code - 1]);
    let record = json!({
        "ruc": ruc,
        "nombre_o_razon_social": clean(&name.join("|")),
        "estado": whole(status),
        "condicion": whole(condition),
        "direccion": parts.into_iter().flatten().collect::<Vec<_>>().join(" "),
        "departamento": department,
    });
    Some(((*ruc).to_owned(), record))
}

/// Whether the text is eleven digits with a known prefix and the right check digit.
fn is_ruc(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    if text.len() != 11 || digits.len() != 11 || !["10", "15", "16", "17", "20"].contains(&&text[..2]) {
        return false;
    }
    let sum: u32 = digits.iter().zip([5, 4, 3, 2, 7, 6, 5, 4, 3, 2]).map(|(digit, weight)| digit * weight).sum();
    (11 - sum % 11) % 10 == digits[10]
}

/// Publishes the file and looks up each of its rows.
async fn every_row_is_answered(file: &[u8], rows: usize, refused: usize) {
    let text = WINDOWS_1252.decode_without_bom_handling(file).0;
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let records: BTreeMap<String, Value> = lines.iter().filter_map(|line| expected(line)).collect();
    assert_eq!((records.len(), lines.len() - records.len()), (rows, refused), "the file is the expected one");

    let (app, owner) = scene().published(file, None).start_with_owner().await;
    let mut wire = app.connect().await;
    for (ruc, record) in records {
        let mut data = wire.ask(&app.post("/ruc").token(&owner.token).ruc(&ruc)).await.found();
        let flags = ["es_agente_de_retencion", "es_buen_contribuyente"];
        for flag in flags {
            let value = data.as_object_mut().unwrap().remove(flag).unwrap();
            assert!(value == "SI" || value == "NO", "{ruc}: {flag} is {value}");
        }
        assert_eq!(data, record);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_companies_of_2018_match_their_rows() {
    every_row_is_answered(COMPANIES_2018, 465, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_rows_of_2026_match_their_records() {
    every_row_is_answered(ROWS_2026, 6, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn irregular_rows_are_repaired_and_invalid_ones_left_out() {
    every_row_is_answered(QUIRKS, 11, 2).await;
}
