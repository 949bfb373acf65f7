//! Whether every enabled dataset has an edition that is whole and not too old.

use kuraka_domain::DatasetRole;
use kuraka_server::settings::Settings;

use super::finding::Finding;
use crate::commands::dataset::list::{self, Record};
use crate::commands::runtime::Failure;

pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let settings = settings.clone();
    // Verifying reads whole files.
    let read = tokio::task::spawn_blocking(move || {
        let facts = |record: Record| (record.dataset.name, record.role, record.dataset.date, record.problem());
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
        (Some("damaged"), _) => {
            let advice = "kuraka dataset update --force NAME, or import the file again";
            Some(Finding::error(name, "damaged", advice))
        }
        (Some(problem @ "never imported"), _) => {
            let advice = "start the server, which fetches it, or run kuraka dataset update";
            let of = if role == DatasetRole::Summary { Finding::error } else { Finding::warning };
            Some(of(name.to_owned(), problem.to_owned(), advice))
        }
        (Some(problem), _) => {
            let advice = "see kuraka dataset list for the cause, then run kuraka dataset update NAME";
            Some(Finding::warning(name, problem, advice))
        }
    };
    records.into_iter().filter_map(finding).collect()
}
