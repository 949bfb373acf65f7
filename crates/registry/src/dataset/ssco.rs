//! The subjects without operating capacity (sujetos sin capacidad operativa, Legislative Decree 1532): their vouchers
//! give no tax credit from the day on which the resolution became final.

use kuraka_domain::DatasetRole;

use super::column::{Column, DateForm, FieldKind};
use super::description::{DEFAULT, Dataset, Rhythm};
use super::file_form::{FileForm, Limits};
use super::guard_limits::GuardLimits;
use super::lists::BROWSER;

const DATE: FieldKind = FieldKind::Date(DateForm::DayMonthYear);

/// Representatives are natural persons and are not read; name and address are the padrón's.
const COLUMNS: [Column; 9] = [
    Column::ruc("RUC"),
    Column::dropped("Razón social"),
    Column::dropped("Domicilio fiscal"),
    Column::text("Resolución de atribución como SSCO", "resolucion"),
    Column::field("Fecha de emisión de la resolución de atribución", "fecha_resolucion", DATE),
    Column::field("Fecha en la que la resolución de atribución quedó firme", "firme_desde", DATE),
    Column::dropped("RUC o documento de identidad del representante legal"),
    Column::dropped("Apellidos y nombres del representante legal"),
    Column::field("Fecha de publicación", "fecha_publicacion", DATE),
];

pub const SSCO: Dataset = Dataset {
    name: "ssco",
    title: "Sujetos sin capacidad operativa",
    page: "https://www.sunat.gob.pe/padronesnotificaciones/sujeSinCapacidadOperativa.html",
    address: "https://www.sunat.gob.pe/padronesnotificaciones/ssco/sujesincapacidadOperativa.xlsx",
    user_agent: Some(BROWSER),
    rhythm: Rhythm::Monthly,
    max_age_days: 120,
    file_names: &["sujesincapacidadOperativa.xlsx"],
    form: FileForm::Workbook,
    columns: &COLUMNS,
    role: DatasetRole::Capacity,
    absent: &["-"],
    history: Some(&[]),
    limits: Limits { text: 32 << 20, ratio: 100 },
    guards: GuardLimits { rows_kept: 5_000, rejected_free: 5, ..DEFAULT.guards },
    when_too_old: "Falta una edición más reciente; la consulta de capacidad operativa responde 503.",
    ..DEFAULT
};
