//! The description of one dataset.

use kuraka_domain::DatasetRole;

use super::column::{Column, Content, FieldKind};
use super::file_form::{FileForm, Limits, TextForm};
use super::guard_limits::GuardLimits;

/// One official dataset. Texts for people are Spanish.
#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    /// Its name in commands, settings, metrics and answers.
    pub name: &'static str,
    pub title: &'static str,
    pub publisher: &'static str,
    /// The licence that the publisher states.
    pub licence: &'static str,
    /// Names the source to readers, as ODC-BY requires.
    pub attribution: &'static str,
    pub page: &'static str,
    /// The file's address; `{AAAAMM}` stands for year and month.
    pub address: &'static str,
    /// Tried if no TLS connection to `address` can be made.
    pub plain_address: Option<&'static str>,
    /// The User-Agent, if the publisher's server refuses others.
    pub user_agent: Option<&'static str>,
    pub rhythm: Rhythm,
    /// The age in days up to which an edition still decides; 0 = any. A setting may replace it.
    pub max_age_days: u32,
    /// Names of the file inside its zip. Another dataset's name is refused, an unknown one accepted.
    pub file_names: &'static [&'static str],
    pub form: FileForm,
    /// Found by their names in the header. Exactly one is the RUC.
    pub columns: &'static [Column],
    /// Cells that mean "no value", besides an empty one.
    pub absent: &'static [&'static str],
    pub role: DatasetRole,
    pub rows: RowsPerRuc,
    /// The fields whose earlier values the history has; empty = only which taxpayers had rows, `None` = there is no
    /// history.
    pub history: Option<&'static [&'static str]>,
    pub subjects: Subjects,
    pub limits: Limits,
    pub guards: GuardLimits,
    /// Whether `/ruc` needs it while it is enabled: it decides readiness.
    pub is_required: bool,
    /// What callers get without an edition; empty = null fields.
    pub when_absent: &'static str,
    /// What callers get while the edition is too old.
    pub when_too_old: &'static str,
}

/// `when_absent` of what `/ruc` needs.
pub(super) const RUC_FAILS: &str = "Todavía no hay ninguna edición: /ruc responde 503 upstream_unavailable.";

/// The defaults: a dataset of SUNAT in the form of its lists.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordForm {
    /// Name, status, condition and address. A fast parser reads the lines: the [`FileForm`] is not used, and the
    /// [`Column`]s are only the header's names.
    Summary,
    Fields,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rhythm {
    Daily,
    Weekly,
    Monthly,
    /// On no fixed day.
    Irregular,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsPerRuc {
    /// A second line of the RUC is refused.
    Unique,
    /// A second line of the RUC is left out.
    One,
    /// In the file's order.
    Many,
}

/// The taxpayers whose rows are kept. Other rows are left out unvalidated, and are not rejects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subjects {
    All,
    /// RUCs that begin with 20.
    LegalPersons,
}

impl Dataset {
    /// Names and kinds of the stored fields, in stored order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, FieldKind)> {
        self.columns.iter().filter_map(|column| match column.content {
            Content::Field { name, kind, .. } => Some((name, kind)),
            Content::Ruc | Content::Dropped => None,
        })
    }

    /// The form of an edition's records.
    pub const fn records(&self) -> RecordForm {
        if matches!(self.role, DatasetRole::Summary) { RecordForm::Summary } else { RecordForm::Fields }
    }

    /// Whether its rows are indexed in editions; else it is a small record.
    pub const fn has_editions(&self) -> bool {
        !matches!(self.role, DatasetRole::ExchangeRate)
    }

    /// Whether its editions go into the monthly history.
    pub const fn has_months(&self) -> bool {
        matches!(self.role, DatasetRole::OpenData)
    }

    /// The position among [`Dataset::fields`]; `None` = there is no such field.
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
