//! The providers that the procurement authority has sanctioned or disqualified.

use kuraka_domain::DatasetRole;

use super::column::{Column, DateForm, FieldKind};
use super::description::{DEFAULT, Dataset, Rhythm, RowsPerRuc};
use super::file_form::Limits;
use super::guard_limits::GuardLimits;

const DATE: FieldKind = FieldKind::Date(DateForm::YearMonthDay);

/// Some providers are natural persons, so the name is not read.
const COLUMNS: [Column; 8] = [
    Column::field("FECHA_CORTE", "fecha_corte", DATE).lenient(),
    Column::ruc("RUC"),
    Column::dropped("NOMBRE_RAZONODENOMINACIONSOCIAL").holding_delimiters(),
    Column::field("FECHA_INICIO", "desde", DATE).required(),
    Column::field("FECHA_FIN", "hasta", DATE),
    Column::text("NUMERO_RESOLUCION", "resolucion"),
    Column::text("ID_MOTIVO_INFRACCION", "id_motivo"),
    Column::text("DE_MOTIVO_INFRACCION", "motivo"),
];

/// Many rows a RUC. A sanction without an end is definitive.
pub const SANCIONES: Dataset = Dataset {
    name: "sanciones",
    title: "Proveedores sancionados con inhabilitación vigente",
    publisher: "Organismo Especializado para las Contrataciones Públicas Eficientes (OECE)",
    attribution: "Fuente: OECE",
    page: "https://osce-gob-pe.atlassian.net/wiki/pages/viewpage.action?pageId=106889269",
    address: "https://osce-gob-pe.atlassian.net/wiki/download/attachments/106889269/sancionados.csv",
    rhythm: Rhythm::Weekly,
    file_names: &["sancionados.csv"],
    columns: &COLUMNS,
    role: DatasetRole::Sanctions,
    absent: &["-"],
    rows: RowsPerRuc::Many,
    history: Some(&["desde", "hasta"]),
    limits: Limits { text: 256 << 20, ratio: 50 },
    // Foreign providers have codes that are no RUC.
    guards: GuardLimits { rows_kept: 9_000, rejected_free: 500, rejected: 1_000, ..DEFAULT.guards },
    ..DEFAULT
};
