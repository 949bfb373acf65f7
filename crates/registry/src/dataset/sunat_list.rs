//! What SUNAT's four lists of taxpayers have in common. They share one header, so only the file's name distinguishes
//! them.

use super::column::{Column, DateForm, FieldKind};
use super::description::{Dataset, Rhythm, RowsPerRuc, Subjects};
use super::file_form::{FileForm, Limits, TextForm};
use super::guard_limits::GuardLimits;

/// SUNAT, as publisher of most datasets.
pub(super) const SUNAT: &str = "Superintendencia Nacional de Aduanas y de Administración Tributaria (SUNAT)";
/// The publisher does not name a licence.
pub(super) const NO_LICENCE: &str = "No declarada: información pública";
/// SUNAT refuses these files to clients that are no browser.
pub(super) const BROWSER: &str = "Mozilla/5.0 (compatible; Kuraka)";

/// The columns. The name is the padrón's, so it is not kept; quotes and pipes occur in it. The date and the resolution
/// are lenient because the membership matters more.
const COLUMNS: [Column; 4] = [
    Column::ruc("Ruc"),
    Column::dropped("Nombre/Razon").holding_delimiters(),
    Column::field("A partir del", "desde", FieldKind::Date(DateForm::DayMonthYear)).lenient(),
    Column::text("Resolucion", "resolucion").lenient(),
];

/// A list, to be completed with its names and addresses.
pub(super) const LIST: Dataset = Dataset {
    name: "",
    title: "",
    publisher: SUNAT,
    licence: NO_LICENCE,
    attribution: "Fuente: SUNAT",
    page: "",
    address: "",
    user_agent: Some(BROWSER),
    rhythm: Rhythm::Irregular,
    file_names: &[],
    form: FileForm::Text(TextForm::PIPES),
    columns: &COLUMNS,
    absent: &["-", "----"],
    rows: RowsPerRuc::One,
    subjects: Subjects::All,
    limits: Limits { text: 64 << 20, ratio: 50 },
    guards: GuardLimits { rows_kept: 8_000, rejected_free: 100, rejected: 500 },
};
