//! Builds and publishes an edition of any dataset, from its published file or from a finished edition.
//!
//! Rows are read by [`crate::reader`], encoded, sorted as the padrón's are, written aside, verified, compared with the
//! edition before, and only then moved to their place. The padrón has an importer of its own, which is used for it.

mod adopt;
mod build;
mod builder;
mod guards;
mod padron;
mod publication;
mod report;
mod request;
mod run;
mod sort;
mod write;

pub use report::DatasetReport;
pub use request::DatasetImport;
pub use run::import_dataset;
#[cfg(test)]
pub(crate) use run::import_dataset_on;
