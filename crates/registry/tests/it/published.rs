//! The published file of any dataset about invented companies, made by its description, and what an edition says of
//! them. The unit tests include this file.

use std::collections::BTreeMap;

use kuraka_domain::{Ruc, RucKind};
use kuraka_generators::workbook::{Cell, Epoch, workbook};

use super::registry::dataset::{
    ANEXOS, Column, Content, DATOS_ABIERTOS, Dataset, DateForm, FieldKind, FileForm, PADRON, RETENCION, RecordForm,
    SSCO,
};
use super::registry::{CorruptRowError, Edition};

/// A dataset of each kind: summaries, one row a taxpayer, many rows, a workbook. The others differ in their descriptions
/// alone.
pub(crate) static KINDS: [&Dataset; 4] = [&PADRON, &RETENCION, &ANEXOS, &SSCO];
/// In every cell that is not kept: an invented person.
pub(crate) const CANARY: &str = "CANARIO INVENTADO JUAN";
/// A key that no reader takes for a RUC.
pub(crate) const BAD_KEY: &str = "20";

/// The `n`-th company of the tests.
pub(crate) fn company(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + n * 37).unwrap()
}

/// The dataset's file with a row for each company, whose texts have the number beside the company's.
pub(crate) fn published(dataset: &Dataset, rows: impl IntoIterator<Item = (u32, u32)>) -> Vec<u8> {
    file(dataset, rows.into_iter().map(|(n, mark)| (company(n).to_string(), mark)))
}

/// As [`published`], with any text as a row's key.
pub(crate) fn file(dataset: &Dataset, rows: impl IntoIterator<Item = (String, u32)>) -> Vec<u8> {
    let header = dataset.columns.iter().map(|column| column.header.to_owned()).collect();
    let row = |(key, mark): (String, u32)| dataset.columns.iter().map(|column| cell(column, &key, mark)).collect();
    let rows: Vec<Vec<String>> = [header].into_iter().chain(rows.into_iter().map(row)).collect();
    if matches!(dataset.form, FileForm::Workbook) {
        let cells = |row: Vec<String>| row.into_iter().map(Cell::Text).collect();
        return workbook("Hoja1", Epoch::Windows, &rows.into_iter().map(cells).collect::<Vec<_>>()).unwrap();
    }
    let delimiter = if dataset.name == DATOS_ABIERTOS.name { "," } else { "|" };
    let end = if dataset.name == DATOS_ABIERTOS.name { "\n" } else { "|\n" };
    let text: String = rows.into_iter().map(|row| row.join(delimiter) + end).collect();
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

fn cell(column: &Column, key: &str, mark: u32) -> String {
    let Content::Field { name, kind, .. } = column.content else {
        return if matches!(column.content, Content::Ruc) { key.to_owned() } else { CANARY.to_owned() };
    };
    match kind {
        FieldKind::Text if name == "estado" => "ACTIVO".to_owned(),
        FieldKind::Text if name == "condicion" => "HABIDO".to_owned(),
        FieldKind::Text => format!("EMPRESA {key} DIA {mark}"),
        FieldKind::Date(DateForm::DayMonthYear) => "01/06/2002".to_owned(),
        FieldKind::Date(DateForm::YearMonthDay) => "20020601".to_owned(),
        FieldKind::Month => "202610".to_owned(),
        FieldKind::Integer => mark.to_string(),
        FieldKind::Ubigeo => "150101".to_owned(),
        FieldKind::TaxpayerType => "SOCIEDAD ANONIMA".to_owned(),
    }
}

/// What an edition of any dataset says of a taxpayer; `None` = it does not have it.
pub(crate) fn answer(edition: &Edition, ruc: Ruc) -> Result<Option<String>, CorruptRowError> {
    match edition.dataset().records() {
        RecordForm::Summary => Ok(edition.summary(ruc)?.map(|summary| format!("{summary:?}"))),
        RecordForm::Fields => {
            Ok(Some(edition.rows(ruc)?).filter(|rows| !rows.is_empty()).map(|rows| format!("{rows:?}")))
        }
    }
}

/// What an edition says of every taxpayer that it has.
pub(crate) fn answers(edition: &Edition) -> BTreeMap<Ruc, String> {
    edition.rucs().map(Result::unwrap).map(|ruc| (ruc, answer(edition, ruc).unwrap().unwrap())).collect()
}
