//! Records an import by hand, so that `kuraka dataset list` and the server show it.

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::registry::{AttemptOutcome, DatasetAttempt, record_attempt};
use kuraka_ports::Clock;
use kuraka_registry::PublishResult;
use kuraka_registry::dataset::Dataset;
use kuraka_server::logs;
use kuraka_server::settings::Settings;

use crate::commands::runtime::Failure;

/// Records an import by hand as the last try. A folder that cannot be written has made the import fail already.
pub(in crate::commands) fn record(
    settings: &Settings,
    dataset: &Dataset,
    result: Result<(PublishResult, &str), &Failure>,
) {
    let outcome = match result {
        Ok((PublishResult::Published, label)) => AttemptOutcome::Published { edition: label.to_owned() },
        Ok((PublishResult::Unchanged, _)) => AttemptOutcome::Unchanged,
        Err(error) => AttemptOutcome::Failed { cause: logs::chain(error.as_ref()) },
    };
    let attempt = DatasetAttempt { at: SystemClock::start().now(), outcome };
    let _ = record_attempt(&settings.registry_dir(), dataset, &attempt);
}
