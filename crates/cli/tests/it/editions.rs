//! Editions that are published and rolled back while a server runs.

use std::time::Duration;

use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;

use super::files::versions;
use super::http::{get, lookup};
use super::program::{Home, eventually};

/// The time within which a running server serves a published edition.
const SERVED_WITHIN: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_published_or_rolled_back_edition_is_served_within_two_seconds() {
    let home = Home::new().plan(1_000_000, 100_000);
    let token = home.token("ana@example.pe");
    let serving = home.serve();
    let mut times = Vec::new();
    let padron =
        || lookup(serving.api, &token, sample::COMPANY).unwrap().header("x-registry-edition").map(str::to_owned);
    assert_eq!(padron(), None, "no edition was published");
    for case in versions() {
        let name = case.dataset.name;
        // The list came with the padrón.
        assert_eq!(case.answering(serving.api, &token).is_none(), name != "retencion", "{name}");
        let mut served = async |label: &str, version: usize| {
            let is_served = || {
                let metric = format!("kuraka_dataset_edition{{dataset=\"{name}\",edition=\"{label}\"}} 1\n");
                get(serving.admin, "/metrics").body.contains(&metric).then_some(())
            };
            let ((), took) = eventually("the edition", is_served).await;
            times.push(took);
            assert_eq!(case.answering(serving.api, &token), Some(version), "{name}");
            if name == PADRON.name {
                assert_eq!(padron().as_deref(), Some(label));
            }
        };
        let first = case.import(&home, 0);
        served(&first, 0).await;
        served(&case.import(&home, 1), 1).await;
        home.run(&["dataset", "rollback", name]).succeeded();
        served(&first, 0).await;
    }
    let late = times.iter().filter(|took| **took >= SERVED_WITHIN).count();
    // One in nine may be late: the machine of the tests is busy with others meanwhile.
    assert!(late <= times.len() / 9, "{times:?}");
    serving.stop();
}
