//! The request for an import of a dataset.

use kuraka_domain::Date;

use crate::{Origin, SourceFile};

/// One import of a dataset: its file and its date.
#[derive(Clone, Debug)]
pub struct DatasetImport {
    /// The published file, or a finished edition of the dataset.
    pub source: SourceFile,
    /// The day the file was published, as the operator says; `None` = the month of its rows if it is a monthly one,
    /// else `served_on`, else the zip entry's date, else `today`.
    pub date: Option<Date>,
    /// The day the file was published, as its server says. Other than with `date`, the same file is not published
    /// again for another day.
    pub served_on: Option<Date>,
    /// Today in Peru.
    pub today: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Publish even if a guard refuses. An unreadable file is still refused.
    pub force: bool,
}
