//! Why an edition file, or a row of it, is unusable.

use std::io;

use thiserror::Error;

/// Why a file is not a usable edition.
#[derive(Debug, Error)]
pub enum EditionError {
    /// The system refused to open, map or read it.
    #[error("the edition file cannot be read")]
    Io(#[from] io::Error),
    /// It does not begin as an edition does.
    #[error("this is not an edition file")]
    NotAnEdition,
    /// It was written in a format this version does not read.
    #[error("the edition has format {found}, this version reads format {readable}; import the padrón again")]
    Version {
        /// The file's format.
        found: u32,
        /// The format that this version reads.
        readable: u32,
    },
    /// The header contradicts itself.
    #[error("the edition's header is damaged: {0}")]
    Header(&'static str),
    /// The file was cut or grew.
    #[error("the edition file has {found} bytes, its header says {declared}")]
    Length {
        /// Bytes the header declares.
        declared: u64,
        /// Bytes there are.
        found: u64,
    },
    /// A section that every edition has is not there in a version this crate reads.
    #[error("the edition lacks a readable section {section}")]
    MissingSection {
        /// The section's name.
        section: String,
    },
    /// The bytes of a section changed.
    #[error("section {section} of the edition is damaged")]
    Checksum {
        /// The section's name.
        section: String,
    },
    /// The bytes of a section are as written and make no sense.
    #[error("section {section} of the edition is not readable")]
    Content {
        /// The section's name.
        section: String,
    },
    /// Rows that were read back disagree with themselves.
    #[error("row {ordinal} of the edition does not read back")]
    Row {
        /// The row's number, from 0.
        ordinal: u64,
    },
}

/// The bytes of a row changed after the edition was opened, so that nothing can be said about the RUC.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("block {block} of the edition is damaged; import the padrón again or roll back")]
pub struct CorruptRow {
    /// Which block of 8,192 consecutive numbers.
    pub block: u32,
}
