//! Requests one of the published files, and says whether an edition was already made from it.

use std::path::PathBuf;

use kuraka_registry::{FileVersion, SourceFile};

use super::error::UpdateError;
use super::progress::UpdateProgress;
use crate::download::{Downloader, Fetched};
use crate::registry::downloads::KeptFile;

/// A published file, after a request to its server.
pub(super) struct Asked {
    pub(super) version: FileVersion,
    /// Where its bytes are; `None` = they were not kept, and the current edition has them.
    pub(super) path: Option<PathBuf>,
}

/// Requests the file at `url`, conditional on the kept download or else on the version that the current edition was
/// made from. Messages call the file `title`.
pub(super) async fn ask(
    downloader: &Downloader,
    file: KeptFile,
    url: &str,
    title: &'static str,
    imported: Option<&FileVersion>,
    progress: &dyn UpdateProgress,
) -> Result<Asked, UpdateError> {
    let note = if file.exists() { file.read_note::<FileVersion>() } else { None };
    let kept = note.filter(|version| version.name == url);
    let is_kept = kept.is_some();
    let imported = || imported.filter(|version| version.name == url).cloned();
    let known = kept.or_else(imported).unwrap_or_else(|| FileVersion::unversioned(url));
    let report = |bytes, total| progress.received(title, bytes, total);
    match downloader.fetch(&known, &file.path, &report).await.map_err(UpdateError::Download)? {
        Fetched::New { version, html, .. } => {
            if html {
                tracing::warn!(url, "what was fetched for the {title} looks like a web page");
            }
            file.write_note(&version)?;
            Ok(Asked { version, path: Some(file.path) })
        }
        Fetched::Unchanged => Ok(Asked { version: known, path: is_kept.then_some(file.path) }),
    }
}

impl Asked {
    /// Whether this is the very version that an edition was made from.
    pub(super) fn is(&self, imported: Option<&FileVersion>) -> bool {
        self.version.is_versioned() && imported == Some(&self.version)
    }

    pub(super) fn into_source(self) -> Option<SourceFile> {
        self.path.map(|path| SourceFile { path, version: self.version })
    }
}
