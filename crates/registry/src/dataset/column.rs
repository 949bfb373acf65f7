//! One column of a published file: its header, and how its cells are stored.

use kuraka_domain::{Date, Ubigeo};

/// A column, found by its name.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name in the header, compared without case, accents, punctuation and blanks.
    pub header: &'static str,
    pub content: Content,
    /// Whether a line's surplus delimiters are in this column. At most one column of a dataset; the next one must be a
    /// date, which shows that nothing is shifted.
    pub holds_delimiters: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Content {
    Ruc,
    /// A stored field.
    Field {
        /// Its name here.
        name: &'static str,
        kind: FieldKind,
        rule: Rule,
    },
    /// Not read: personal data, or a text that another dataset has.
    Dropped,
}

#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A text, with runs of blanks as one.
    Text,
    Date(DateForm),
    /// A month, `AAAAMM`, stored as its first day.
    Month,
    Integer,
    /// A district's six digits; leading zeros may be missing.
    Ubigeo,
    /// A type of taxpayer, stored as the text of SUNAT's page; an unknown wording as published.
    TaxpayerType,
}

/// How dates are written. A workbook may have serial numbers instead.
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
    /// A line without it is refused.
    Required,
    /// An unreadable value refuses the line.
    Optional,
    /// An unreadable value is counted and taken as missing, because the line matters more.
    Lenient,
}

/// A value, borrowed from the line that is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Value<'a> {
    #[default]
    Absent,
    /// Without blanks at its ends.
    Text(&'a str),
    Date(Date),
    Integer(u32),
    Ubigeo(Ubigeo),
}

impl Column {
    pub const fn ruc(header: &'static str) -> Self {
        Self { header, content: Content::Ruc, holds_delimiters: false }
    }

    pub const fn dropped(header: &'static str) -> Self {
        Self { header, content: Content::Dropped, holds_delimiters: false }
    }

    /// A kept column with optional values.
    pub const fn field(header: &'static str, name: &'static str, kind: FieldKind) -> Self {
        let content = Content::Field { name, kind, rule: Rule::Optional };
        Self { header, content, holds_delimiters: false }
    }

    /// A kept text with optional values.
    pub const fn text(header: &'static str, name: &'static str) -> Self {
        Self::field(header, name, FieldKind::Text)
    }

    #[must_use]
    pub const fn required(self) -> Self {
        self.with_rule(Rule::Required)
    }

    #[must_use]
    pub const fn lenient(self) -> Self {
        self.with_rule(Rule::Lenient)
    }

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
