//! The open data, in both encodings, with three delimiters, quoted and not.

use std::collections::HashMap;

use kuraka_domain::{ActivityRank, EconomicActivity, OpenData, Ruc, RucKind};
use kuraka_generators::dataset::{Encoding, OPEN_DATA_COLUMNS, OpenDataRow, TextForm, open_data};

use super::{World, date, padron, squeezed, text, zipped};

const ROWS: u32 = 8_000;

/// The text of answers for a type of taxpayer, in the wordings of all years.
fn taxpayer_type(published: &str) -> &str {
    match published {
        "EMPRESA INDIVIDUAL DE RESPONSABILIDAD LIMITADA" => "EMPRESA INDIVIDUAL DE RESP. LTDA",
        "GOBIERNO REGIONAL LOCAL" => "GOBIERNO REGIONAL, LOCAL",
        "COMUNIDAD CAMPESINA NATIVA" => "COMUNIDAD CAMPESINA, NATIVA, COMUNAL",
        "UNIVERSIDADES CENTROS EDUCATIVOS Y CULTURALES" => "UNIVERS. CENTROS EDUC. Y CULT.",
        same => same,
    }
}

/// The answers about companies. `spell` is what the file does to a text.
fn model(rows: &[OpenDataRow], spell: fn(&str) -> String) -> HashMap<Ruc, OpenData> {
    let companies = rows.iter().filter(|row| row.ruc.kind() == RucKind::LegalPerson);
    let answer = |row: &OpenDataRow| OpenData {
        month: date("2026-09-01"),
        taxpayer_type: taxpayer_type(row.kind).to_owned(),
        activities: [
            (ActivityRank::Principal, row.principal_4.or(row.principal_3)),
            (ActivityRank::Secondary, row.secondary_3),
        ]
        .into_iter()
        .filter_map(|(rank, text)| Some((rank, squeezed(&spell(text?)))))
        .map(|(rank, description)| EconomicActivity { rank, ciiu: String::new(), description })
        .collect(),
        workers: row.workers,
        issuing_system: row.issuing.unwrap_or_default().to_owned(),
        accounting_system: row.accounting.unwrap_or_default().to_owned(),
        foreign_trade: row.trade.unwrap_or_default().to_owned(),
    };
    companies.map(|row| (row.ruc, answer(row))).collect()
}

/// The file, with lines that no column map fits.
fn file(form: TextForm, rows: &[OpenDataRow], spell: fn(&str) -> String) -> Vec<u8> {
    let lines: Vec<Vec<String>> = (0..)
        .zip(rows)
        .map(|(index, row)| {
            let mut cells = row.cells("202609").to_vec();
            cells[4..7].iter_mut().for_each(|cell| *cell = spell(cell));
            // As a program that takes codes for numbers writes them.
            if index % 3 == 0 {
                cells[11] = cells[11].trim_start_matches('0').to_owned();
            }
            cells
        })
        .collect();
    let end = rows.len() - 1;
    let bad: [(usize, &[&str]); 4] = [
        (end, &["2010011922", "ACTIVO"]),
        (end, &["20100119227", "ACTIVO", "HABIDO", "SOCIEDAD ANONIMA"]),
        (end, &["20100119228", "", "", "", "", "", "", "", "", "", "", "", "", "", "", "202609"]),
        (0, &["10 a person's line", "of any form"]),
    ];
    zipped("PadronRUC_202609.csv", &text(form, &OPEN_DATA_COLUMNS, &lines, &bad))
}

pub(super) fn import(world: &World, variant: usize) -> HashMap<Ruc, OpenData> {
    let same: fn(&str) -> String = str::to_owned;
    let comma: fn(&str) -> String = |text| text.replace(" Y ", ", \"Y\" ");
    let form = TextForm::OPEN_DATA;
    let (form, spell) = [
        (form, same),
        (TextForm { encoding: Encoding::Utf8, delimiter: '|', line_end: "\r\n", ..form }, same),
        (TextForm { encoding: Encoding::Utf8WithMark, quoted: true, ..form }, comma),
        (TextForm { quoted: true, line_end: "\r\n", delimiter: ';', ..form }, comma),
    ][variant];
    let rows: Vec<_> = open_data(padron(), ROWS, 100).collect();
    let report = world.import("datos_abiertos", "PadronRUC_202609.zip", &file(form, &rows, spell));
    let model = model(&rows, spell);
    let persons = rows.iter().filter(|row| row.ruc.kind() == RucKind::NaturalPerson).count() + 1;
    assert_eq!((report.rucs, report.rejected_lines()), (model.len() as u64, 3), "{form:?}");
    assert_eq!((report.left_out, report.repeated > 0), (persons as u64, true));
    assert_eq!(report.read.unlisted_wordings, ["NUCLEOS EJECUTORES"]);
    assert_eq!(report.date, date("2026-09-01"));
    model
}
