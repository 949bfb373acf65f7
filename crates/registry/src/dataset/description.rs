//! The description of one dataset: all that distinguishes it from the others.

use kuraka_domain::DatasetRole;

use super::column::{Column, Content, FieldKind};
use super::file_form::{FileForm, Limits, TextForm};
use super::guard_limits::GuardLimits;

/// One official dataset. Texts for people are Spanish.
#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    /// Its name in commands, settings, metrics and answers.
    pub name: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// The authority that publishes it.
    pub publisher: &'static str,
    /// The licence that the publisher states, or that it states none.
    pub licence: &'static str,
    /// The text that names the source to readers; ODC-BY requires it.
    pub attribution: &'static str,
    /// The page on which the publisher offers it.
    pub page: &'static str,
    /// The file's address. `{AAAAMM}` stands for the year and month of publication.
    pub address: &'static str,
    /// The address to try if no TLS connection to `address` can be made.
    pub plain_address: Option<&'static str>,
    /// The User-Agent that the publisher's server accepts, if it refuses others.
    pub user_agent: Option<&'static str>,
    /// How often a new file is published.
    pub rhythm: Rhythm,
    /// The greatest age in days at which an edition still decides; 0 = any age. A setting may replace it.
    pub max_age_days: u32,
    /// Published names of the file inside its zip. Another dataset's name is refused, an unknown one is accepted.
    pub file_names: &'static [&'static str],
    /// The form of the file.
    pub form: FileForm,
    /// The columns, each found by its name in the header. Exactly one is the RUC.
    pub columns: &'static [Column],
    /// Cells that mean "no value", besides an empty one.
    pub absent: &'static [&'static str],
    /// What it is to the answers.
    pub role: DatasetRole,
    /// How many rows a RUC has.
    pub rows: RowsPerRuc,
    /// The fields whose earlier values its history has: none of them if it has only which taxpayers had rows; `None` = the
    /// dataset has no history.
    pub history: Option<&'static [&'static str]>,
    /// The taxpayers whose rows are kept.
    pub subjects: Subjects,
    /// The sizes that are refused unread.
    pub limits: Limits,
    /// When a new edition is implausible.
    pub guards: GuardLimits,
    /// Whether the answers of `/ruc` need it: the settings cannot disable it, and it decides whether a server is ready.
    pub is_required: bool,
    /// What callers get while it has no edition; empty if its fields are null.
    pub when_absent: &'static str,
    /// What callers get while its edition is too old.
    pub when_too_old: &'static str,
}

/// What a description has if it says nothing else: a dataset of SUNAT in the form of its lists.
pub(super) const DEFAULT: Dataset = Dataset {
    name: "",
    title: "",
    publisher: "Superintendencia Nacional de Aduanas y de Administración Tributaria (SUNAT)",
    licence: "No declarada: información pública",
    attribution: "Fuente: SUNAT",
    page: "",
    address: "",
    plain_address: None,
    user_agent: None,
    rhythm: Rhythm::Irregular,
    max_age_days: 0,
    file_names: &[],
    form: FileForm::Text(TextForm::PIPES),
    columns: &[],
    absent: &["-", "----"],
    role: DatasetRole::List(None),
    rows: RowsPerRuc::One,
    history: None,
    subjects: Subjects::All,
    limits: Limits { text: 64 << 20, ratio: 50 },
    guards: GuardLimits { rows_kept: 8_000, rejected_free: 100, rejected: 500, keys_kept: 5_000, gone_free: 20 },
    is_required: false,
    when_absent: "",
    when_too_old: "Falta una edición más reciente; esta sigue respondiendo.",
};

/// What an edition stores of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// A taxpayer's name, status, condition and address. [`Column`]s are only the names of the header: a parser of its own
    /// reads the lines, because the file has gigabytes.
    Summary,
    /// The fields that the columns describe.
    Fields,
}

/// How often a new file is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rhythm {
    /// Every day.
    Daily,
    /// About once a week.
    Weekly,
    /// Once a month.
    Monthly,
    /// On no fixed day.
    Irregular,
}

/// How many rows a RUC has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsPerRuc {
    /// One, and a second line of the RUC is refused.
    Unique,
    /// One; a second line of the RUC is left out.
    One,
    /// Any number, in the file's order.
    Many,
}

/// The taxpayers whose rows are kept. Other rows are left out before they are validated, and are not rejects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subjects {
    /// All.
    All,
    /// Legal persons: RUCs that begin with 20.
    LegalPersons,
}

impl Dataset {
    /// Names and kinds of the fields that are kept, in the order in which a reader hands them on.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, FieldKind)> {
        self.columns.iter().filter_map(|column| match column.content {
            Content::Field { name, kind, .. } => Some((name, kind)),
            Content::Ruc | Content::Dropped => None,
        })
    }

    /// What an edition stores of a row.
    #[must_use]
    pub const fn records(&self) -> RecordForm {
        if matches!(self.role, DatasetRole::Summary) { RecordForm::Summary } else { RecordForm::Fields }
    }

    /// Whether its rows are indexed in editions. Without them it is a small record of its own.
    #[must_use]
    pub const fn has_editions(&self) -> bool {
        !matches!(self.role, DatasetRole::ExchangeRate)
    }

    /// Whether its editions also go into the monthly history.
    #[must_use]
    pub const fn has_months(&self) -> bool {
        matches!(self.role, DatasetRole::OpenData)
    }

    /// The position of a field among [`Dataset::fields`], by which a row's value is read; `None` = there is no such
    /// field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields().position(|(field, _)| field == name)
    }
}

impl Rhythm {
    /// Days after which a new file is expected.
    #[must_use]
    pub const fn days(self) -> u16 {
        match self {
            Self::Daily => 1,
            Self::Weekly => 7,
            Self::Monthly | Self::Irregular => 31,
        }
    }
}
