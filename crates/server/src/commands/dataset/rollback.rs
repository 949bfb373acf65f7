//! `kuraka dataset rollback`: goes back to the previous edition of a dataset.

use kuraka_registry::dataset::Dataset;
use kuraka_server::settings::Settings;

use crate::commands::runtime::Failure;
use crate::console;

pub(super) fn rollback(dataset: &'static Dataset, settings: &Settings) -> Result<(), Failure> {
    let moved = kuraka_registry::rollback_dataset(&settings.registry_dir(), dataset)?;
    console::line(&format!(
        "{} of {} is current again; {} is not published again without --force. Running servers switch within 2 s.",
        moved.to, dataset.name, moved.from
    ));
    Ok(())
}
