//! The kinds of voucher that SUNAT validates. Codes 01, 03, 07 and 08 are from its catalogue 01; its service uses 04,
//! R1 and R7 besides.

use core::fmt;

use crate::text_value::{error_texts, text_value};

/// A kind of voucher that SUNAT validates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VoucherKind {
    /// `01`, factura: an invoice.
    Invoice,
    /// `03`, boleta de venta: a sales receipt.
    SalesReceipt,
    /// `04`, liquidación de compra: issued by the buyer if the seller cannot issue vouchers.
    PurchaseSettlement,
    /// `07`, nota de crédito.
    CreditNote,
    /// `08`, nota de débito.
    DebitNote,
    /// `R1`, recibo por honorarios: a professional's fee receipt.
    FeeReceipt,
    /// `R7`, nota de crédito of a fee receipt.
    FeeCreditNote,
}

/// Why a text is not the code of a [`VoucherKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoucherKindError {
    /// Not two characters.
    Length {
        /// Characters found.
        found: usize,
    },
    /// No kind has this code.
    Unknown {
        /// The two characters.
        found: [char; 2],
    },
}

error_texts!(VoucherKindError {
    Self::Length { found } => "the code of a voucher's kind has 2 characters, this has {found}";
    Self::Unknown { found: [first, second] } =>
        "a voucher's kind is 01, 03, 04, 07, 08, R1 or R7, this is {}{}", first.escape_debug(), second.escape_debug();
});

impl VoucherKind {
    /// By code.
    pub const ALL: [Self; 7] = [
        Self::Invoice,
        Self::SalesReceipt,
        Self::PurchaseSettlement,
        Self::CreditNote,
        Self::DebitNote,
        Self::FeeReceipt,
        Self::FeeCreditNote,
    ];

    /// Without trimming or changing case.
    ///
    /// # Errors
    /// [`VoucherKindError`].
    pub fn parse(text: &str) -> Result<Self, VoucherKindError> {
        Self::ALL.into_iter().find(|kind| kind.code() == text).ok_or_else(|| {
            let mut characters = text.chars();
            match (characters.next(), characters.next(), characters.next()) {
                (Some(first), Some(second), None) => VoucherKindError::Unknown { found: [first, second] },
                _ => VoucherKindError::Length { found: text.chars().count() },
            }
        })
    }

    /// Two characters.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Invoice => "01",
            Self::SalesReceipt => "03",
            Self::PurchaseSettlement => "04",
            Self::CreditNote => "07",
            Self::DebitNote => "08",
            Self::FeeReceipt => "R1",
            Self::FeeCreditNote => "R7",
        }
    }
}

impl fmt::Display for VoucherKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

text_value!(VoucherKind, VoucherKindError, Self::parse, "a voucher kind: 01, 03, 04, 07, 08, R1 or R7");
