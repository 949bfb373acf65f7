//! Why an import publishes nothing.

use std::io;
use std::path::PathBuf;

use kuraka_domain::Date;
use thiserror::Error;

use super::vocabulary::Full;
use crate::EditionError;
use crate::folder::FileError;

/// Why nothing was published. The edition that was current still is.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A source file cannot be read as what it should be.
    #[error("{name} cannot be imported")]
    Source {
        /// The file, as the request named it.
        name: String,
        /// What is wrong with it.
        source: SourceError,
    },
    /// A guard objects; the request may force it.
    #[error("{0}; check the file, or import it with force")]
    Guard(#[from] Guard),
    /// Another import or rollback holds the folder's lock.
    #[error("another import or rollback is at work in {}; wait until it ends", folder.display())]
    Busy {
        /// The registry's folder.
        folder: PathBuf,
    },
    /// A file operation in the registry's folder failed.
    #[error("{} failed for {}", action, path.display())]
    Folder {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system has no memory for the rows.
    #[error("there is no memory for the rows; an import needs about a third of the padrón's text")]
    Memory(#[source] io::Error),
    /// The padrón exceeds a limit of the file format.
    #[error("the padrón exceeds the index format: {what}")]
    TooLarge {
        /// Which limit.
        what: &'static str,
    },
    /// The file just written does not read back as it should: failing hardware, or a defect.
    #[error("the index just written does not verify; check the disk and the memory of this machine")]
    Verification {
        /// What was found.
        source: EditionError,
    },
}

impl From<FileError> for ImportError {
    fn from(FileError { action, path, source }: FileError) -> Self {
        Self::Folder { action, path, source }
    }
}

impl From<Full> for ImportError {
    fn from(Full: Full) -> Self {
        Self::TooLarge { what: "its distinct words take more than 4 GiB" }
    }
}

/// Why a source file is unreadable.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The system refused to open or read it.
    #[error("the file cannot be read")]
    Io(#[from] io::Error),
    /// An HTML page was saved under the file's name.
    #[error("it is an HTML page, not a padrón: the server sent an error page; download it again")]
    HtmlPage,
    /// The zip is broken, cut or of an unsupported kind.
    #[error("the zip is damaged or cut short ({detail}); download it again")]
    Zip {
        /// The zip reader's words.
        detail: String,
    },
    /// The zip holds another number of files than one.
    #[error("the zip holds {found} entries where exactly one is expected")]
    Entries {
        /// How many.
        found: usize,
    },
    /// The zip's entry has another name.
    #[error("the zip holds {found:?} where {expected} is expected")]
    EntryName {
        /// The entry's name, cut to 100 characters.
        found: String,
        /// The name expected.
        expected: &'static str,
    },
    /// The zip's entry is encrypted.
    #[error("the zip is encrypted")]
    Encrypted,
    /// The zip's entry is a folder or a symbolic link.
    #[error("the zip's entry is not an ordinary file")]
    NotAFile,
    /// The entry inflates to more than its declared size, or to less.
    #[error("the zip declares {declared} bytes and holds {found} or more")]
    Size {
        /// Bytes declared.
        declared: u64,
        /// Bytes inflated when it was noticed.
        found: u64,
    },
    /// More bytes than any padrón has.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// More compression than text allows.
    #[error("it unpacks to more than {limit} times its size: not a text")]
    Ratio {
        /// The limit.
        limit: u64,
    },
    /// The first line is not the header of this kind of file.
    #[error("the first line is not the expected header: {detail}")]
    Header {
        /// Where it differs.
        detail: String,
    },
    /// The worker that reads the file ended without a word.
    #[error("reading ended unexpectedly")]
    Interrupted,
}

/// A suspicion strong enough not to publish unless told to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Guard {
    /// The padrón holds no acceptable row.
    #[error("the padrón holds no acceptable row")]
    NoRows,
    /// A list names no taxpayer, so that every answer would turn to NO.
    #[error("the list {name} holds no valid RUC")]
    EmptyList {
        /// The list, as the request named it.
        name: String,
    },
    /// Far fewer rows than before.
    #[error("the padrón holds {found} rows, fewer than 99 % of the previous {previous}")]
    Shrunk {
        /// Rows found.
        found: u64,
        /// Rows of the current edition.
        previous: u64,
    },
    /// Too many unreadable lines.
    #[error("{rejected} of {lines} lines were rejected, more than 100 and more than 0.05 %")]
    Rejected {
        /// Lines rejected.
        rejected: u64,
        /// Lines read, header aside.
        lines: u64,
    },
    /// Taxpayers of the previous edition are gone.
    #[error("of {sampled} taxpayers of the previous edition only {present} are present, fewer than 99.5 %")]
    KeysGone {
        /// Old taxpayers looked for.
        sampled: u64,
        /// Old taxpayers found.
        present: u64,
    },
    /// The padrón is older than the current edition.
    #[error("the padrón is of {found}, the current edition of {current}")]
    Older {
        /// The padrón's date.
        found: Date,
        /// The current edition's date.
        current: Date,
    },
    /// An operator rolled back from this very edition.
    #[error("edition {label} was rolled back from")]
    RolledBack {
        /// The edition's label.
        label: String,
    },
    /// The bundled sample would replace real data.
    #[error("the sample would replace the published edition {current}")]
    SampleOverPublished {
        /// The current edition's label.
        current: String,
    },
}
