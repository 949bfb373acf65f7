//! From the published files to a new edition.

use std::io;
use std::path::Path;

mod error;
mod report;
mod request;

pub use error::{Guard, ImportError, SourceError};
pub use report::{DateOrigin, ImportReport, Outcome, RejectReason, Rejections};
pub use request::{Advance, ImportRequest, NoProgress, Progress, SourceFile, Stage};

/// Builds an edition from the files of `request` and makes it the current one of the registry in `folder`.
///
/// # Errors
/// [`ImportError`]; nothing was published and the current edition still is.
pub fn import(folder: &Path, request: &ImportRequest, progress: &dyn Progress) -> Result<ImportReport, ImportError> {
    progress.stage(Stage::Lists);
    let _ = &request.padron;
    Err(ImportError::Folder {
        action: "opening",
        path: folder.to_owned(),
        source: io::Error::from(io::ErrorKind::Unsupported),
    })
}
