//! Every dataset. To add one, describe it in its own file and put it in [`ALL`].

use thiserror::Error;

use super::anexos::ANEXOS;
use super::buenos_contribuyentes::BUENOS_CONTRIBUYENTES;
use super::datos_abiertos::DATOS_ABIERTOS;
use super::description::Dataset;
use super::padron::PADRON;
use super::percepcion_combustibles::PERCEPCION_COMBUSTIBLES;
use super::percepcion_venta_interna::PERCEPCION_VENTA_INTERNA;
use super::retencion::RETENCION;
use super::sanciones::SANCIONES;
use super::ssco::SSCO;

/// Every dataset, in the order of lists for people.
pub static ALL: [&Dataset; 9] = [
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
#[error("there is no dataset {name:?}; the datasets are {}", known())]
pub struct UnknownDataset {
    /// The name.
    pub name: String,
}

/// The dataset with this name.
///
/// # Errors
/// [`UnknownDataset`], whose text has the known names.
pub fn named(name: &str) -> Result<&'static Dataset, UnknownDataset> {
    let found = ALL.into_iter().find(|dataset| dataset.name == name);
    found.ok_or_else(|| UnknownDataset { name: name.to_owned() })
}

fn known() -> String {
    ALL.map(|dataset| dataset.name).join(", ")
}
