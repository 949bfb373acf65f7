//! One column of a published file: its header, and what becomes of its cells.

use kuraka_domain::{Date, Ubigeo};

/// A column, found by its name.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in the header. Case, accents, punctuation and blanks are ignored in the comparison.
    pub header: &'static str,
    /// What becomes of its cells.
    pub content: Content,
    /// Whether a line with too many delimiters has them in this column. At most one column of a dataset; the next
    /// column must be a date, which shows that nothing is shifted.
    pub holds_delimiters: bool,
}

/// What becomes of a column's cells.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// The taxpayer.
    Ruc,
    /// A field that is kept.
    Field {
        /// Its name here.
        name: &'static str,
        /// The type of its values.
        kind: FieldKind,
        /// What a missing or unreadable value means.
        rule: Rule,
    },
    /// Not read at all: personal data, or a text that another dataset has.
    Dropped,
}

/// The type of a field's values.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A text, with runs of blanks as one.
    Text,
    /// A day.
    Date(DateForm),
    /// A month, `AAAAMM`; its first day stands for it.
    Month,
    /// A whole number without sign.
    Integer,
    /// A district's code of six digits. Leading zeros may be missing.
    Ubigeo,
    /// A type of taxpayer, as the text of SUNAT's page. An unknown wording is kept as published.
    TaxpayerType,
}

/// How dates are written. A workbook may have a serial number instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateForm {
    /// `DD/MM/AAAA`.
    DayMonthYear,
    /// `AAAAMMDD`.
    YearMonthDay,
}

/// What a missing or unreadable value means for its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A line without the value is refused.
    Required,
    /// It may be missing; an unreadable one refuses the line.
    Optional,
    /// The line matters more than this value: an unreadable one is counted and taken as missing.
    Lenient,
}

/// A value, which borrows from the line that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// The file has none.
    Absent,
    /// A text without blanks at its ends.
    Text(&'a str),
    /// A day; for a month, its first.
    Date(Date),
    /// A number.
    Integer(u32),
    /// A district.
    Ubigeo(Ubigeo),
}

impl Column {
    /// The RUC's column.
    #[must_use]
    pub const fn ruc(header: &'static str) -> Self {
        Self { header, content: Content::Ruc, holds_delimiters: false }
    }

    /// A column that is not read.
    #[must_use]
    pub const fn dropped(header: &'static str) -> Self {
        Self { header, content: Content::Dropped, holds_delimiters: false }
    }

    /// A kept column with optional values.
    #[must_use]
    pub const fn field(header: &'static str, name: &'static str, kind: FieldKind) -> Self {
        let content = Content::Field { name, kind, rule: Rule::Optional };
        Self { header, content, holds_delimiters: false }
    }

    /// A kept text with optional values.
    #[must_use]
    pub const fn text(header: &'static str, name: &'static str) -> Self {
        Self::field(header, name, FieldKind::Text)
    }

    /// The same column, its values required.
    #[must_use]
    pub const fn required(self) -> Self {
        self.with_rule(Rule::Required)
    }

    /// The same column, its unreadable values taken as missing.
    #[must_use]
    pub const fn lenient(self) -> Self {
        self.with_rule(Rule::Lenient)
    }

    /// The same column, which may contain delimiters.
    #[must_use]
    pub const fn holding_delimiters(self) -> Self {
        Self { holds_delimiters: true, ..self }
    }

    const fn with_rule(self, rule: Rule) -> Self {
        match self.content {
            Content::Field { name, kind, .. } => Self { content: Content::Field { name, kind, rule }, ..self },
            Content::Ruc | Content::Dropped => self,
        }
    }
}
