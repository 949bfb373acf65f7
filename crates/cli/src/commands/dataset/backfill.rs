//! What `kuraka dataset backfill` prints: each month of the open data that was added, and what is missing.

use std::path::Path;

use indicatif::HumanCount;
use kuraka_adapters::datasets::update::MonthOutcome;
use kuraka_registry::months::{Month, Months};

use crate::commands::runtime::Failure;
use crate::console;

#[derive(Default)]
pub(super) struct Backfill {
    missing: Vec<Month>,
    refused: Vec<String>,
}

impl Backfill {
    pub(super) fn month(&mut self, month: Month, outcome: &MonthOutcome) {
        match outcome {
            MonthOutcome::Known => {}
            MonthOutcome::Added(companies) => {
                console::line(&format!("added {month}: {} companies", HumanCount(*companies as u64)));
            }
            MonthOutcome::NotPublished => self.missing.push(month),
            MonthOutcome::Refused(cause) => {
                console::note(&format!("warning: {month} is not added: {cause}"));
                self.refused.push(month.to_string());
            }
        }
    }

    /// Prints the months that the registry has now.
    pub(super) fn end(self, registry: &Path) -> Result<(), Failure> {
        let months = Months::open(registry);
        let months: Vec<Month> = months.iter().flat_map(Months::months).collect();
        if let (Some(first), Some(last)) = (months.first(), months.last()) {
            // Later months are not published yet.
            let missing: Vec<_> = self.missing.iter().filter(|month| *month < last).map(Month::to_string).collect();
            let missing =
                if missing.is_empty() { String::new() } else { format!("; not published: {}", missing.join(", ")) };
            console::line(&format!("{} months from {first} to {last}{missing}", months.len()));
        }
        match (self.refused.is_empty(), months.is_empty()) {
            (false, _) => Err(format!("not added: {}", self.refused.join(", ")).into()),
            (true, true) => Err("no month is published".into()),
            (true, false) => Ok(()),
        }
    }
}
