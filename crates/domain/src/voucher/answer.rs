//! SUNAT's answer about a voucher, with its codes for the voucher and the issuer.
//!
//! The tables are from SUNAT's manual for its integrated validation service, without the remarks in parentheses. An
//! unknown code is kept, with an empty text. The issuer's codes are a subset of [`status`](crate::status).
//!
//! ```
//! use kuraka_domain::VoucherStatus;
//!
//! let status = VoucherStatus::from_code("0001");
//! assert_eq!(status, VoucherStatus::Accepted);
//! assert_eq!((status.code(), status.text()), ("1", "ACEPTADO"));
//!
//! let unknown = VoucherStatus::from_code("9");
//! assert_eq!((unknown.code(), unknown.text()), ("9", ""));
//! ```

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt;

use super::{VoucherNumber, VoucherSeries};
use crate::text_value::text_value;
use crate::{DomicileCondition, Ruc, TaxpayerStatus};

/// Every status is an answer, `NO EXISTE` included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherValidation {
    /// As in the request.
    pub issuer: Ruc,
    /// As in the request.
    pub series: VoucherSeries,
    /// As in the request.
    pub number: VoucherNumber,
    /// The voucher's status.
    pub status: VoucherStatus,
    /// `None` if the answer has none, as for vouchers that do not exist.
    pub issuer_status: Option<IssuerStatus>,
    /// `None` if the answer has none.
    pub issuer_condition: Option<IssuerCondition>,
    /// Without their leading `- `; an accepted voucher may have some too.
    pub observations: Vec<String>,
}

macro_rules! code_table {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$vdoc:meta])* $variant:ident = $entry:expr,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$vdoc])* $variant,)+
            /// An unknown code.
            Other(Box<str>),
        }

        impl $name {
            /// By code.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant,)+];

            /// An unknown code is kept.
            #[must_use]
            pub fn from_code(code: &str) -> Self {
                match code {
                    $(code if is(code, const { $entry.0 }) => Self::$variant,)+
                    _ => Self::Other(code.into()),
                }
            }

            /// As in the table.
            #[must_use]
            pub fn code(&self) -> &str {
                match self {
                    $(Self::$variant => const { $entry.0 },)+
                    Self::Other(code) => code,
                }
            }

            /// Upper case; empty for an unknown code.
            #[must_use]
            pub const fn text(&self) -> &'static str {
                match self {
                    $(Self::$variant => const { $entry.1 },)+
                    Self::Other(_) => "",
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.code())
            }
        }

        text_value!($name, Infallible, |text| Ok(Self::from_code(text)), "a code of SUNAT's validation service");
    };
}

code_table! {
    /// The status of a voucher (`estadoCp`).
    VoucherStatus {
        /// Not reported by the issuer yet.
        NotFound = ("0", "NO EXISTE"),
        /// Reported and accepted.
        Accepted = ("1", "ACEPTADO"),
        /// Withdrawn by the issuer.
        Annulled = ("2", "ANULADO"),
        /// Printed within an authorised range.
        Authorised = ("3", "AUTORIZADO"),
        /// Printed outside every authorised range.
        NotAuthorised = ("4", "NO AUTORIZADO"),
    }
}

code_table! {
    /// The issuer's registration (`estadoRuc`).
    IssuerStatus {
        /// Active.
        Active = TaxpayerStatus::Active.entry(),
        /// Provisionally deregistered.
        ProvisionallyDeregistered = TaxpayerStatus::ProvisionallyDeregistered.entry(),
        /// Provisionally deregistered ex officio.
        ProvisionallyDeregisteredExOfficio = TaxpayerStatus::ProvisionallyDeregisteredExOfficio.entry(),
        /// Temporarily suspended.
        TemporarilySuspended = TaxpayerStatus::TemporarilySuspended.entry(),
        /// Deregistered.
        Deregistered = TaxpayerStatus::Deregistered.entry(),
        /// Deregistered ex officio.
        DeregisteredExOfficio = TaxpayerStatus::DeregisteredExOfficio.entry(),
        /// Disabled by the single window.
        DisabledSingleWindow = TaxpayerStatus::DisabledSingleWindow.entry(),
    }
}

code_table! {
    /// The condition of the issuer's domicile (`condDomiRuc`).
    IssuerCondition {
        /// Found at the domicile.
        Found = DomicileCondition::Found.entry(),
        /// Pending.
        Pending = DomicileCondition::Pending.entry(),
        /// To be verified.
        ToBeVerified = DomicileCondition::ToBeVerified.entry(),
        /// Declared missing.
        Missing = DomicileCondition::Missing.entry(),
        /// Not found at the domicile.
        NotFound = DomicileCondition::NotFound.entry(),
    }
}

/// Leading zeros of an issuer's code are ignored. A voucher's code has none: in SUNAT's SOAP service `0002` and `0003` mean
/// something else than `2` and `3`, and only `0001` means the same.
fn is(code: &str, known: &str) -> bool {
    let is_issuers = known.len() == 2 && !code.is_empty();
    code == known
        || is_issuers && code.trim_start_matches('0') == known.trim_start_matches('0')
        || (code, known) == ("0001", "1")
}
