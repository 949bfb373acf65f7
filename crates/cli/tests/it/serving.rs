//! Commands that write to the store of a running server.

use std::time::Duration;

use kuraka_sandbox::sample;

use super::http::lookup;
use super::program::{Home, eventually};

/// The time within which a running server applies the changes of a command.
const APPLIED_WITHIN: Duration = Duration::from_secs(1);

#[tokio::test]
async fn a_new_token_works_at_once_and_a_change_within_a_second() {
    let home = Home::new().plan(1_000, 1_000);
    home.import(sample::PADRON);
    let serving = home.serve();
    let status = |token: &str| lookup(serving.api, token, sample::COMPANY).unwrap().status;
    let (first, second) = (home.token("ana@example.pe"), home.token("beto@example.pe"));
    assert_eq!((status(&first), status(&second)), (200, 200));
    assert_eq!(status(&Home::new().token("ana@example.pe")), 401, "a token of another store");
    let ana = ["--email", "ana@example.pe"];
    for (command, more, expected) in [
        (["account", "suspend"], &ana[..], 403),
        (["account", "activate"], &ana, 200),
        (["token", "revoke"], &["--id", "1"], 401),
    ] {
        home.run(&[&command, more].concat()).succeeded();
        let ((), took) = eventually("the change", || (status(&first) == expected).then_some(())).await;
        assert!(took < APPLIED_WITHIN, "{command:?}: {took:?}");
    }
    // Each command opens, writes and closes the store while the server has it open.
    home.run_with(&["account", "set-password", "--email", "beto@example.pe"], &[], "una contraseña").succeeded();
    assert_eq!(status(&second), 200);
    home.run(&["account", "delete", "--email", "beto@example.pe", "--yes"]).succeeded();
    let ((), took) = eventually("deleted", || (status(&second) == 401).then_some(())).await;
    assert!(took < APPLIED_WITHIN, "{took:?}");
    serving.stop();
}
