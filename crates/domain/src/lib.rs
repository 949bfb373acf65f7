//! Peruvian tax data as types: taxpayers, payment vouchers, places, and the envelope of the service's answers.
//!
//! Every value is valid, because only `parse`, `from_str` and `try_from` build one. An error holds the values that
//! caused it. The page of each module specifies what the module accepts.
//! This crate does not depend on HTTP, storage, a clock or a source of data.
//!
//! | module | content |
//! |---|---|
//! | [`ruc`] | [`Ruc`], the 11-digit taxpayer number: prefix, body, check digit; [`RucKind`] |
//! | [`status`] | [`TaxpayerStatus`] and [`DomicileCondition`], with their full and truncated texts |
//! | [`ubigeo`] | [`Ubigeo`], INEI's code of a district, with the names of all districts |
//! | [`date`] | [`Date`], a calendar day, in the two forms Peru's tax data uses |
//! | [`voucher`] | [`VoucherKind`], [`VoucherSeries`], [`VoucherNumber`], [`Amount`], [`IssueDate`]; SUNAT's answer: [`VoucherStatus`], [`IssuerStatus`], [`IssuerCondition`] |
//! | [`record`] | [`TaxpayerSummary`], [`TaxpayerProfile`], [`TaxpayerDetail`], [`VoucherValidation`]: what lookups return |
//! | [`envelope`] | [`Envelope`] and the closed set of its [`ResultCode`]s |
//!
//! ```
//! use kuraka_domain::{Ruc, RucError, RucKind, Ubigeo, VoucherKind, VoucherSeries};
//!
//! let ruc: Ruc = "20131312955".parse()?;
//! assert_eq!(ruc.kind(), RucKind::LegalPerson);
//!
//! let refusal = "20131312956".parse::<Ruc>().unwrap_err();
//! assert_eq!(refusal, RucError::CheckDigit { found: 6, expected: 5 });
//! assert_eq!(refusal.to_string(), "the check digit is 6, the first ten digits demand 5");
//!
//! let place: Ubigeo = "070101".parse()?;
//! assert_eq!(place.department(), "CALLAO");
//!
//! let series = VoucherSeries::parse(VoucherKind::SalesReceipt, "B001")?;
//! assert!(!series.is_physical());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! `serde` (off by default) serialises the small values as strings, and [`Envelope`] with its fields in the contract's
//! order. It does not serialise the records, because this crate does not define their JSON.
//!
//! # Privacy
//!
//! A RUC with a prefix other than 20 may belong to a natural person. `Debug` masks such a number, `Display` does not.

pub mod date;
pub mod envelope;
pub mod record;
pub mod ruc;
#[cfg(feature = "serde")]
mod serde_text;
pub mod status;
pub mod ubigeo;
pub mod voucher;

pub use date::{Date, DateError};
pub use envelope::{Envelope, ResultCode};
pub use record::{
    ActivityRank, AnnexPremises, EconomicActivity, ElectronicIssuing, ListMembership, OpenData, OperatingIncapacity,
    Sanction, TaxpayerDetail, TaxpayerProfile, TaxpayerSummary, VoucherValidation,
};
pub use ruc::{Ruc, RucError, RucKind};
pub use status::{DomicileCondition, TaxpayerStatus};
pub use ubigeo::{Ubigeo, UbigeoError};
pub use voucher::{
    Amount, AmountError, IssueDate, IssueDateError, IssuerCondition, IssuerStatus, SeriesForm, Voucher, VoucherKind,
    VoucherKindError, VoucherNumber, VoucherNumberError, VoucherSeries, VoucherSeriesError, VoucherStatus,
};

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
