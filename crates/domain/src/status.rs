//! Taxpayer status (`estado`) and domicile condition (`condición`), with the full texts of SUNAT's forms.
//!
//! SUNAT's registry truncates both columns to 20 characters ([`CUT`]), by which full texts still differ. An unknown
//! text is kept; a placeholder (`-`, `----`) becomes the empty text.
//!
//! ```
//! use kuraka_domain::{DomicileCondition, TaxpayerStatus};
//!
//! assert_eq!(TaxpayerStatus::from_text("BAJA PROV. POR OFICI").as_str(), "BAJA PROV. POR OFICIO");
//! assert_eq!(DomicileCondition::from_text("HABIDO"), DomicileCondition::Found);
//! assert_eq!(TaxpayerStatus::from_text("PENDIENTE DE INI. DE").as_str(), "PENDIENTE DE INI. DE");
//! assert_eq!(DomicileCondition::from_text("-").as_str(), "");
//! ```

use alloc::boxed::Box;
use core::convert::Infallible;
use core::fmt;

use crate::text_value::text_value;

/// Characters to which the registry truncates a status or condition.
pub const CUT: usize = 20;

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $code:literal $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(#[doc = concat!("Code ", $code, ", `", $text, "`.")] $variant,)+
            /// An unpublished text as the source gives it; may be empty.
            Other(Box<str>),
        }

        impl $name {
            /// In the order of SUNAT's codes.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant,)+];

            /// In full, upper case.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text,
                }
            }

            /// Reads a full text or one truncated to [`CUT`] characters, ignoring blanks at the ends.
            #[must_use]
            pub fn from_text(text: &str) -> Self {
                match text.trim() {
                    $($text => Self::$variant,)+
                    // Runs on every row of the registry: most comparisons end at the length.
                    $(text if text == const { cut($text) } => Self::$variant,)+
                    text if text.bytes().all(|byte| byte == b'-') => Self::Other("".into()),
                    text => Self::Other(text.into()),
                }
            }

            /// Two digits; empty for a text outside the published table.
            #[must_use]
            pub const fn code(&self) -> &'static str {
                self.entry().0
            }

            /// Both empty for a text outside the published table.
            pub(crate) const fn entry(&self) -> (&'static str, &'static str) {
                match self {
                    $(Self::$variant => ($code, $text),)+
                    Self::Other(_) => ("", ""),
                }
            }

            /// Whether the text is in the published table.
            #[must_use]
            pub const fn is_known(&self) -> bool {
                !matches!(self, Self::Other(_))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        text_value!($name, Infallible, |text| Ok(Self::from_text(text)), "a text of SUNAT's registry");
    };
}

vocabulary! {
    /// The status of a taxpayer's registration.
    TaxpayerStatus {
        Active = "00" "ACTIVO",
        ProvisionallyDeregistered = "01" "BAJA PROVISIONAL",
        ProvisionallyDeregisteredExOfficio = "02" "BAJA PROV. POR OFICIO",
        TemporarilySuspended = "03" "SUSPENSION TEMPORAL",
        ProvisionallyAnnulledByUnlawfulAct = "04" "ANUL.PROVI.-ACTO ILICITO",
        Deregistered = "10" "BAJA DEFINITIVA",
        DeregisteredExOfficio = "11" "BAJA DE OFICIO",
        DeregisteredMultiple = "12" "BAJA MULT.INSCR. Y OTROS",
        InternalIdentification = "20" "NUM. INTERNO IDENTIF.",
        OtherObliged = "21" "OTROS OBLIGADOS",
        DisabledSingleWindow = "22" "INHABILITADO-VENT.UNICA",
        AnnulledByError = "30" "ANULACION - ERROR SUNAT",
        AnnulledByUnlawfulAct = "31" "ANULACION - ACTO ILICITO",
    }
}

vocabulary! {
    /// The condition of a taxpayer's domicile.
    DomicileCondition {
        Found = "00" "HABIDO",
        NotFoundMoved = "01" "NO HALLADO SE MUDO DE DOMICILIO",
        NotFoundDied = "02" "NO HALLADO FALLECIO",
        NotFoundNoSuchDomicile = "03" "NO HALLADO NO EXISTE DOMICILIO",
        NotFoundClosed = "04" "NO HALLADO CERRADO",
        NotFoundNoSuchNumber = "05" "NO HALLADO NRO.PUERTA NO EXISTE",
        NotFoundUnknownAddressee = "06" "NO HALLADO DESTINATARIO DESCONOCIDO",
        NotFoundRefused = "07" "NO HALLADO RECHAZADO",
        NotFoundOtherReasons = "08" "NO HALLADO OTROS MOTIVOS",
        Pending = "09" "PENDIENTE",
        NotApplicable = "10" "NO APLICABLE",
        ToBeVerified = "11" "POR VERIFICAR",
        Missing = "12" "NO HABIDO",
        NotFound = "20" "NO HALLADO",
        NoSuchAddress = "21" "NO EXISTE LA DIRECCION DECLARADA",
        DomicileClosed = "22" "DOMICILIO CERRADO",
        ReceptionRefused = "23" "NEGATIVA RECEPCION X PERSONA CAPAZ",
        NoCapablePersonPresent = "24" "AUSENCIA DE PERSONA CAPAZ",
        NotApplicableReversion = "25" "NO APLICABLE X TRAMITE DE REVERSION",
        Returned = "40" "DEVUELTO",
    }
}

/// Full texts are ASCII.
const fn cut(full: &str) -> &str {
    if full.len() <= CUT {
        return full;
    }
    // The reader trims its columns.
    match core::str::from_utf8(full.as_bytes().split_at(CUT).0.trim_ascii_end()) {
        Ok(cut) => cut,
        Err(_) => full,
    }
}
