//! Properties of the types: small, `Copy` where possible, always `Send` and `Sync`.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use kuraka_domain::{
    Amount, AmountError, Date, DateError, DomicileCondition, Envelope, IssueDate, IssueDateError, IssuerCondition,
    IssuerStatus, ResultCode, Ruc, RucError, RucKind, TaxpayerDetail, TaxpayerStatus, TaxpayerSummary, Ubigeo,
    UbigeoError, VoucherKind, VoucherKindError, VoucherNumber, VoucherNumberError, VoucherSeries, VoucherSeriesError,
    VoucherStatus, VoucherValidation,
};
use static_assertions::{assert_eq_size, assert_impl_all, assert_not_impl_any};

macro_rules! value {
    ($($name:ty),+) => { $(assert_impl_all!($name: Copy, Debug, Display, Eq, Ord, Hash, Send, Sync, Unpin);)+ };
}
value!(Ruc, Date, Ubigeo, Amount, VoucherKind, VoucherSeries, VoucherNumber, IssueDate, ResultCode);
assert_impl_all!(RucKind: Copy, Debug, Eq, Ord, Hash, Send, Sync);

macro_rules! record {
    ($($name:ty),+) => { $(assert_impl_all!($name: Clone, Debug, Eq, Send, Sync, Unpin);)+ };
}
record!(TaxpayerSummary, TaxpayerDetail, VoucherValidation);
record!(TaxpayerStatus, DomicileCondition, VoucherStatus, IssuerStatus, IssuerCondition);
assert_impl_all!(Envelope<TaxpayerSummary>: Clone, Debug, Send, Sync);

macro_rules! error {
    ($($name:ty),+) => { $(assert_impl_all!($name: std::error::Error, Clone, Eq, Send, Sync);)+ };
}
error!(RucError, DateError, UbigeoError, AmountError, IssueDateError);
error!(VoucherKindError, VoucherNumberError, VoucherSeriesError);

assert_impl_all!(Ruc: FromStr, TryFrom<u64>);
// A text alone is not enough to validate these.
assert_not_impl_any!(VoucherSeries: FromStr);
assert_not_impl_any!(IssueDate: FromStr);
// No RUC, date or place can serve as a default.
assert_not_impl_any!(Ruc: Default);
assert_not_impl_any!(Date: Default);
assert_not_impl_any!(Ubigeo: Default);

assert_eq_size!(Ruc, u64);
assert_eq_size!(Option<Ruc>, u64);
assert_eq_size!(Date, u32);
assert_eq_size!(IssueDate, u32);
assert_eq_size!(Ubigeo, u32);
assert_eq_size!(VoucherSeries, u32);
assert_eq_size!(VoucherNumber, u64);
assert_eq_size!(Amount, i64);
assert_eq_size!(VoucherKind, u8);

#[cfg(feature = "serde")]
mod with_serde {
    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use static_assertions::{assert_impl_all, assert_not_impl_any};

    use super::{Amount, Date, IssueDate, Ruc, Ubigeo, VoucherKind, VoucherNumber, VoucherSeries};

    macro_rules! text {
        ($($name:ty),+) => { $(assert_impl_all!($name: Serialize, DeserializeOwned);)+ };
    }
    text!(Ruc, Date, Ubigeo, Amount, VoucherKind, VoucherNumber);
    assert_impl_all!(VoucherSeries: Serialize);
    assert_impl_all!(IssueDate: Serialize);
    assert_not_impl_any!(VoucherSeries: DeserializeOwned);
    assert_not_impl_any!(IssueDate: DeserializeOwned);
}
