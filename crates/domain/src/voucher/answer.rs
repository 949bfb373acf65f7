//! SUNAT's codes for the status of a voucher and of its issuer.
//!
//! The three tables are those of SUNAT's manual for its integrated validation service, without the manual's remarks in
//! parentheses. A code that is not in the table is kept, with an empty text.
//! [`status`](crate::status) has the registry's words for the same ideas.
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

macro_rules! code_table {
    (
        $(#[$doc:meta])*
        $name:ident { $($(#[$vdoc:meta])* $variant:ident = $code:literal $text:literal,)+ }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$vdoc])* $variant,)+
            /// A code that is not in the table, as the source gives it.
            Other(Box<str>),
        }

        impl $name {
            /// Every value of the table, ordered by code.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant,)+];

            /// Reads a code and ignores its leading zeros. A code that is not in the table is kept as it is.
            #[must_use]
            pub fn from_code(code: &str) -> Self {
                match significant(code) {
                    $(digits if digits == const { significant($code) } => Self::$variant,)+
                    _ => Self::Other(code.into()),
                }
            }

            /// The code, as the table writes it.
            #[must_use]
            pub fn code(&self) -> &str {
                match self {
                    $(Self::$variant => $code,)+
                    Self::Other(code) => code,
                }
            }

            /// The table's text, upper case; empty for a code that is not in the table.
            #[must_use]
            pub const fn text(&self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(_) => "",
                }
            }
        }
    };
}

code_table! {
    /// The status of a voucher (`estadoCp`).
    VoucherStatus {
        /// The issuer has not reported this voucher. It may still do so.
        NotFound = "0" "NO EXISTE",
        /// The issuer reported it and SUNAT accepted it.
        Accepted = "1" "ACEPTADO",
        /// The issuer withdrew it.
        Annulled = "2" "ANULADO",
        /// A printed voucher within an authorised range.
        Authorised = "3" "AUTORIZADO",
        /// A printed voucher outside every authorised range.
        NotAuthorised = "4" "NO AUTORIZADO",
    }
}

code_table! {
    /// The issuer's registration (`estadoRuc`).
    IssuerStatus {
        /// Active.
        Active = "00" "ACTIVO",
        /// Provisionally deregistered.
        ProvisionallyDeregistered = "01" "BAJA PROVISIONAL",
        /// Provisionally deregistered ex officio.
        ProvisionallyDeregisteredExOfficio = "02" "BAJA PROV. POR OFICIO",
        /// Temporarily suspended.
        TemporarilySuspended = "03" "SUSPENSION TEMPORAL",
        /// Deregistered.
        Deregistered = "10" "BAJA DEFINITIVA",
        /// Deregistered ex officio.
        DeregisteredExOfficio = "11" "BAJA DE OFICIO",
        /// Disabled by the single window.
        DisabledSingleWindow = "22" "INHABILITADO-VENT.UNICA",
    }
}

code_table! {
    /// The condition of the issuer's domicile (`condDomiRuc`).
    IssuerCondition {
        /// Found at the domicile.
        Found = "00" "HABIDO",
        /// Pending.
        Pending = "09" "PENDIENTE",
        /// To be verified.
        ToBeVerified = "11" "POR VERIFICAR",
        /// Declared missing.
        Missing = "12" "NO HABIDO",
        /// Not found at the domicile.
        NotFound = "20" "NO HALLADO",
    }
}

/// A code without its leading zeros. The last character always stays.
const fn significant(code: &str) -> &str {
    let mut rest = code;
    while let [b'0', _, ..] = rest.as_bytes() {
        rest = rest.split_at(1).1;
    }
    rest
}
