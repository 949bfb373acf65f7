//! The official datasets as data: where they are published, the form of their files, their columns, and the limits of a
//! plausible file.
//!
//! [`crate::reader`] reads a file by its [`Dataset`], so a new list needs no other code in this crate.

mod address;
mod anexos;
mod column;
mod datos_abiertos;
mod description;
mod file_form;
mod guard_limits;
mod lists;
pub(crate) mod padron;
mod sanciones;
mod ssco;
mod tipo_de_cambio;

pub(crate) use address::is_named;
pub use address::{addresses, with_month};
pub use anexos::ANEXOS;
pub use column::{Column, Content, DateForm, FieldKind, Rule, Value};
pub use datos_abiertos::DATOS_ABIERTOS;
pub(crate) use datos_abiertos::OPEN_DATA_MONTH;
pub use description::{Dataset, RecordForm, Rhythm, RowsPerRuc, Subjects};
pub use file_form::{Delimiter, Encoding, FileForm, Limits, LineEnd, Quoting, TextForm};
pub use guard_limits::GuardLimits;
pub use lists::{BUENOS_CONTRIBUYENTES, PERCEPCION_COMBUSTIBLES, PERCEPCION_VENTA_INTERNA, RETENCION};
pub use padron::PADRON;
pub use sanciones::SANCIONES;
pub use ssco::SSCO;
use thiserror::Error;
pub use tipo_de_cambio::TIPO_DE_CAMBIO;

/// Every dataset with editions, in the order in which people see them.
pub static ALL: &[&Dataset] = &[
    &PADRON,
    &RETENCION,
    &BUENOS_CONTRIBUYENTES,
    &PERCEPCION_VENTA_INTERNA,
    &PERCEPCION_COMBUSTIBLES,
    &ANEXOS,
    &DATOS_ABIERTOS,
    &SSCO,
    &SANCIONES,
];

/// Every dataset, in the same order.
pub fn described() -> impl Iterator<Item = &'static Dataset> + Clone {
    ALL.iter().copied().chain([&TIPO_DE_CAMBIO])
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no dataset {name:?}; the datasets are {}", names())]
pub struct UnknownDatasetError {
    pub name: String,
}

/// # Errors
/// [`UnknownDatasetError`], whose text has the known names.
pub fn named(name: &str) -> Result<&'static Dataset, UnknownDatasetError> {
    let found = described().find(|dataset| dataset.name == name);
    found.ok_or_else(|| UnknownDatasetError { name: name.to_owned() })
}

/// The names of all datasets, for messages.
pub fn names() -> String {
    described().map(|dataset| dataset.name).collect::<Vec<_>>().join(", ")
}
