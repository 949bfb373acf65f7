//! Editions that are published and rolled back while a server runs.

use std::time::Duration;

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::http::{get, lookup};
use super::program::{Home, eventually};

/// The time within which a running server serves a published edition.
const SERVED_WITHIN: Duration = Duration::from_secs(2);

#[tokio::test]
async fn a_published_or_rolled_back_edition_is_served_within_two_seconds() {
    let home = Home::new().plan(1_000_000, 100_000);
    let token = home.token("ana@example.pe");
    let serving = home.serve();
    let edition =
        || lookup(serving.api, &token, sample::COMPANY).unwrap().header("x-registry-edition").map(str::to_owned);
    assert_eq!(edition(), None, "no edition was published");

    let first = home.import(sample::PADRON);
    let ((), took) = eventually("the first edition", || (edition().as_ref() == Some(&first)).then_some(())).await;
    assert!(took < SERVED_WITHIN, "{took:?}");
    assert_eq!(lookup(serving.api, &token, NEW_COMPANY).unwrap().status, 404);

    let second = home.import(&next_day());
    let ((), took) = eventually("the second edition", || (edition().as_ref() == Some(&second)).then_some(())).await;
    assert!(took < SERVED_WITHIN, "{took:?}");
    assert_eq!(lookup(serving.api, &token, NEW_COMPANY).unwrap().status, 200);
    assert!(get(serving.admin, "/metrics").body.contains(&format!("edition=\"{second}\"")));

    home.run(&["registry", "rollback"]).succeeded();
    let ((), took) = eventually("the first edition again", || (edition().as_ref() == Some(&first)).then_some(())).await;
    assert!(took < SERVED_WITHIN, "{took:?}");
    assert_eq!(lookup(serving.api, &token, NEW_COMPANY).unwrap().status, 404);
    serving.stop();
}
