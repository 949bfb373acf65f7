//! Properties of the types: small, `Copy` where possible, always `Send` and `Sync`.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use kuraka_domain::{
    Amount, AmountError, Currency, CurrencyError, Date, DateError, DayRates, Dni, DniError, DomicileCondition,
    Envelope, ExchangeRate, ExchangeRateError, IssueDate, IssueDateError, IssuerCondition, IssuerStatus, ResultCode,
    ResultCodeError, Ruc, RucError, RucKind, TaxpayerStatus, TaxpayerType, TaxpayerTypeError, Ubigeo, UbigeoError,
    VoucherKind, VoucherKindError, VoucherNumber, VoucherNumberError, VoucherSeries, VoucherSeriesError, VoucherStatus,
    VoucherValidation,
};
use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

macro_rules! value {
    ($($name:ty),+) => { $(assert_impl_all!($name: Copy, Debug, Display, Eq, Ord, Hash, Send, Sync, Unpin);)+ };
}
value!(Ruc, Dni, Date, Ubigeo, Amount, VoucherKind, VoucherSeries, VoucherNumber);
value!(IssueDate, ResultCode, TaxpayerType, ExchangeRate, Currency);
assert_impl_all!(DayRates: Copy, Debug, Eq, Hash, Send, Sync);
assert_impl_all!(RucKind: Copy, Debug, Eq, Ord, Hash, Send, Sync);

macro_rules! record {
    ($($name:ty),+) => { $(assert_impl_all!($name: Clone, Debug, Eq, Send, Sync, Unpin);)+ };
}
record!(VoucherValidation);
#[cfg(feature = "service")]
record!(kuraka_domain::TaxpayerSummary, kuraka_domain::TaxpayerDetail);
record!(TaxpayerStatus, DomicileCondition, VoucherStatus, IssuerStatus, IssuerCondition);
assert_impl_all!(Envelope<VoucherValidation>: Clone, Debug, Eq, Send, Sync);

macro_rules! error {
    ($($name:ty),+) => { $(assert_impl_all!($name: Error, Copy, Eq, Send, Sync);)+ };
}
error!(RucError, DniError, DateError, UbigeoError, AmountError, IssueDateError, ResultCodeError, TaxpayerTypeError);
error!(VoucherKindError, VoucherNumberError, VoucherSeriesError, ExchangeRateError, CurrencyError);

assert_impl_all!(Ruc: TryFrom<u64>);
// A text alone is not enough to validate it.
assert_not_impl_any!(IssueDate: FromStr);
// No RUC, date or place can serve as a default.
assert_not_impl_any!(Ruc: Default);
assert_not_impl_any!(Dni: Default);
assert_not_impl_any!(Date: Default);
assert_not_impl_any!(Ubigeo: Default);

assert_eq_size!(Ruc, u64);
assert_eq_size!(Option<Ruc>, u64);
assert_eq_size!(Dni, u32);
assert_eq_size!(Date, u32);
assert_eq_size!(IssueDate, u32);
assert_eq_size!(Ubigeo, u32);
assert_eq_size!(VoucherSeries, u32);
assert_eq_size!(VoucherNumber, u64);
assert_eq_size!(Amount, i64);
assert_eq_size!(VoucherKind, u8);
