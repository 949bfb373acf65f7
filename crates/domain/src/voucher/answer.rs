//! SUNAT's answer about a voucher, and its codes for the status of the voucher and of its issuer.
//!
//! The three tables are from SUNAT's manual for its integrated validation service, without the manual's remarks in
//! parentheses. An unknown code is kept, with an empty text. The issuer's codes are a subset of [`status`](crate::status).
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

/// SUNAT's answer about one voucher. Every status is an answer, `NO EXISTE` included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherValidation {
    /// The issuer in the request.
    pub issuer: Ruc,
    /// The series in the request.
    pub series: VoucherSeries,
    /// The number in the request, as it was written.
    pub number: VoucherNumber,
    /// The voucher's status.
    pub status: VoucherStatus,
    /// The issuer's registration; `None` if the answer has none, as for vouchers that do not exist.
    pub issuer_status: Option<IssuerStatus>,
    /// The issuer's domicile; `None` if the answer has none.
    pub issuer_condition: Option<IssuerCondition>,
    /// SUNAT's remarks, without their leading `- `. An accepted voucher may have some too.
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
            /// An unknown code, as the source gives it.
            Other(Box<str>),
        }

        impl $name {
            /// Every value of the table, ordered by code.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant,)+];

            /// Reads a code, ignoring leading zeros. An unknown code is kept as it is.
            #[must_use]
            pub fn from_code(code: &str) -> Self {
                match significant(code.as_bytes()) {
                    $(digits if digits == const { significant($entry.0.as_bytes()) } => Self::$variant,)+
                    _ => Self::Other(code.into()),
                }
            }

            /// The code, as the table writes it.
            #[must_use]
            pub fn code(&self) -> &str {
                match self {
                    $(Self::$variant => const { $entry.0 },)+
                    Self::Other(code) => code,
                }
            }

            /// The table's text, upper case; empty for an unknown code.
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
        /// The issuer has not reported this voucher. It may still do so.
        NotFound = ("0", "NO EXISTE"),
        /// The issuer reported it and SUNAT accepted it.
        Accepted = ("1", "ACEPTADO"),
        /// The issuer withdrew it.
        Annulled = ("2", "ANULADO"),
        /// A printed voucher within an authorised range.
        Authorised = ("3", "AUTORIZADO"),
        /// A printed voucher outside every authorised range.
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

/// A code without its leading zeros. The last character is always kept.
const fn significant(mut code: &[u8]) -> &[u8] {
    while let [b'0', rest @ ..] = code {
        if rest.is_empty() {
            break;
        }
        code = rest;
    }
    code
}
