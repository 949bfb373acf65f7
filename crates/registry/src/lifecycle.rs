//! The life of an edition of any dataset: imported or adopted, checked, published, followed, rolled back.

mod adopt;
mod build;
mod copy;
mod editions;
mod error;
mod guards;
mod import;
mod importing;
mod kept;
mod open;
mod parent;
mod publication;
mod records;
mod report;
mod request;
mod rollback;
#[cfg(test)]
mod tests;
mod watch;

pub use copy::copy_registry;
pub use editions::{KeptEdition, editions};
pub use error::ImportError;
pub use import::import;
pub use open::{OpenError, OpenReport, SkippedEdition, open_current};
pub use records::update_records;
pub use report::{DateOrigin, ImportReport, PublishResult};
pub use request::{Accepts, Import, SourceFile};
pub use rollback::{Rollback, RollbackError, rollback, rollback_from};
pub use watch::EditionWatcher;
