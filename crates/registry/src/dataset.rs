//! The official datasets, described as data: where they are published, the form of their files, their columns, and the
//! limits of a plausible file.
//!
//! A dataset is one [`Dataset`] in a file of its own. [`crate::reader`] reads its published file by this description,
//! so a new dataset needs no other code. This module does not read files.

mod address;
mod anexos;
mod buenos_contribuyentes;
mod catalogue;
mod column;
mod datos_abiertos;
mod description;
mod file_form;
mod file_name;
mod folded;
mod guard_limits;
mod list;
pub(crate) mod padron;
mod percepcion_combustibles;
mod percepcion_venta_interna;
mod retencion;
mod sanciones;
mod ssco;
mod sunat_list;
mod table;
mod taxpayer_types;
mod value;

pub use address::addresses;
pub use anexos::ANEXOS;
pub use buenos_contribuyentes::BUENOS_CONTRIBUYENTES;
pub use catalogue::{ALL, UnknownDataset, named};
pub use column::{Column, Content, DateForm, FieldKind, Rule};
pub use datos_abiertos::DATOS_ABIERTOS;
pub use description::{Dataset, Rhythm, RowsPerRuc, Subjects};
pub use file_form::{Delimiter, Encoding, FileForm, Limits, LineEnd, Quoting, TextForm};
pub(crate) use file_name::is_named;
pub(crate) use folded::folded;
pub use folded::without_accents;
pub use guard_limits::GuardLimits;
pub use list::List;
pub use padron::PADRON;
pub use percepcion_combustibles::PERCEPCION_COMBUSTIBLES;
pub use percepcion_venta_interna::PERCEPCION_VENTA_INTERNA;
pub use retencion::RETENCION;
pub use sanciones::SANCIONES;
pub use ssco::SSCO;
pub use table::{Entry, Table};
pub use taxpayer_types::TAXPAYER_TYPES;
pub use value::Value;
