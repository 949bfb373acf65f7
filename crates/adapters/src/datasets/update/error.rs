//! Why an update fails.

use std::time::Duration;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::history::HistoryError;
use kuraka_registry::reader::{FileProblemError, ReadError, XlsxError};
use kuraka_registry::{EditionError, GuardError, ImportError, IndexError, SourceError};
use reqwest::StatusCode;
use thiserror::Error;

use crate::address::without_secrets;
use crate::download::{DownloadError, TransferError};
use crate::files::FileError;

/// Why an update failed. The active edition stays.
#[derive(Debug, Error)]
pub enum UpdateError {
    #[error("{0} has no address: set datasets.{0}.url", dataset.name)]
    NoAddress { dataset: &'static Dataset },
    #[error("the address of {0} has no {{AAAAMM}}: set datasets.{0}.url", dataset.name)]
    NoMonth { dataset: &'static Dataset },
    #[error("the monthly history is not extended")]
    Record(#[source] HistoryError),
    #[error("{dataset} could not be fetched")]
    Download { dataset: &'static str, source: DownloadError },
    #[error(transparent)]
    Import(ImportError),
    #[error("{dataset} could not be fetched: {} answers with a web page", without_secrets(url))]
    WebPage { dataset: &'static str, url: String },
    #[error("the SHA-256 of {dataset} could not be fetched, and it is required")]
    Checksum { dataset: &'static str, source: DownloadError },
    #[error("{} holds no SHA-256 of {dataset}: one line as sha256sum prints it is required", without_secrets(url))]
    NoChecksum { dataset: &'static str, url: String },
    #[error("the publisher still serves the file of {dataset} that was refused before: {cause}")]
    Refused {
        dataset: &'static str,
        /// With all causes.
        cause: String,
        /// Whether by the importer's guards.
        by_guard: bool,
    },
    #[error(transparent)]
    Folder(#[from] FileError),
    #[error("the kept editions cannot be read")]
    Editions(#[source] kuraka_registry::OpenError),
    /// The import panicked. The panic is no source, because its message can quote a row.
    #[error("the import stopped in a panic")]
    Stopped(tokio::task::JoinError),
}

impl UpdateError {
    /// Whether the next attempt may succeed without an operator: the server did not answer, or sent an error page or a
    /// damaged file, or this machine lacked something. A refusal stays until the publisher's next file.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::NoAddress { .. } | Self::NoMonth { .. } | Self::Refused { .. } | Self::NoChecksum { .. } => false,
            Self::Download { source, .. } | Self::Checksum { source, .. } => match source {
                DownloadError::Status { .. }
                | DownloadError::Redirect { .. }
                | DownloadError::Address { .. }
                | DownloadError::TooLarge { .. } => false,
                DownloadError::Transfer { .. } | DownloadError::Busy { .. } | DownloadError::File(_) => true,
            },
            Self::Import(error) => import_may_pass(error),
            Self::WebPage { .. } | Self::Record(_) | Self::Folder(_) | Self::Editions(_) | Self::Stopped(_) => true,
        }
    }

    /// For the operator's page and mail, which show the whole error beside it.
    pub fn in_spanish(&self) -> &'static str {
        const HERE: &str = "Este servidor no pudo guardar el archivo o leer los que tiene.";
        const WEB_PAGE: &str = "El publicador envió una página web en lugar del archivo.";
        match self {
            Self::NoAddress { .. } | Self::NoMonth { .. } => "La dirección del archivo no está bien configurada.",
            _ if self.is_not_found() => "El publicador no tiene ningún archivo en esa dirección.",
            Self::Download { source, .. } | Self::Checksum { source, .. } => match source {
                DownloadError::Transfer { .. } => "El publicador no responde, o la descarga se cortó.",
                DownloadError::TooLarge { .. } => "El archivo es más grande de lo que se permite.",
                DownloadError::Busy { .. } | DownloadError::File(_) => HERE,
                DownloadError::Status { .. } | DownloadError::Redirect { .. } | DownloadError::Address { .. } => {
                    "El publicador no entrega el archivo en esa dirección."
                }
            },
            Self::WebPage { .. } => WEB_PAGE,
            Self::Import(ImportError::Read(error)) if is_web_page(error) => WEB_PAGE,
            Self::Import(ImportError::Guard { .. }) | Self::Refused { by_guard: true, .. } => {
                "El archivo no parece correcto frente a la edición vigente, y no se publicó."
            }
            Self::Refused { .. } => "El publicador sigue con un archivo que ya se rechazó.",
            Self::NoChecksum { .. } | Self::Import(ImportError::Checksum { .. }) => {
                "La suma SHA-256 del archivo falta o no coincide."
            }
            Self::Import(ImportError::Busy { .. } | ImportError::Folder(_) | ImportError::Index(_)) => HERE,
            Self::Import(_) => "El archivo está dañado o cambió de forma.",
            Self::Record(_) | Self::Folder(_) | Self::Editions(_) => HERE,
            Self::Stopped(_) => "La importación se detuvo por un error de Kuraka.",
        }
    }

    /// Whether only the importer's guards refused the file, which a forced import overrides.
    pub const fn is_by_guard(&self) -> bool {
        matches!(self, Self::Import(ImportError::Guard { .. }) | Self::Refused { by_guard: true, .. })
    }

    /// Whether there is no file at the address.
    pub fn is_not_found(&self) -> bool {
        let Self::Download { source: DownloadError::Status { status, .. }, .. } = self else { return false };
        matches!(*status, StatusCode::NOT_FOUND | StatusCode::GONE)
    }

    /// Whether no connection to the server could be made, TLS included.
    pub(super) fn is_unconnected(&self) -> bool {
        let Self::Download { source: DownloadError::Transfer { source, .. }, .. } = self else { return false };
        matches!(source, TransferError::Connection(error) if error.is_connect())
    }

    /// How long the server asks clients to wait.
    pub const fn retry_after(&self) -> Option<Duration> {
        if let Self::Download { source: DownloadError::Transfer { source, .. }, .. } = self {
            source.retry_after()
        } else {
            None
        }
    }
}

/// Whether the same file, or the next one, may soon be imported.
pub(super) fn import_may_pass(error: &ImportError) -> bool {
    match error {
        ImportError::Busy { .. } | ImportError::Folder(_) | ImportError::Checksum { .. } => true,
        ImportError::Index(error) => !matches!(error, IndexError::TooLarge { .. }),
        ImportError::Read(error) => read_may_pass(error),
        ImportError::Edition { source, .. } => {
            use EditionError::{Checksum, Header, Io, Length};
            // The others have valid checksums, so another download has the same bytes.
            matches!(source, Io(_) | Header(_) | Length { .. } | Checksum { .. })
        }
        // The day comes, or the clock is set.
        ImportError::Guard { guard, .. } => matches!(guard, GuardError::Future { .. }),
        ImportError::Verification { .. }
        | ImportError::Label { .. }
        | ImportError::UnexpectedEdition { .. }
        | ImportError::NoEdition { .. } => false,
    }
}

const fn is_web_page(error: &ReadError) -> bool {
    matches!(
        error.problem,
        FileProblemError::Source(SourceError::HtmlPage) | FileProblemError::Workbook(XlsxError::HtmlPage)
    )
}

pub(super) fn read_may_pass(error: &ReadError) -> bool {
    let is_source = matches!(&error.problem, FileProblemError::Source(source) if source_may_pass(source));
    is_source || matches!(error.problem, FileProblemError::Workbook(XlsxError::HtmlPage | XlsxError::Damaged(_)))
}

const fn source_may_pass(error: &SourceError) -> bool {
    matches!(error, SourceError::Io(_) | SourceError::HtmlPage | SourceError::Zip { .. } | SourceError::Interrupted)
}
