//! The embedded registry: imports official files into immutable index files, and answers lookups from them.
//!
//! An *edition* is one published state of the padrón or of another [dataset], kept as one file that is never changed
//! after its publication. [`import`] builds an edition of the padrón from SUNAT's file and publishes it. [`adopt`]
//! publishes an edition that another machine has built. [`open_current`] opens the current edition, and
//! [`EditionWatcher`] each later one. [`rollback`] returns to the previous edition. [`import_dataset`],
//! [`DatasetEdition`], [`DatasetWatcher`] and [`rollback_dataset`] do the same for every dataset. [`changes`] has the
//! differences between editions. The file formats are described in `docs/reference/registry-format.md` and
//! `docs/reference/changes-format.md`.
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
