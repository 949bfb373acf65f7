//! The embedded registry: imports padrón files into one immutable index file, and answers lookups from it.
//!
//! An *edition* is one published state of the padrón, kept as one file that is never changed after its publication.
//! [`import`] builds an edition from SUNAT's files and publishes it. [`adopt`] publishes an edition that another
//! machine has built. [`open_current`] opens the current edition, and [`EditionWatcher`] each later one. [`rollback`]
//! returns to the previous edition. [`changes`] has the changes from each edition to the next. The file format is described in `docs/reference/registry-format.md`.
//!
//! This crate does not use the network, an async runtime or the clock: the caller passes the paths of files and today's
//! date.

pub mod changes;
mod checksum;
pub mod dataset;
mod dataset_import;
mod dataset_meta;
mod edition;
mod folder;
mod format;
mod idle_priority;
mod import;
mod meta;
mod publish;
pub mod reader;
mod row_id;
mod version;

pub use checksum::{Checksum, parse_checksum};
pub use dataset::List;
pub use dataset_import::{DatasetImport, DatasetReport, import_dataset};
pub use dataset_meta::{DatasetMeta, FieldMeta};
pub use edition::{CorruptRow, DatasetEdition, DatasetRow, DatasetRows, EditionError, EditionFile, OpenEdition};
pub use folder::{
    DatasetWatcher, EditionWatcher, FileError, KeptDataset, KeptEdition, OpenError, OpenReport, Rollback,
    RollbackError, SkippedEdition, dataset_editions, editions, open_current, rollback, rollback_dataset,
};
pub use idle_priority::{give_way, run_at_idle_priority, spawn_at_idle_priority};
pub use import::{
    Advance, DateOrigin, ImportError, ImportReport, ImportRequest, NoProgress, Progress, RejectReason, Rejections,
    SourceError, SourceFile, Stage, import,
};
pub use meta::{ListMeta, Meta, Origin, SourceMeta};
pub use publish::{AdoptError, Adoption, Guard, PublishResult, Refusal, adopt};
pub use row_id::row_id_of;
pub use version::FileVersion;
