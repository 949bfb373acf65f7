//! `kuraka dataset backfill`: adds the months of the open data that were published before this server.

use indicatif::HumanCount;
use kuraka_adapters::datasets::update::MonthOutcome;
use kuraka_registry::dataset::DATOS_ABIERTOS;
use kuraka_registry::months::{Month, Months};
use kuraka_server::settings::Settings;

use super::{reason, with_update};
use crate::commands::runtime::Failure;
use crate::console;

pub(super) fn run(from: Month, settings: &Settings) -> Result<(), Failure> {
    let address = settings.datasets.url(&DATOS_ABIERTOS);
    let (mut missing, mut unreadable) = (Vec::new(), Vec::new());
    with_update(&DATOS_ABIERTOS, None, settings, async |update, clock, progress| {
        let each = |month: Month, outcome: &MonthOutcome| match outcome {
            MonthOutcome::Known => {}
            MonthOutcome::Added(companies) => {
                console::line(&format!("added {month}: {} companies", HumanCount(*companies as u64)));
            }
            MonthOutcome::NotPublished => missing.push(month),
            MonthOutcome::Unreadable(cause) => {
                console::note(&format!("warning: {month} is not added: {cause}"));
                unreadable.push(month.to_string());
            }
        };
        let read = update.backfill(address, from, &clock, progress, each).await;
        read.map_err(|error| reason(&error).into())
    })?;
    let Ok(known) = Months::open(&settings.datasets_dir()) else {
        return Err(format!("no month is published from {from} on").into());
    };
    if let (Some(first), Some(last)) = (known.months().min(), known.months().max()) {
        // Those after the last one are not published yet.
        let missing: Vec<_> = missing.iter().filter(|month| **month < last).map(Month::to_string).collect();
        let missing =
            if missing.is_empty() { String::new() } else { format!("; not published: {}", missing.join(", ")) };
        console::line(&format!("{} months from {first} to {last}{missing}", known.months().count()));
    }
    if unreadable.is_empty() { Ok(()) } else { Err(format!("not added: {}", unreadable.join(", ")).into()) }
}
