//! The annex premises: the addresses of a taxpayer besides its domicile.

use kuraka_domain::DatasetRole;

use super::column::{Column, FieldKind};
use super::description::{DEFAULT, Dataset, Rhythm, RowsPerRuc};
use super::file_form::Limits;
use super::guard_limits::GuardLimits;

/// The order differs from the padrón's: the kilometre follows the number, and the block is last.
const COLUMNS: [Column; 12] = [
    Column::ruc("RUC"),
    Column::field("UBIGEO", "ubigeo", FieldKind::Ubigeo),
    Column::text("TIPO DE VÍA", "tipo_via"),
    Column::text("NOMBRE DE VÍA", "nombre_via"),
    Column::text("CÓDIGO DE ZONA", "codigo_zona"),
    Column::text("TIPO DE ZONA", "tipo_zona"),
    Column::text("NÚMERO", "numero"),
    Column::text("KILÓMETRO", "kilometro"),
    Column::text("INTERIOR", "interior"),
    Column::text("LOTE", "lote"),
    Column::text("DEPARTAMENTO", "departamento"),
    Column::text("MANZANA", "manzana"),
];

/// The annex premises: many rows a RUC, without code, type or activity.
pub const ANEXOS: Dataset = Dataset {
    name: "anexos",
    title: "Padrón reducido: locales anexos",
    page: "https://www.sunat.gob.pe/descargaPRR/mrc137_padron_reducido.html",
    address: "https://www.sunat.gob.pe/descargaPRR/padron_reducido_local_anexo.zip",
    rhythm: Rhythm::Daily,
    max_age_days: 30,
    file_names: &["padron_reducido_local_anexo.txt"],
    columns: &COLUMNS,
    role: DatasetRole::Annexes,
    rows: RowsPerRuc::Many,
    limits: Limits { text: 1 << 30, ratio: 50 },
    guards: GuardLimits { rows_kept: 9_500, rejected: 10, ..DEFAULT.guards },
    when_too_old: "Falta una edición más reciente; la consulta de anexos responde 503.",
    ..DEFAULT
};
