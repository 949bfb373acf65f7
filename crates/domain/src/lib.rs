//! Peruvian tax data as types: taxpayers, payment vouchers, places, and the envelope of the service's answers.

#![no_std]
// The README's example reads JSON.
#![cfg_attr(any(not(doctest), feature = "serde"), doc = include_str!("../README.md"))]

extern crate alloc;

pub mod date;
pub mod dni;
pub mod envelope;
pub mod exchange_rate;
pub mod name;
#[cfg(feature = "service")]
pub mod record;
pub mod ruc;
pub mod status;
pub mod taxpayer_type;
pub mod text;
mod text_value;
pub mod ubigeo;
pub mod voucher;

pub use date::{Date, DateError};
pub use dni::{Dni, DniError};
pub use envelope::{Envelope, ErrorDates, ResultCode, ResultCodeError};
pub use exchange_rate::{Currency, CurrencyError, DayRates, ExchangeRate, ExchangeRateError};
#[cfg(feature = "service")]
pub use record::*;
pub use ruc::{Ruc, RucError, RucKind};
pub use status::{DomicileCondition, TaxpayerStatus};
pub use taxpayer_type::{TaxpayerType, TaxpayerTypeError};
pub use ubigeo::{Ubigeo, UbigeoError};
pub use voucher::*;
