//! Commands that write beside a running server.

use std::time::Duration;

use kuraka_sandbox::sample;

use super::http::lookup;
use super::program::{Home, eventually};

/// How soon what a command has changed is in force.
const IN_FORCE: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_new_token_works_at_once_and_a_revoked_one_stops_within_a_second() {
    let home = Home::new().plan(1_000, 1_000);
    home.import(sample::PADRON);
    let serving = home.serve();
    let status = |token: &str| lookup(serving.api, token, sample::COMPANY).unwrap().status;
    let (first, second) = (home.token("ana@example.pe"), home.token("beto@example.pe"));
    assert_eq!((status(&first), status(&second)), (200, 200));
    home.run(&["token", "revoke", "--id", "1"]).succeeded();
    let ((), took) = eventually("revoked", || (status(&first) == 401).then_some(())).await;
    assert!(took < IN_FORCE, "{took:?}");
    assert_eq!(status(&second), 200);
    // Each command has opened, written and closed the store that the server has open.
    home.run_with(&["account", "set-password", "--email", "beto@example.pe"], &[], "una contraseña").succeeded();
    assert_eq!(status(&second), 200);
    serving.stop();
    assert_eq!(home.used("beto@example.pe").await, 3);
}
