//! Whether every enabled dataset has an edition that is whole and not too old.

use std::fs;

use kuraka_domain::DatasetRole;
use kuraka_server::settings::Settings;

use super::finding::Finding;
use crate::commands::dataset::list::{self, Record};
use crate::commands::runtime::Failure;

const DAMAGED: &str = "damaged";
const NOT_HERE: &str = "not here yet";

pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let settings = settings.clone();
    // Verifying reads whole files.
    let read = tokio::task::spawn_blocking(move || {
        let facts = |record: Record| {
            let (name, problem) = (record.dataset.name, record.problem());
            // A restored folder may have the record without editions.
            let editions = fs::read_dir(settings.datasets_dir().join(name).join("editions"));
            let is_empty = !editions.is_ok_and(|mut files| files.next().is_some());
            let problem = problem.map(|problem| if problem == DAMAGED && is_empty { NOT_HERE } else { problem });
            (name, record.role, record.dataset.date, problem)
        };
        Ok::<_, Failure>(list::records(&settings)?.into_iter().map(facts).collect::<Vec<_>>())
    });
    let unreadable =
        |cause: String| vec![Finding::error("datasets", cause, "give this user rights on the data folder")];
    let records = match read.await {
        Ok(Ok(records)) => records,
        Ok(Err(error)) => return unreadable(error.to_string()),
        Err(error) => return unreadable(error.to_string()),
    };
    let finding = |(name, role, date, problem): (&str, _, Option<_>, Option<&str>)| match (problem, date) {
        (None, None) => None,
        (None, Some(date)) => Some(Finding::good(name, format!("whole, of {date}"))),
        (Some(DAMAGED), _) => {
            let advice = "check the disk; sudo -u kuraka kuraka dataset update NAME downloads it again";
            Some(Finding::error(name, DAMAGED, advice))
        }
        (Some(problem @ ("never imported" | NOT_HERE)), _) => {
            let advice = "start the server, which fetches it, or run sudo -u kuraka kuraka dataset update";
            let of = if role == DatasetRole::Summary { Finding::error } else { Finding::warning };
            Some(of(name.to_owned(), problem.to_owned(), advice))
        }
        (Some(problem), _) => {
            let advice = "sudo -u kuraka kuraka dataset list shows the cause; then run sudo -u kuraka kuraka dataset update NAME";
            Some(Finding::warning(name, problem, advice))
        }
    };
    records.into_iter().filter_map(finding).collect()
}
