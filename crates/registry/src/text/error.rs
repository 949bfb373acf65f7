//! Why a source file is unreadable or unexpected.

use std::io;

use thiserror::Error;

/// Why a source file is unreadable.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The system cannot open or read it.
    #[error("the file cannot be read")]
    Io(#[from] io::Error),
    /// An HTML page under the file's name.
    #[error("it is an HTML page: the server sent an error page; download the file again")]
    HtmlPage,
    /// The zip is broken, cut or of an unsupported kind.
    #[error("the zip is damaged or cut short ({detail}); download it again")]
    Zip {
        /// The zip reader's message.
        detail: String,
    },
    /// The zip does not contain exactly one file.
    #[error("the zip holds {found} entries where exactly one is expected")]
    Entries {
        /// How many.
        found: usize,
    },
    /// The directory is longer than one entry needs.
    #[error("the zip's directory is longer than {limit} bytes: it is no published file")]
    Directory {
        /// The limit.
        limit: u32,
    },
    /// The zip's entry has an unexpected name.
    #[error("the zip holds {found:?} where a text file *.txt or *.csv is expected")]
    EntryName {
        /// Cut to 100 characters.
        found: String,
    },
    /// The zip's entry is encrypted.
    #[error("the zip is encrypted")]
    Encrypted,
    /// The entry is a folder or a symbolic link.
    #[error("the zip's entry is not an ordinary file")]
    NotAFile,
    /// The entry does not inflate to its declared size.
    #[error("the zip declares {declared} bytes and holds {found} or more")]
    Size {
        /// Bytes declared.
        declared: u64,
        /// Bytes inflated when it was noticed.
        found: u64,
    },
    /// It unpacks to more than any published file.
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// It unpacks to more than text of its size can.
    #[error("it unpacks to more than {limit} times its size: not a text")]
    Ratio {
        /// The limit.
        limit: u64,
    },
    /// The thread that reads the file panicked.
    #[error("reading ended unexpectedly")]
    Interrupted,
}
