//! A voucher's series, whose form shows where the voucher was issued.
//!
//! | kind | electronic | portal | physical |
//! |---|---|---|---|
//! | 01 | `F` and three more (`F001`, `FP01`) | `E001` | one to four digits (`0001`) |
//! | 03 | `B` and three more (`B190`) | `EB01` | one to four digits |
//! | 07, 08 | that of 01 or 03, whichever the note amends | `E001`, `EB01` | one to four digits |
//! | 04, R1, R7 | any one to four letters and digits | `E001`, `EB01` | one to four digits |
//!
//! SUNAT does not know the amounts of physical vouchers, so requests about them have none.

use core::fmt;

use super::VoucherKind;
use crate::text::first_other;
use crate::text_value::{error_texts, text_value};

/// One to four upper-case letters and digits; [`VoucherSeries::for_kind`] checks them against a kind.
///
/// ```
/// use kuraka_domain::{VoucherKind, VoucherSeries};
///
/// let receipts: VoucherSeries = "B001".parse()?;
/// assert!(receipts.for_kind(VoucherKind::Invoice).is_err());
/// assert!(receipts.for_kind(VoucherKind::CreditNote).is_ok());
/// assert!(VoucherSeries::parse("0001")?.is_physical());
/// # Ok::<(), kuraka_domain::VoucherSeriesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VoucherSeries {
    /// Padded with zeros, so that values sort like texts.
    padded: [u8; 4],
}

/// Why a text is not a series, or not one of a kind of voucher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VoucherSeriesError {
    /// Not one to four characters.
    Length {
        /// Characters found.
        found: usize,
    },
    /// Neither an ASCII digit nor an upper-case ASCII letter.
    Character {
        /// Position in characters, from 1.
        position: usize,
        /// The character at this position.
        found: char,
    },
    /// Not valid for the kind.
    Kind {
        /// The kind of voucher.
        kind: VoucherKind,
        /// The refused series.
        found: VoucherSeries,
    },
}

error_texts!(VoucherSeriesError {
    Self::Length { found } => "a series has 1 to 4 characters, this has {found}";
    Self::Character { position, found } =>
        "a series has upper-case ASCII letters and digits only, position {position} holds {found:?}";
    Self::Kind { kind, found } => "a voucher of kind {kind} has {}, this is {found}", shapes(*kind);
});

impl VoucherSeries {
    /// Without trimming or changing case.
    ///
    /// # Errors
    /// [`VoucherSeriesError::Length`], then [`VoucherSeriesError::Character`].
    pub fn parse(text: &str) -> Result<Self, VoucherSeriesError> {
        let found = text.chars().count();
        if !(1..=4).contains(&found) {
            return Err(VoucherSeriesError::Length { found });
        }
        if let Some((position, found)) = first_other(text, |c| c.is_ascii_digit() || c.is_ascii_uppercase()) {
            return Err(VoucherSeriesError::Character { position, found });
        }
        let mut padded = [0; 4];
        for (slot, byte) in padded.iter_mut().zip(text.bytes()) {
            *slot = byte;
        }
        Ok(Self { padded })
    }

    /// Refuses a series that the kind cannot have.
    ///
    /// # Errors
    /// [`VoucherSeriesError::Kind`].
    pub fn for_kind(self, kind: VoucherKind) -> Result<Self, VoucherSeriesError> {
        if self.suits(kind) { Ok(self) } else { Err(VoucherSeriesError::Kind { kind, found: self }) }
    }

    /// Whether vouchers of this series were issued on paper. SUNAT does not know their amounts.
    #[must_use]
    pub fn is_physical(self) -> bool {
        self.as_str().bytes().all(|byte| byte.is_ascii_digit())
    }

    /// The series as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let used = self.padded.split(|&byte| byte == 0).next().unwrap_or_default();
        // Only ASCII is stored.
        core::str::from_utf8(used).unwrap_or_default()
    }

    fn suits(self, kind: VoucherKind) -> bool {
        let of_invoice = matches!(self.padded, [b'F', _, _, last] if last != 0) || self.as_str() == "E001";
        let of_receipt = matches!(self.padded, [b'B', _, _, last] if last != 0) || self.as_str() == "EB01";
        match kind {
            VoucherKind::Invoice => of_invoice || self.is_physical(),
            VoucherKind::SalesReceipt => of_receipt || self.is_physical(),
            VoucherKind::CreditNote | VoucherKind::DebitNote => of_invoice || of_receipt || self.is_physical(),
            VoucherKind::PurchaseSettlement | VoucherKind::FeeReceipt | VoucherKind::FeeCreditNote => true,
        }
    }
}

/// For the error's text.
const fn shapes(kind: VoucherKind) -> &'static str {
    match kind {
        VoucherKind::Invoice => "F and three more, E001, or digits",
        VoucherKind::SalesReceipt => "B and three more, EB01, or digits",
        VoucherKind::CreditNote | VoucherKind::DebitNote => "F or B and three more, E001, EB01, or digits",
        VoucherKind::PurchaseSettlement | VoucherKind::FeeReceipt | VoucherKind::FeeCreditNote => {
            "one to four letters and digits"
        }
    }
}

impl fmt::Display for VoucherSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for VoucherSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VoucherSeries({self})")
    }
}

text_value!(VoucherSeries, VoucherSeriesError, Self::parse, "a series of 1 to 4 letters and digits");
