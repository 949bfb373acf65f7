//! Tests of the crate through its public API.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "helpers of tests may fail as tests do")]

mod amount;
#[cfg(any(feature = "chrono", feature = "jiff"))]
mod conversions;
mod date;
mod dni;
mod envelope;
mod exchange_rate;
#[cfg(feature = "service")]
mod full_address;
mod hostile;
mod issue_date;
mod name;
mod ruc;
#[cfg(feature = "serde")]
mod serde_text;
mod series;
mod status;
mod taxpayer_type;
mod text;
mod traits;
mod ubigeo;
mod voucher_answer;
mod voucher_kind;
mod voucher_number;
