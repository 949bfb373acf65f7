#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

mod block_file;
pub mod changes;
mod checksum;
pub mod dataset;
mod edition;
mod folder;
mod forget;
mod format;
mod guard;
pub mod history;
mod idle_priority;
mod index;
mod label;
mod lifecycle;
mod meta;
pub mod months;
mod names;
mod progress;
pub mod reader;
mod row_id;
mod text;

pub use block_file::BlockError;
pub use checksum::{Checksum, parse_checksum};
pub use edition::{Edition, EditionRows, SearchError};
pub use folder::{FileError, FileState, create_folder};
pub use forget::{ForgetError, forget, forget_again};
pub use format::{CorruptRowError, EditionError};
pub use guard::GuardError;
pub use idle_priority::{run_at_idle_priority, run_idle_then_normal, spawn_at_idle_priority};
pub use index::IndexError;
pub use lifecycle::{
    Accepts, DateOrigin, EditionWatcher, Import, ImportError, ImportReport, KeptEdition, OpenError, OpenReport,
    PublishResult, Rollback, RollbackError, SkippedEdition, SourceFile, copy_registry, editions, import, open_current,
    rollback, rollback_from, update_records,
};
pub use meta::{FieldMeta, FileVersion, Meta, SourceMeta};
pub use progress::{Advance, NoProgress, Progress, Stage};
pub use row_id::row_id_of;
pub use text::SourceError;
