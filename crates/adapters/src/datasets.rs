//! The official datasets: the snapshot that answers lookups, their states and updates.

mod attempt;
mod downloads;
mod embedded;
pub mod exchange_rates;
mod feed;
mod history;
mod list_flags;
mod minute_feed;
mod profile;
mod served;
mod served_file;
mod snapshot;
mod status;
pub mod update;

pub use attempt::{last_attempt, record_attempt};
pub use downloads::remove_old_downloads;
pub use embedded::{EmbeddedRegistry, RefreshResults};
pub use feed::FolderFeed;
pub use minute_feed::MinuteFeed;
pub use served::Replaced;
pub use status::DatasetStatuses;

const SOURCE: &str = "registry";
