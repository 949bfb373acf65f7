//! The padrón reducido: the description, and the parts of it that the importer of [`crate::import`] uses.

use super::column::{Column, FieldKind};
use super::description::{Dataset, Rhythm, RowsPerRuc, Subjects};
use super::file_form::{Delimiter, Encoding, FileForm, Limits, LineEnd, Quoting, TextForm};
use super::guard_limits::GuardLimits;
use super::sunat_list::{NO_LICENCE, SUNAT};

/// The name of the zip's only entry.
pub(crate) const ENTRY: &str = "padron_reducido_ruc.txt";

/// The header, column by column.
pub(crate) const COLUMNS: [&str; 15] = [
    "RUC",
    "NOMBRE O RAZÓN SOCIAL",
    "ESTADO DEL CONTRIBUYENTE",
    "CONDICIÓN DE DOMICILIO",
    "UBIGEO",
    "TIPO DE VÍA",
    "NOMBRE DE VÍA",
    "CÓDIGO DE ZONA",
    "TIPO DE ZONA",
    "NÚMERO",
    "INTERIOR",
    "LOTE",
    "DEPARTAMENTO",
    "MANZANA",
    "KILÓMETRO",
];
/// The columns at the end that make the address, the ubigeo first.
pub(crate) const ADDRESS_COLUMNS: usize = 11;

/// The same columns as fields. A pipe in a name is repaired only by the importer, which knows the statuses.
const FIELDS: [Column; 15] = [
    Column::ruc(COLUMNS[0]),
    Column::text(COLUMNS[1], "nombre").required(),
    Column::text(COLUMNS[2], "estado"),
    Column::text(COLUMNS[3], "condicion"),
    Column::field(COLUMNS[4], "ubigeo", FieldKind::Ubigeo),
    Column::text(COLUMNS[5], "tipo_via"),
    Column::text(COLUMNS[6], "nombre_via"),
    Column::text(COLUMNS[7], "codigo_zona"),
    Column::text(COLUMNS[8], "tipo_zona"),
    Column::text(COLUMNS[9], "numero"),
    Column::text(COLUMNS[10], "interior"),
    Column::text(COLUMNS[11], "lote"),
    Column::text(COLUMNS[12], "departamento"),
    Column::text(COLUMNS[13], "manzana"),
    Column::text(COLUMNS[14], "kilometro"),
];

/// The padrón reducido: every taxpayer, with name, status, condition and address.
pub const PADRON: Dataset = Dataset {
    name: "padron",
    title: "Padrón reducido del RUC",
    publisher: SUNAT,
    licence: NO_LICENCE,
    attribution: "Fuente: SUNAT",
    page: "https://www.sunat.gob.pe/descargaPRR/mrc137_padron_reducido.html",
    address: "http://www2.sunat.gob.pe/padron_reducido_ruc.zip",
    user_agent: None,
    rhythm: Rhythm::Daily,
    file_names: &[ENTRY],
    form: FileForm::Text(TextForm {
        delimiter: Delimiter::Given(b'|'),
        encoding: Encoding::Windows1252,
        line_end: LineEnd::Lf,
        quoting: Quoting::None,
    }),
    columns: &FIELDS,
    absent: &["-", "----"],
    rows: RowsPerRuc::One,
    subjects: Subjects::All,
    limits: Limits { text: 4 << 30, ratio: 50 },
    guards: GuardLimits { rows_kept: 9_900, rejected_free: 100, rejected: 5 },
};

impl Dataset {
    /// Whether it is the padrón, whose editions have records of their own.
    #[must_use]
    pub fn is_padron(&self) -> bool {
        self.name == PADRON.name
    }
}
