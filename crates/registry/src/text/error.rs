//! Why a source file is unreadable or unexpected.

use std::io;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum SourceError {
    #[error("the file cannot be read")]
    Io(#[from] io::Error),
    #[error("it is an HTML page: the server sent an error page; download the file again")]
    HtmlPage,
    #[error("the zip is damaged or cut short ({detail}); download it again")]
    Zip { detail: String },
    #[error("the zip holds {found} entries where exactly one is expected")]
    Entries { found: usize },
    #[error("the zip's directory is longer than {limit} bytes: it is no published file")]
    Directory { limit: u32 },
    #[error("the zip holds {found:?} where a text file *.txt or *.csv is expected")]
    EntryName {
        /// Cut to 100 characters.
        found: String,
    },
    #[error("the zip is encrypted")]
    Encrypted,
    #[error("the zip's entry is not an ordinary file")]
    NotAFile,
    #[error("the zip declares {declared} bytes and holds {found} or more")]
    Size { declared: u64, found: u64 },
    #[error("it unpacks to more than {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("it unpacks to more than {limit} times its size: not a text")]
    Ratio { limit: u64 },
    #[error("reading ended unexpectedly")]
    Interrupted,
}
