//! The active edition to which a published file is compared, read beside the calls.

use std::path::Path;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::{FileVersion, Meta, run_at_idle_priority};
use tokio::task::{JoinError, spawn_blocking};

use super::error::UpdateError;
use crate::address::without_secrets;

pub(super) fn made_from<'a>(edition: &'a Meta, url: &str) -> Option<&'a FileVersion> {
    Some(&edition.source.version).filter(|version| version.name == without_secrets(url))
}

pub(super) fn is_of_file(edition: &Meta, url: &str) -> bool {
    file_name(&edition.source.version.name) == file_name(url)
}

fn file_name(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

/// The active edition; `None` = there is none, or it must be imported again: it is damaged, or lacks fields that this
/// version reads.
pub(super) async fn current(registry: &Path, dataset: &'static Dataset) -> Result<Option<Meta>, UpdateError> {
    let registry = registry.to_owned();
    let reading = move || {
        let kept = kuraka_registry::editions(&registry, dataset)?.into_iter().find(|kept| kept.current);
        let usable = kept.filter(|kept| is_usable(dataset, &kept.path));
        Ok(usable.map(|kept| kept.meta))
    };
    beside_calls(reading).await.map_err(UpdateError::Stopped)?.map_err(UpdateError::Editions)
}

fn is_usable(dataset: &'static Dataset, path: &Path) -> bool {
    kuraka_registry::Edition::open(dataset, path).is_ok_and(|edition| edition.has_all_fields())
}

pub(super) async fn beside_calls<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    spawn_blocking(|| run_at_idle_priority(work)).await
}
