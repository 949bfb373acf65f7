//! `kuraka registry fetch`: the edition that another machine has built.

use indicatif::HumanCount;
use kuraka_registry::{Adoption, Outcome};
use kuraka_server::settings::Settings;
use kuraka_server::wiring;

use super::progress::Teller;
use crate::cli::Fetch;
use crate::commands::{Failure, block_on};
use crate::console;

pub(super) fn fetch(arguments: &Fetch, settings: &Settings) -> Result<(), Failure> {
    let url = arguments.url.as_ref().or(settings.registry.edition_url.as_ref());
    let url = url.ok_or("there is no address of an edition: give one, or set registry.edition_url")?;
    if !url.starts_with("http://") && !url.starts_with("https://") {
        return Err(format!("{url} is no address that starts with http:// or https://").into());
    }
    let teller = Teller::new();
    let fetched = block_on(async {
        let fetch = wiring::edition_fetch(settings)?;
        let received = |bytes, total| teller.received("edition", bytes, total);
        Ok(fetch.run(url, arguments.sha256, arguments.force, &received).await?)
    });
    teller.done();
    match fetched? {
        Some(Adoption { outcome: Outcome::Published, label, rows, forced, .. }) => {
            console::line(&format!("published edition {label}: {} taxpayers", HumanCount(rows)));
            for guard in forced {
                console::line(&format!("  forced              {guard}"));
            }
        }
        Some(Adoption { outcome: Outcome::Unchanged, label, .. }) => {
            console::line(&format!("unchanged: edition {label} is the one that answers"));
        }
        None => console::line("unchanged: what is served there was published here already"),
    }
    Ok(())
}
