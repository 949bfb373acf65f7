//! The monthly PadronRUC of the open data: type, activities, workers and systems of legal persons. Rows of natural
//! persons have their district, which the padrón withholds, so they are not kept.

use kuraka_domain::DatasetRole;

use super::column::{Column, FieldKind};
use super::description::{DEFAULT, Dataset, Rhythm, Subjects};
use super::file_form::{Delimiter, FileForm, Limits, LineEnd, Quoting, TextForm};
use super::guard_limits::GuardLimits;

/// Answers take status, condition and place from the padrón, which is newer.
const COLUMNS: [Column; 16] = [
    Column::ruc("RUC"),
    Column::text("Estado", "estado"),
    Column::text("Condicion", "condicion"),
    Column::field("Tipo", "tipo_contribuyente", FieldKind::TaxpayerType),
    Column::text("Actividad_Economica_CIIU_revision3_Principal", "actividad_ciiu3_principal"),
    Column::text("Actividad_Economica_CIIU_revision3_Secundaria", "actividad_ciiu3_secundaria"),
    Column::text("Actividad_Economica_CIIU_revision4_Principal", "actividad_ciiu4_principal"),
    Column::field("NroTrab", "trabajadores", FieldKind::Integer),
    Column::text("TipoFacturacion", "sistema_emision"),
    Column::text("TipoContabilidad", "sistema_contabilidad"),
    Column::text("ComercioExterior", "actividad_comercio_exterior"),
    Column::field("UBIGEO", "ubigeo", FieldKind::Ubigeo),
    Column::dropped("Departamento"),
    Column::dropped("Provincia"),
    Column::dropped("Distrito"),
    Column::field("PERIODO_PUBLICACION", "periodo", FieldKind::Month).required(),
];

/// The columns read of a past month; the others may be any.
const MONTH_COLUMNS: [Column; 4] = [
    Column::ruc("RUC"),
    Column::text("Estado", "estado"),
    Column::text("Condicion", "condicion"),
    Column::field("PERIODO_PUBLICACION", "periodo", FieldKind::Month).required(),
];

/// The open data as read for the [monthly history](crate::months).
pub(crate) static OPEN_DATA_MONTH: Dataset = Dataset { columns: &MONTH_COLUMNS, ..DATOS_ABIERTOS };

/// Delimiter and encoding changed from month to month; no quoting was seen, but would be read.
pub const DATOS_ABIERTOS: Dataset = Dataset {
    name: "datos_abiertos",
    title: "Padrón RUC de datos abiertos",
    licence: "ODC-BY 1.0 (Open Data Commons Attribution License)",
    attribution: "Contiene información de «Padrón RUC» de SUNAT, publicada en la Plataforma Nacional de Datos \
                  Abiertos (datosabiertos.gob.pe) bajo la licencia ODC-BY",
    page: "https://www.datosabiertos.gob.pe/dataset/\
           padr%C3%B3n-ruc-superintendencia-nacional-de-aduanas-y-de-administraci%C3%B3n-tributaria-sunat",
    address: "https://www.datosabiertos.gob.pe/sites/default/files/PadronRUC_{AAAAMM}.zip",
    // The server answers 418 to some clients, and to a URL in this text.
    user_agent: Some(concat!("Kuraka/", env!("CARGO_PKG_VERSION"))),
    rhythm: Rhythm::Monthly,
    max_age_days: 75,
    file_names: &["PadronRUC_{AAAAMM}.csv", "PadronRUC_{AAAAMM}.txt"],
    form: FileForm::Text(TextForm { delimiter: Delimiter::Sniffed, line_end: LineEnd::Lf, quoting: Quoting::Csv }),
    columns: &COLUMNS,
    role: DatasetRole::OpenData,
    absent: &["-", "NO DISPONIBLE"],
    subjects: Subjects::LegalPersons,
    // The file has 3.55 GB and grows.
    limits: Limits { text: 16 << 30, ratio: 50 },
    guards: GuardLimits { rows_kept: 9_700, rejected: 10, ..DEFAULT.guards },
    when_too_old: "Falta una edición más reciente; /ruc-official no responde con esta.",
    ..DEFAULT
};
