//! `kuraka account`: create, list, show, set-password, set-plan, suspend, activate, delete.

use kuraka_sandbox::sample;
use serde_json::Value;

use super::http::lookup;
use super::program::Home;

#[test]
fn account_create_prints_the_account_with_its_id_first() {
    let home = Home::new();
    let made = home.run(&["account", "create", "--email", "Ana@Example.PE"]).succeeded();
    assert_eq!(made, "ID  EMAIL           PLAN\n1   ana@example.pe  free\n");
    let home = home.named_plan("PRO", 10, 1);
    let made = home.run(&["account", "create", "--email", "b@example.pe", "--plan", "pro"]).succeeded();
    assert_eq!(made, "ID  EMAIL         PLAN\n2   b@example.pe  pro\n");
}

#[test]
fn invalid_accounts_are_refused_in_one_line() {
    let home = Home::new();
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    let refused = |arguments: &[&str]| home.run(&[&["account", "create"], arguments].concat()).failed();
    assert_eq!(refused(&["--email", "ANA@example.pe"]), "there is already an account ana@example.pe");
    assert!(refused(&["--email", "ana"]).contains("an e-mail address looks like"));
    let line = refused(&["--email", "b@example.pe", "--plan", "gold"]);
    assert_eq!(line, "there is no plan gold in the settings; the plans are free");
}

#[test]
fn the_first_line_of_stdin_is_the_password_and_stored_as_a_hash() {
    const PASSWORD: &str = "una contraseña muy larga";
    let home = Home::new();
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    let set = ["account", "set-password", "--email", "ana@example.pe"];
    let long: String = "ñandúes, cóndores y más ".chars().cycle().take(128).collect();
    for input in [PASSWORD.to_owned(), format!("{PASSWORD}\n"), format!("{PASSWORD}\r\n{long}"), long] {
        let done = home.run_with(&set, &[], &input);
        assert_eq!((done.code, done.stdout.as_str()), (Some(0), ""), "{done:?}");
        assert_eq!(done.stderr, "the password of ana@example.pe is set, and its sessions have ended\n");
    }
    let kept = std::fs::read(home.data("kuraka.db")).unwrap();
    let holds = |text: &str| kept.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("$argon2id$") && !holds(PASSWORD));
}

#[test]
fn a_refused_password_is_not_printed() {
    let home = Home::new();
    home.run(&["account", "create", "--email", "ferreteria@example.pe"]).succeeded();
    let has = |found| format!("a password has from 8 to 128 characters, this has {found}");
    let more = "a password has at most 128 characters, standard input gave more".to_owned();
    let common = "this password is among the first that are tried, choose another".to_owned();
    for (input, refusal) in [
        ("\n", has(0)),
        ("secreta", has(7)),
        (&*"x".repeat(129), has(129)),
        (&*"a€".repeat(5_000), more),
        ("ferreteria99", common),
    ] {
        let set = ["account", "set-password", "--email", "ferreteria@example.pe"];
        assert_eq!(home.run_with(&set, &[], input).failed(), refusal);
    }
}

