//! The embedded registry: padrón files in, one immutable index file out, lookups.
//!
//! An *edition* is one published state of the padrón, kept as one file that is never changed after it is published.
//! [`import`] builds an edition from SUNAT's files and publishes it. [`adopt`] publishes one that another machine has
//! built. [`open_current`] opens the current one, [`EditionWatcher`] every one that follows it. [`rollback`] returns to
//! the one before. The file format is described in `docs/reference/registry-format.md`.
//!
//! This crate refuses to know the network, an async runtime and the clock: files come as paths, today's date comes
//! from the caller.

mod checksum;
mod dataset;
mod edition;
mod folder;
mod format;
mod import;
mod meta;
mod publish;
mod row_id;
mod version;

pub use checksum::Checksum;
pub use dataset::List;
pub use edition::{CorruptRow, EditionError, OpenEdition};
pub use folder::{
    EditionWatcher, FileError, KeptEdition, OpenError, OpenReport, Rollback, RollbackError, SkippedEdition, editions,
    open_current, rollback,
};
pub use import::{
    Advance, DateOrigin, ImportError, ImportReport, ImportRequest, NoProgress, Progress, RejectReason, Rejections,
    SourceError, SourceFile, Stage, import,
};
pub use meta::{ListMeta, Meta, Origin, SourceMeta};
pub use publish::{AdoptError, Adoption, Guard, Outcome, adopt};
pub use version::FileVersion;
