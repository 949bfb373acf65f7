//! The annex premises: the addresses of a taxpayer besides its domicile.

use super::column::{Column, FieldKind};
use super::description::{Dataset, RecordForm, Rhythm, RowsPerRuc, Subjects};
use super::file_form::{FileForm, Limits, TextForm};
use super::guard_limits::GuardLimits;
use super::lists::{NO_LICENCE, SUNAT};

/// The columns. Their order differs from the padrón's: the kilometre stands after the number, and the block last.
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
    publisher: SUNAT,
    licence: NO_LICENCE,
    attribution: "Fuente: SUNAT",
    page: "https://www.sunat.gob.pe/descargaPRR/mrc137_padron_reducido.html",
    address: "https://www.sunat.gob.pe/descargaPRR/padron_reducido_local_anexo.zip",
    plain_address: None,
    user_agent: None,
    rhythm: Rhythm::Daily,
    max_age_days: 30,
    file_names: &["padron_reducido_local_anexo.txt"],
    form: FileForm::Text(TextForm::PIPES),
    columns: &COLUMNS,
    absent: &["-", "----"],
    records: RecordForm::Fields,
    rows: RowsPerRuc::Many,
    history: None,
    subjects: Subjects::All,
    limits: Limits { text: 1 << 30, ratio: 50 },
    guards: GuardLimits { rows_kept: 9_500, rejected_free: 100, rejected: 10, keys_kept: 5_000, gone_free: 20 },
    is_required: false,
    when_absent: "",
    when_too_old: "Falta una edición más reciente; la consulta de anexos responde 503.",
};