#[test]
fn an_operator_lists_moves_suspends_and_deletes_accounts() {
    let home = Home::new().named_plan("PRO", 10, 1);
    for email in ["ana@example.pe", "luz@example.pe"] {
        home.run(&["account", "create", "--email", email]).succeeded();
    }
    let row = |email: &str| {
        let list = home.run(&["account", "list"]).succeeded();
        assert!(list.starts_with("ID  EMAIL"), "{list}");
        let line = list.lines().find(|line| line.contains(email)).map(str::to_owned);
        line.map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    };
    let ana = ["--email", "ana@example.pe"];
    let run = |command: &str, more: &[&str]| home.run(&[&["account", command], &ana[..], more].concat());
    assert_eq!(row("ana").unwrap()[..5], ["1", "ana@example.pe", "free", "member", "active"]);
    assert_eq!(run("set-plan", &["--plan", "pro"]).code, Some(0));
    assert_eq!(run("suspend", &[]).stderr, "ana@example.pe is suspended, and its sessions have ended\n");
    assert_eq!(row("ana").unwrap()[..5], ["1", "ana@example.pe", "pro", "member", "suspended"]);
    assert_eq!(run("activate", &[]).code, Some(0));
    assert_eq!(row("ana").unwrap()[4], "active");
    assert_eq!(run("set-role", &["--role", "operator"]).stderr, "ana@example.pe has the role operator\n");
    let audited = home.run(&["audit", "--action", "account.set_role", "--json"]).succeeded();
    assert!(audited.contains(r#""before":"member""#) && audited.contains(r#""after":"operator""#), "{audited}");
    assert!(run("set-plan", &["--plan", "gold"]).failed().starts_with("there is no plan gold"));

    let token = home.run(&["token", "create", "--email", "ana@example.pe", "--name", "x"]).succeeded();
    assert_eq!(run("delete", &["--yes"]).code, Some(0));
    assert_eq!((row("ana"), row("luz").is_some()), (None, true));
    for command in ["delete", "suspend", "activate"] {
        let more = if command == "delete" { &["--yes"][..] } else { &[] };
        assert!(run(command, more).failed().starts_with("there is no account ana@example.pe"), "{command}");
    }
    assert!(home.run(&["token", "list", "--email", "luz@example.pe"]).succeeded().lines().count() == 1, "{token}");
}

#[test]
fn an_account_is_deleted_without_a_terminal_only_with_yes() {
    let home = Home::new();
    home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
    let line = home.run(&["account", "delete", "--email", "ana@example.pe"]).failed();
    assert_eq!(line, "nothing is deleted without a terminal to ask on: give --yes");
    assert!(home.run(&["account", "list"]).succeeded().contains("ana@example.pe"));
}

#[test]
fn list_and_show_tell_the_used_queries_the_limit_and_the_last_use() {
    let home = Home::new().plan(700, 50);
    let token = home.token("ana@example.pe");
    home.run(&["account", "create", "--email", "luz@example.pe"]).succeeded();
    home.run(&["account", "set-role", "--email", "luz@example.pe", "--role", "operator"]).succeeded();
    home.import(sample::PADRON);
    let serving = home.serve();
    for _ in 0..3 {
        assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    }
    serving.stop();
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&home.run(&[arguments, &["--json"]].concat()).succeeded()).unwrap()
    };
    let list = json(&["account", "list"]);
    assert_eq!((&list[0]["used"], &list[0]["limit"], &list[1]["used"]), (&3.into(), &700.into(), &0.into()), "{list}");
    assert!(list[0]["last_used"].is_string() && list[1]["last_used"].is_null(), "{list}");
    assert_eq!([&list[0]["role"], &list[1]["role"]], ["member", "operator"], "{list}");
    assert_eq!(json(&["account", "show", "--email", "ana@example.pe"]), list[0]);
    let tokens = json(&["token", "list", "--email", "ana@example.pe"]);
    assert_eq!((&tokens[0]["name"], &tokens[0]["last_used"]), (&"test".into(), &list[0]["last_used"]), "{tokens}");
    let mut keys: Vec<_> = tokens[0].as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["allowed", "created", "expires", "id", "last_used", "name", "prefix", "revoked"]);
    let table = home.run(&["account", "list"]).succeeded();
    let used = list[0]["last_used"].as_str().unwrap()[..19].replace('T', " ");
    assert!(table.lines().nth(1).unwrap().contains(&format!(" member    active  3     700    {used}Z")), "{table}");
    let show = home.run(&["account", "show", "--email", "ana@example.pe"]).succeeded();
    assert!(show.contains("used       3\nlimit      700\n") && show.contains(&used), "{show}");
    let settings = json(&["config", "show"]);
    assert!(settings.as_array().unwrap().iter().any(|it| it["setting"] == "plans.free.queries"), "{settings}");
}
