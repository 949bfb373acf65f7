//! `kuraka audit` and `kuraka account export`: what a command, a page and a server leave in the audit log.

use std::time::Duration;

use kuraka_sandbox::sample;
use serde_json::Value;
use sqlx::{Connection, PgConnection};

use super::browser::Owner;
use super::postgres::database;
use super::program::{Home, eventually, today};
use super::reliability::{figure, number};

fn lines(home: &Home, arguments: &[&str]) -> Vec<Value> {
    let printed = home.run(&[&["audit", "--json"], arguments].concat()).succeeded();
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn actions(home: &Home, arguments: &[&str]) -> Vec<String> {
    lines(home, arguments).iter().map(|line| line["action"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn commands_leave_lines_with_their_user() {
    let home = Home::new();
    let email = ["--email", "ana@example.pe"];
    home.token("ana@example.pe");
    home.run(&[&["account", "suspend"], &email[..]].concat()).succeeded();
    home.run(&["token", "revoke", "--id", "1"]).succeeded();
    assert_eq!(actions(&home, &[]), ["account.create", "token.create", "account.set_status", "token.revoke"]);
    let line = &lines(&home, &["--action", "account.set_status", "--since", &today()])[0];
    assert!(line["actor"].as_str().unwrap().starts_with("command: "), "{line}");
    assert_eq!((&line["before"], &line["after"]), (&"active".into(), &"suspended".into()));
    assert_eq!((&line["email"], &line["object"]), (&"ana@example.pe".into(), &"account 1".into()));
    assert_eq!(lines(&home, &["--since", "2999-01-01"]), [Value::Null; 0]);
    assert_eq!(lines(&home, &["--account", "b@example.pe"]), [Value::Null; 0]);
    let text = home.run(&["audit"]).succeeded();
    assert!(
        text.lines().nth(2).unwrap().contains("account 1 before active after suspended of ana@example.pe"),
        "{text}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_publication_is_audited_by_its_command_or_by_the_server() {
    let holder = sample::PERSON;
    let home = Home::new()
        .with("KURAKA__VOUCHERS__RUC", holder)
        .with("KURAKA__VOUCHERS__CLIENT_ID", "5a4db0c5-0000-4000-8000-c0de00000001")
        .with("KURAKA__VOUCHERS__CLIENT_SECRET", "geheim");
    let label = home.import_padron(sample::PADRON);
    let object = format!("padron {label}");
    let published = || lines(&home, &["--action", "dataset.publish"]);
    let line = published().into_iter().find(|line| line["object"] == object.as_str()).unwrap();
    assert!(line["actor"].as_str().unwrap().starts_with("command: "), "{line}");
    // As if the command could not reach the store.
    std::fs::remove_file(home.data("kuraka.db")).unwrap();
    let serving = home.serve();
    let found = || published().into_iter().find(|line| line["object"] == object.as_str());
    let (line, _) = eventually("the server adds the line", found).await;
    assert_eq!(line["actor"], "system");
    let start = &lines(&home, &["--action", "server.start"])[0];
    let settings = start["after"].as_str().unwrap();
    assert!(settings.contains("http.bind = ") && settings.contains("vouchers.client_secret = \"…\""), "{start}");
    assert!(!settings.contains(holder), "{start}");
    serving.stop();
}

/// A change and its line are in one transaction: a killed command leaves both or none.
#[test]
fn a_killed_command_leaves_no_change_without_its_line() {
    let home = Home::new();
    home.run(&["store", "migrate"]).succeeded();
    let kills = number("AUDIT_KILLS", 4);
    for kill in 0..kills {
        let email = format!("{kill}@example.pe");
        let time = Duration::from_millis(10 + 90 * kill / kills);
        home.start(&["account", "create", "--email", &email]).kill_after(time);
    }
    let accounts: Value = serde_json::from_str(&home.run(&["account", "list", "--json"]).succeeded()).unwrap();
    let of = |value: &Value| value["email"].as_str().unwrap().to_owned();
    let mut accounts: Vec<_> = accounts.as_array().unwrap().iter().map(of).collect();
    let mut lines: Vec<_> = lines(&home, &["--action", "account.create"]).iter().map(of).collect();
    accounts.sort();
    lines.sort();
    assert_eq!(accounts, lines);
    figure("A1", &format!("{kills} commands killed"), &format!("{} changes, each with its line", lines.len()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_is_committed_after_a_later_one_is_followed() {
    let address = database().await;
    let home = Home::new().store(&address);
    home.token("ana@example.pe");
    let mut following = home.start(&["audit", "--follow"]);
    let mut other = PgConnection::connect(&address).await.unwrap();
    let mut late = other.begin().await.unwrap();
    let line = "INSERT INTO audit (account, time, expires, action, actor, object)
        VALUES (0, 0, 9000000000000000, 'late', 'system', 'x')";
    sqlx::query(line).execute(&mut *late).await.unwrap();
    home.run(&["token", "revoke", "--id", "1"]).succeeded();
    following.output("token.revoke");
    late.commit().await.unwrap();
    following.output("  late  ");
    home.run(&["account", "suspend", "--email", "ana@example.pe"]).succeeded();
    following.output("account.set_status");
    let printed = following.outputs().iter().filter(|line| line.contains("token.revoke")).count();
    assert_eq!(printed, 1, "{:?}", following.outputs());
    following.kill();
}

#[test]
fn the_log_names_an_operator_by_the_number_of_its_account() {
    let home = Home::new();
    let email = ["--email", "ana@example.pe"];
    home.token("ana@example.pe");
    home.set_password("ana@example.pe");
    home.run(&[&["account", "set-role", "--role", "operator"], &email[..]].concat()).succeeded();
    let mut serving = home.serve();
    let owner = Owner::log_in(serving.api, "ana@example.pe");
    owner.post("/panel/operacion/datos", "datos=padron&accion=actualizar");
    let line: Value = serde_json::from_str(&serving.log("dataset.update")).unwrap();
    assert_eq!((&line["actor"], &line["operator"]), (&"operator".into(), &1.into()), "{line}");
    assert!(!serving.stop().join("").contains("ana@example.pe"));
}

#[test]
fn an_export_has_everything_but_secrets_and_proves_a_deletion() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let email = ["--email", "ana@example.pe"];
    home.set_password("ana@example.pe");
    let export = || -> Value {
        serde_json::from_str(&home.run(&[&["account", "export"], &email[..]].concat()).succeeded()).unwrap()
    };
    let before = export();
    assert_eq!(
        (&before["account"][0]["email"], &before["token"][0]["name"]),
        (&"ana@example.pe".into(), &"test".into())
    );
    for secret in [token.as_str(), "argon2", "\"digest\":\"", "password_hash"] {
        assert!(!before.to_string().contains(secret), "{secret}: {before}");
    }
    home.run(&[&["account", "delete", "--yes"], &email[..]].concat()).succeeded();
    let after = export();
    for (table, rows) in after.as_object().unwrap() {
        assert_eq!(rows.as_array().unwrap().is_empty(), table != "audit", "{after}");
    }
    assert_eq!(after["audit"].as_array().unwrap().last().unwrap()["action"], "account.delete");
    let line = home.run(&["account", "export", "--email", "nadie@example.pe"]).failed();
    assert_eq!(line, "nothing is stored about nadie@example.pe");
}
