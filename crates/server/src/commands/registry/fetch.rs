//! `kuraka registry fetch`: fetches and publishes the edition that another machine has built.

use indicatif::HumanCount;
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::registry::update::UpdateProgress;
use kuraka_registry::{Adoption, PublishResult};
use kuraka_server::bootstrap;
use kuraka_server::settings::Settings;

use crate::cli::Fetch;
use crate::commands::progress::ProgressReporter;
use crate::commands::runtime::{Failure, block_on};
use crate::console;

pub(super) fn fetch(arguments: &Fetch, settings: &Settings) -> Result<(), Failure> {
    let url = arguments.url.as_ref().or(settings.registry.edition_url.as_ref());
    let url = url.ok_or("the edition's address is missing: give one, or set registry.edition_url")?;
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(format!("the address {url} must start with http:// or https://").into());
    }
    let reporter = ProgressReporter::new("edition");
    let fetched = block_on(async {
        let fetch = bootstrap::edition_fetch(settings)?;
        let received = |bytes, total| reporter.received("edition", bytes, total);
        Ok(fetch.run(url, arguments.sha256, arguments.force, &SystemClock::start(), &received).await?)
    });
    reporter.done();
    match fetched? {
        Some(Adoption { outcome: PublishResult::Published, label, rows, forced, .. }) => {
            console::line(&format!("published edition {label}: {} taxpayers", HumanCount(rows)));
            for guard in forced {
                console::line(&format!("  forced              {guard}"));
            }
        }
        Some(Adoption { outcome: PublishResult::Unchanged, label, .. }) => {
            console::line(&format!("unchanged: edition {label} is already current"));
        }
        None => console::line("unchanged: this edition was already published here"),
    }
    Ok(())
}
