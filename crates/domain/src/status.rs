//! Taxpayer status (`estado`) and domicile condition (`condición`), with SUNAT's full texts.
//!
//! The full texts are those of SUNAT's forms. Its published registry truncates both columns to 20 characters ([`CUT`]).
//! A truncated text is read as the full one where that is known; no two full texts have the same first 20 characters.
//! A text that is in neither table is kept as it is. A source's placeholders (`-`, `----`) are read as the empty text.
//!
//! This module does not judge what a status permits.
//!
//! ```
//! use kuraka_domain::{DomicileCondition, TaxpayerStatus};
//!
//! assert_eq!(TaxpayerStatus::from_text("BAJA PROV. POR OFICI").as_str(), "BAJA PROV. POR OFICIO");
//! assert_eq!(DomicileCondition::from_text("HABIDO"), DomicileCondition::Found);
//! assert_eq!(TaxpayerStatus::from_text("PENDIENTE DE INI. DE").as_str(), "PENDIENTE DE INI. DE");
//! assert_eq!(DomicileCondition::from_text("-").as_str(), "");
//! ```

use std::fmt;

/// Number of characters to which the published registry truncates a status or condition.
pub const CUT: usize = 20;

macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$vdoc])* $variant,)+
            /// A text that is not in the published table, as the source gives it; empty if it gives none.
            Other(Box<str>),
        }

        impl $name {
            /// Every known value, in the order of SUNAT's codes.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant,)+];

            /// The full text, upper case.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Other(text) => text,
                }
            }

            /// Reads a full text or one truncated to [`CUT`] characters, and ignores blanks at the ends. An unknown text
            /// becomes [`Self::Other`], a placeholder becomes the empty one.
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

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

vocabulary! {
    /// The status of a taxpayer's registration.
    TaxpayerStatus {
        /// Code 00.
        Active = "ACTIVO",
        /// Code 01.
        ProvisionallyDeregistered = "BAJA PROVISIONAL",
        /// Code 02.
        ProvisionallyDeregisteredExOfficio = "BAJA PROV. POR OFICIO",
        /// Code 03.
        TemporarilySuspended = "SUSPENSION TEMPORAL",
        /// Code 10.
        Deregistered = "BAJA DEFINITIVA",
        /// Code 11.
        DeregisteredExOfficio = "BAJA DE OFICIO",
        /// Code 12.
        DeregisteredMultiple = "BAJA MULT.INSCR. Y OTROS",
        /// Code 20.
        InternalIdentification = "NUM. INTERNO IDENTIF.",
        /// Code 21.
        OtherObliged = "OTROS OBLIGADOS",
        /// Code 22.
        DisabledSingleWindow = "INHABILITADO-VENT.UNICA",
        /// Code 30.
        AnnulledByError = "ANULACION - ERROR SUNAT",
    }
}

vocabulary! {
    /// The condition of a taxpayer's domicile.
    DomicileCondition {
        /// Code 00.
        Found = "HABIDO",
        /// Code 01.
        NotFoundMoved = "NO HALLADO SE MUDO DE DOMICILIO",
        /// Code 02.
        NotFoundDied = "NO HALLADO FALLECIO",
        /// Code 03.
        NotFoundNoSuchDomicile = "NO HALLADO NO EXISTE DOMICILIO",
        /// Code 04.
        NotFoundClosed = "NO HALLADO CERRADO",
        /// Code 05.
        NotFoundNoSuchNumber = "NO HALLADO NRO.PUERTA NO EXISTE",
        /// Code 06.
        NotFoundUnknownAddressee = "NO HALLADO DESTINATARIO DESCONOCIDO",
        /// Code 07.
        NotFoundRefused = "NO HALLADO RECHAZADO",
        /// Code 08.
        NotFoundOtherReasons = "NO HALLADO OTROS MOTIVOS",
        /// Code 09.
        Pending = "PENDIENTE",
        /// Code 10.
        NotApplicable = "NO APLICABLE",
        /// Code 11.
        ToBeVerified = "POR VERIFICAR",
        /// Code 12.
        Missing = "NO HABIDO",
        /// Code 20.
        NotFound = "NO HALLADO",
        /// Code 21.
        NoSuchAddress = "NO EXISTE LA DIRECCION DECLARADA",
        /// Code 22.
        DomicileClosed = "DOMICILIO CERRADO",
        /// Code 23.
        ReceptionRefused = "NEGATIVA RECEPCION X PERSONA CAPAZ",
        /// Code 24.
        NoCapablePersonPresent = "AUSENCIA DE PERSONA CAPAZ",
        /// Code 25.
        NotApplicableReversion = "NO APLICABLE X TRAMITE DE REVERSION",
        /// Code 40.
        Returned = "DEVUELTO",
    }
}

/// A full text as the registry truncates it. Full texts are ASCII.
const fn cut(full: &str) -> &str {
    if full.len() <= CUT {
        return full;
    }
    // The reader of the registry trims its columns, so a blank at the end is gone.
    match str::from_utf8(full.split_at(CUT).0.as_bytes().trim_ascii_end()) {
        Ok(cut) => cut,
        Err(_) => full,
    }
}
