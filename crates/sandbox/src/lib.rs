//! A sandbox that replaces the outside world: SUNAT's data in its published form, and a server that answers like SUNAT
//! and the providers, faults included.
//!
//! [`sample`] is the piece of every dataset that demonstrations import; [`padron`] and [`dataset`] generate files of any
//! size for tests and measurements; [`upstream`] is a server that answers like SUNAT's page, its voucher service and the
//! providers.
//!
//! This crate must not depend on the code that reads its data (the adapters, the registry): a mistake shared by both
//! sides would not be noticed. Of the workspace it depends only on the domain.

pub mod dataset;
pub mod padron;
pub mod sample;
pub mod upstream;
pub mod workbook;
pub mod zip_file;
