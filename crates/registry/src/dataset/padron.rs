//! The padrón reducido. `reader::padron` reads its lines.

use kuraka_domain::DatasetRole;

use super::column::{Column, FieldKind};
use super::description::{DEFAULT, Dataset, RUC_FAILS, Rhythm, RowsPerRuc};
use super::file_form::Limits;
use super::guard_limits::GuardLimits;

/// The columns from the ubigeo on are the address.
pub(crate) const COLUMNS: [Column; 15] = [
    Column::ruc("RUC"),
    Column::text("NOMBRE O RAZÓN SOCIAL", "nombre").required(),
    Column::text("ESTADO DEL CONTRIBUYENTE", "estado"),
    Column::text("CONDICIÓN DE DOMICILIO", "condicion"),
    Column::field("UBIGEO", "ubigeo", FieldKind::Ubigeo),
    Column::text("TIPO DE VÍA", "tipo_via"),
    Column::text("NOMBRE DE VÍA", "nombre_via"),
    Column::text("CÓDIGO DE ZONA", "codigo_zona"),
    Column::text("TIPO DE ZONA", "tipo_zona"),
    Column::text("NÚMERO", "numero"),
    Column::text("INTERIOR", "interior"),
    Column::text("LOTE", "lote"),
    Column::text("DEPARTAMENTO", "departamento"),
    Column::text("MANZANA", "manzana"),
    Column::text("KILÓMETRO", "kilometro"),
];
/// Columns of the address.
pub(crate) const ADDRESS_COLUMNS: usize = 11;

/// Every taxpayer, with name, status, condition and address.
pub const PADRON: Dataset = Dataset {
    name: "padron",
    title: "Padrón reducido del RUC",
    page: "https://www.sunat.gob.pe/descargaPRR/mrc137_padron_reducido.html",
    address: "https://www2.sunat.gob.pe/padron_reducido_ruc.zip",
    plain_address: Some("http://www2.sunat.gob.pe/padron_reducido_ruc.zip"),
    rhythm: Rhythm::Daily,
    max_age_days: 7,
    file_names: &["padron_reducido_ruc.txt"],
    columns: &COLUMNS,
    role: DatasetRole::Summary,
    rows: RowsPerRuc::Unique,
    history: Some(&["nombre_o_razon_social", "estado", "condicion", "direccion", "ubigeo"]),
    limits: Limits { text: 4 << 30, ratio: 50 },
    guards: GuardLimits { rows_kept: 9_900, rejected_free: 100, rejected: 5, keys_kept: 9_950, gone_free: 0 },
    is_required: true,
    when_absent: RUC_FAILS,
    when_too_old: "Lo que contiene sigue respondiendo; un RUC que no está en ella se responde 503, porque podría ser nuevo.",
    ..DEFAULT
};
