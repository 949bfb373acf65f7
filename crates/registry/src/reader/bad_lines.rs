//! Refused lines: counted by reason; the first hundred are described for the rejects file.
//!
//! A shifted line may have a person's name in any column, so a description has the masked RUC, the column and the
//! value's shape, and no text.

use std::collections::BTreeMap;
use std::fmt::Write;

use kuraka_domain::Ruc;

use super::shape::shape;

const DESCRIBED: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The number of cells differs from the header's.
    ColumnCount,
    /// The key is not a valid RUC.
    BadRuc,
    MissingValue,
    /// Not a date in the published form, or no such day.
    BadDate,
    BadNumber,
    BadUbigeo,
    /// A quote without its pair.
    Quotes,
    Nul,
    /// A byte that windows-1252 leaves undefined.
    UndefinedByte,
    /// UTF-8 in a windows-1252 file, or the reverse.
    OtherEncoding,
    /// Longer than 64 KiB.
    TooLong,
    /// An earlier line has the same RUC.
    Repeated,
}

impl Reason {
    /// A few words for people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ColumnCount => "wrong number of columns",
            Self::BadRuc => "not a valid RUC",
            Self::MissingValue => "required value missing",
            Self::BadDate => "not a date",
            Self::BadNumber => "not a number",
            Self::BadUbigeo => "not an ubigeo",
            Self::Quotes => "unpaired quote",
            Self::Nul => "NUL byte",
            Self::UndefinedByte => "byte undefined in windows-1252",
            Self::OtherEncoding => "other encoding than the file",
            Self::TooLong => "longer than 64 KiB",
            Self::Repeated => "RUC seen before",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct BadLines {
    counts: BTreeMap<Reason, u64>,
    described: usize,
    text: String,
}

/// The RUC if it can be read, and the column and cell that are the reason.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RefusedLine<'a> {
    pub(crate) reason: Reason,
    pub(crate) ruc: Option<Ruc>,
    pub(crate) cell: Option<(&'static str, &'a [u8])>,
}

impl RefusedLine<'_> {
    /// Refused as a whole.
    pub(crate) const fn new(reason: Reason, ruc: Option<Ruc>) -> Self {
        Self { reason, ruc, cell: None }
    }
}

impl BadLines {
    pub fn count(&self, reason: Reason) -> u64 {
        self.counts.get(&reason).copied().unwrap_or(0)
    }

    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Reasons that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Reason, u64)> + '_ {
        self.counts.iter().map(|(&reason, &count)| (reason, count))
    }

    /// The text of the rejects file; `None` if no line was refused.
    pub fn rejects_file(&self) -> Option<String> {
        (self.described > 0).then(|| format!("line\treason\tlength\tRUC\tcolumn\tshape\n{}", self.text))
    }

    /// `number` is the line's; `None` = it was found when sorting, and is no longer known.
    pub(crate) fn add(&mut self, number: Option<u64>, length: u64, refused: &RefusedLine<'_>) {
        let &RefusedLine { reason, ruc, cell } = refused;
        *self.counts.entry(reason).or_default() += 1;
        if self.described == DESCRIBED {
            return;
        }
        self.described += 1;
        let number = number.map_or_else(|| "-".to_owned(), |number| number.to_string());
        let ruc = ruc.map_or_else(|| "-".to_owned(), masked);
        let (column, shape) = cell.map_or(("-", "-".to_owned()), |(column, cell)| (column, shape(cell)));
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{number}\t{}\t{length}\t{ruc}\t{column}\t{shape}", reason.as_str());
    }
}

fn masked(ruc: Ruc) -> String {
    if ruc.is_personal() { format!("{}******{:03}", ruc.prefix(), ruc.get() % 1000) } else { ruc.to_string() }
}
