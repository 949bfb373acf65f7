//! `kuraka token`: create, list, revoke.

use kuraka_sandbox::sample;

use super::http::post;
use super::program::Home;

#[test]
fn a_test_token_is_answered_from_the_sample_and_the_sandbox_of_the_program() {
    let home = Home::new();
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    let made = home.run(&["token", "create", "--email", "ana@example.pe", "--name", "caja 1", "--test"]).succeeded();
    let token = made.strip_suffix('\n').unwrap();
    assert!(token.starts_with("kur_test_") && token.len() == 45, "{token}");
    // Without an edition, a live token gets 503.
    let mut serving = home.serve();
    for path in ["/ruc", "/ruc-historial", "/ruc-official"] {
        let answer = post(serving.api, path, token, &format!("{{\"ruc\":\"{}\"}}", sample::DESCRIBED));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
    }
    let line = serving.log("\"answered\"");
    assert!(line.contains("\"test\":true"), "{line}");
    serving.stop();
}

#[test]
fn token_list_shows_tokens_by_id_and_only_their_prefix() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let made = home.run(&["token", "create", "--email", "ana@example.pe", "--name", "otro"]);
    assert_eq!((made.stdout.len(), made.stderr.as_str()), ("kur_\n".len() + 36, ""), "only the token");
    for _ in 0..2 {
        let done = home.run(&["token", "revoke", "--id", "1"]);
        assert_eq!((done.code, done.stderr.as_str()), (Some(0), "token 1 is revoked\n"));
    }
    let list = home.run(&["token", "list", "--email", "ana@example.pe"]).succeeded();
    let rows: Vec<Vec<&str>> =
        list.lines().map(|line| line.split("  ").map(str::trim).filter(|c| !c.is_empty()).collect()).collect();
    assert_eq!(rows[0], ["ID", "NAME", "TOKEN", "CREATED", "LAST USED", "EXPIRES", "FROM", "REVOKED"]);
    assert_eq!((rows[1][0], rows[1][1], rows[2][0], rows[2][1]), ("1", "test", "2", "otro"));
    assert!(token.starts_with(rows[1][2].trim_end_matches('…')) && !list.contains(&token), "{list}");
    assert!(rows[1][7].ends_with('Z'), "revoked at a time: {list}");
    assert_eq!(rows[2][4..], ["-", "-", "any", "-"]);
}

#[test]
fn unknown_tokens_accounts_and_invalid_names_are_refused() {
    let home = Home::new();
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    for id in ["1", "-1", "9223372036854775807"] {
        let line = home.run(&["token", "revoke", &format!("--id={id}")]).failed();
        assert!(line.starts_with(&format!("there is no token {id}: ")), "{line}");
    }
    for command in [&["token", "list"][..], &["token", "create", "--name", "x"]] {
        let line = home.run(&[command, &["--email", "nadie@example.pe"]].concat()).failed();
        assert!(line.starts_with("there is no account nadie@example.pe: "), "{line}");
    }
    let line = home.run(&["token", "create", "--email", "ana@example.pe", "--name", "  "]).failed();
    assert_eq!(line, "a token's name has from 1 to 100 printable characters");
}

#[test]
fn a_token_may_have_an_expiry_and_allowed_networks() {
    let home = Home::new();
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    let create = ["token", "create", "--email", "ana@example.pe", "--name", "oficina"];
    let more = ["--days", "30", "--allow", "10.0.0.0/8", "--allow", "192.0.2.1"];
    home.run(&[&create[..], &more[..]].concat()).succeeded();
    let list = home.run(&["token", "list", "--email", "ana@example.pe"]).succeeded();
    assert!(list.contains("10.0.0.0/8 192.0.2.1/32"), "{list}");
    assert!(home.run(&[&create[..], &["--days", "0"]].concat()).failed().contains("1 to 3650 days"));
    assert!(home.run(&[&create[..], &["--allow", "office"]].concat()).failed().contains("\"office\" is no network"));
}
