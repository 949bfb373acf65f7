//! Imports the file of any dataset.

use std::path::Path;

use kuraka_domain::Date;
use kuraka_registry::dataset::{Content, Dataset, FieldKind};
use kuraka_registry::{
    DatasetImport, DatasetReport, FileVersion, ImportError, ImportReport, ImportRequest, Origin, Progress,
    PublishResult, SourceFile,
};

use crate::registry::attempt::AttemptOutcome;

/// What was imported.
#[derive(Debug)]
pub enum Imported {
    /// The padrón.
    Padron(ImportReport),
    /// Another dataset.
    Dataset(DatasetReport),
}

impl Imported {
    /// The edition's label.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Padron(report) => &report.label,
            Self::Dataset(report) => &report.label,
        }
    }

    /// Rows in the edition.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        match self {
            Self::Padron(report) => report.rows,
            Self::Dataset(report) => report.rows,
        }
    }

    /// Names of the lists whose damaged edition the padrón's flags are not from.
    #[must_use]
    pub fn damaged_lists(&self) -> &[&'static str] {
        match self {
            Self::Padron(report) => &report.damaged_lists,
            Self::Dataset(_) => &[],
        }
    }

    /// How this ended, to be recorded.
    #[must_use]
    pub fn outcome(&self) -> AttemptOutcome {
        let result = match self {
            Self::Padron(report) => report.outcome,
            Self::Dataset(report) => report.outcome,
        };
        match result {
            PublishResult::Published => AttemptOutcome::Published { edition: self.label().to_owned() },
            PublishResult::Unchanged => AttemptOutcome::Unchanged,
        }
    }
}

/// Imports a downloaded file.
pub(super) fn import(
    registry: &Path,
    dataset: &'static Dataset,
    source: SourceFile,
    today: Date,
    force: bool,
    progress: &dyn Progress,
) -> Result<Imported, ImportError> {
    let (date, served_on) = (None, published_on(dataset, &source.version, today));
    let origin = Origin::Published;
    if dataset.is_padron() {
        let request = ImportRequest { padron: source, date, served_on, today, origin, force };
        return kuraka_registry::import(registry, &request, progress).map(Imported::Padron);
    }
    let request = DatasetImport { source, date, served_on, today, origin, force };
    kuraka_registry::import_dataset(registry, dataset, &request, progress).map(Imported::Dataset)
}

/// The day in Peru on which a downloaded file was published; `None` = its server does not say, or the file itself tells
/// its month.
#[must_use]
pub fn published_on(dataset: &Dataset, version: &FileVersion, today: Date) -> Option<Date> {
    let is_month = |content| matches!(content, Content::Field { kind: FieldKind::Month, .. });
    if dataset.columns.iter().any(|column| is_month(column.content)) {
        return None;
    }
    let modified = jiff::fmt::rfc2822::parse(version.last_modified.as_deref()?).ok()?;
    Date::in_peru(modified.timestamp().as_second()).map(|date| date.min(today))
}
