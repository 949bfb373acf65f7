//! The embedded registry: padrón files in, one immutable index file out, lookups.
//!
//! An *edition* is one published state of the padrón, kept as one file that is never changed after it is published.
//! [`import`] builds an edition from the tax authority's files and publishes it, [`adopt`] publishes one that another
//! machine has built, [`Registry`] opens the current one and answers from it, [`rollback`] returns to the one before. The file format is described in
//! `docs/reference/registry-format.md`.
//!
//! This crate refuses to know the network, an async runtime and the clock: files come as paths, today's date comes
//! from the caller.

mod adopt;
mod edition;
mod folder;
mod format;
mod import;
mod meta;
mod registry;
mod row_id;

pub use adopt::{AdoptError, Adoption, Checksum, adopt};
pub use edition::{CorruptRow, EditionError, OpenEdition};
pub use folder::{KeptEdition, Rollback, RollbackError, editions, rollback};
pub use import::{
    Advance, DateOrigin, Guard, ImportError, ImportReport, ImportRequest, NoProgress, Outcome, Progress, RejectReason,
    Rejections, SourceError, SourceFile, Stage, import,
};
pub use meta::{ListMeta, Meta, Origin, SourceMeta};
pub use registry::{OpenError, OpenReport, Registry, SkippedEdition};
