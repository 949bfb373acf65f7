//! Every dataset. To add one, describe it in its own file and put it in [`ALL`].

use thiserror::Error;

use super::anexos::ANEXOS;
use super::datos_abiertos::DATOS_ABIERTOS;
use super::description::Dataset;
use super::lists::{BUENOS_CONTRIBUYENTES, PERCEPCION_COMBUSTIBLES, PERCEPCION_VENTA_INTERNA, RETENCION};
use super::padron::PADRON;
use super::sanciones::SANCIONES;
use super::ssco::SSCO;

/// Every dataset, in the order of lists for people.
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

/// No dataset has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no dataset {name:?}; the datasets are {}", names())]
pub struct UnknownDataset {
    /// The name.
    pub name: String,
}

/// The dataset with this name.
///
/// # Errors
/// [`UnknownDataset`], whose text has the known names.
pub fn named(name: &str) -> Result<&'static Dataset, UnknownDataset> {
    let found = ALL.iter().find(|dataset| dataset.name == name).copied();
    found.ok_or_else(|| UnknownDataset { name: name.to_owned() })
}

/// The names of all datasets, for messages.
#[must_use]
pub fn names() -> String {
    ALL.iter().map(|dataset| dataset.name).collect::<Vec<_>>().join(", ")
}
