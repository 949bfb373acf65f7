//! Peruvian tax data as types: who a taxpayer is (RUC, status, domicile), what a payment voucher is
//! (kind, series, number, amount, date), where a place is (ubigeo), and the envelope in which answers travel.
//!
//! A value that exists is valid: only `parse` and `try_from` build one, and every refusal carries the evidence.
//! This crate knows no HTTP, no storage, no clock and no source of data.

pub mod date;
pub mod envelope;
pub mod record;
pub mod ruc;
pub mod status;
pub mod ubigeo;

pub use date::{Date, DateError};
pub use envelope::{Envelope, ResultCode};
pub use record::TaxpayerSummary;
pub use ruc::{Ruc, RucError, RucKind};
pub use status::{DomicileCondition, TaxpayerStatus};
pub use ubigeo::{Ubigeo, UbigeoError};
