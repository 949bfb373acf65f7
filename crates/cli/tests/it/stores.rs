//! `kuraka store`, and servers and commands on PostgreSQL.

use std::time::Duration;

use kuraka_ports::{MeasuredHour, ServerId};
use kuraka_sandbox::sample;
use sqlx::Executor;

use super::http::lookup;
use super::postgres::{database, shell};
use super::program::{Home, eventually, pass};
use super::reliability::{figure, number};

const ANA: &str = "ana@example.pe";

#[tokio::test]
async fn every_command_works_on_postgresql() {
    let address = database().await;
    let home = Home::new().store(&address);
    let done = home.run(&["store", "migrate"]);
    assert!(done.stderr.starts_with("created the new store postgres://"), "{done:?}");
    let out = done.succeeded();
    assert!(out.contains("has the schema of this version") && out.starts_with("postgres://127.0.0.1:"), "{out}");
    home.import(sample::PADRON);
    let token = home.token(ANA);
    let out = home.run(&["account", "list"]).succeeded();
    assert!(out.contains(ANA), "{out}");
    let serving = home.serve();
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    let out = home.run(&["store", "check"]).succeeded();
    assert!(out.contains("answers and takes writes"), "{out}");
    assert!(out.contains("accounts  1\n") && out.contains("servers   1 on it now"), "{out}");
    home.run(&["token", "revoke", "--id", "1"]).succeeded();
    let mut answered = 1;
    eventually("the server refuses the revoked token", || {
        let status = lookup(serving.api, &token, sample::COMPANY).unwrap().status;
        answered += u64::from(status == 200);
        (status == 401).then_some(())
    })
    .await;
    serving.stop();
    let out = home.run(&["store", "check"]).succeeded();
    assert!(out.contains("servers   0 on it now"), "{out}");
    assert_eq!(home.used(ANA).await, answered);
    home.run(&["account", "delete", "--email", ANA, "--yes"]).succeeded();
    let out = home.run(&["store", "check"]).succeeded();
    assert!(out.contains("accounts  0\n") && out.contains("usage     0 queries"), "{out}");
}

#[tokio::test]
async fn a_copied_store_keeps_accounts_tokens_and_usage() {
    let from = Home::new();
    from.import(sample::PADRON);
    let token = from.token(ANA);
    let revoked = from.run(&["token", "create", "--email", ANA, "--name", "old"]).succeeded().trim_end().to_owned();
    from.run(&["token", "revoke", "--id", "2"]).succeeded();
    // A deleted account: the copy does not reuse its id either.
    from.run(&["account", "create", "--email", "gone@example.pe"]).succeeded();
    from.run(&["account", "delete", "--email", "gone@example.pe", "--yes"]).succeeded();
    from.run_with(&["account", "set-password", "--email", ANA], &[], "una frase larga").succeeded();
    let serving = from.serve();
    for _ in 0..3 {
        assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    }
    let file = format!("sqlite://{}", from.data("kuraka.db").display());
    let address = database().await;
    let copy = ["store", "copy", "--from", &file, "--to", &address];
    let line = from.run(&copy).failed();
    assert!(line.contains("another server already serves"), "{line}");
    let beside = ["store", "copy", "--from", "sqlite:data/kuraka.db", "--to", &address];
    assert!(from.run(&beside).failed().contains("another server already serves"));
    serving.stop();
    let (first_hour, measured) = (0, MeasuredHour { minutes: 7, ..MeasuredHour::default() });
    let store = from.store_address().open().await.unwrap();
    store.put_hour(ServerId([1; 16]), 1, &measured).await.unwrap();
    store.close().await;

    let out = from.run(&copy).succeeded();
    for part in ["accounts  1\n", "tokens    2\n", "usage     3 queries in 1 months", "1 rows of usage by day\n"] {
        assert!(out.contains(part), "{out}");
    }
    let line = from.run(&copy).failed();
    assert!(line.contains("already has 1 accounts: give an empty database"), "{line}");

    let there = Home::new().store(&address);
    let line = there.run(&["audit", "--action", "store.copy"]).succeeded();
    assert!(line.contains("store.copy") && line.contains("command: "), "{line}");
    let store = there.store_address().open().await.unwrap();
    assert_eq!(store.hours(first_hour, first_hour + 1).await.unwrap(), [measured]);
    store.close().await;
    there.import(sample::PADRON);
    // A second copy, to another database: ids continue there too.
    let further = database().await;
    there.run(&["store", "copy", "--from", &address, "--to", &further]).succeeded();
    let furthest = Home::new().store(&further);
    let out = furthest.run(&["account", "create", "--email", "eva@example.pe"]).succeeded();
    assert!(out.lines().nth(1).unwrap().starts_with('3'), "{out}");
    furthest.run(&["token", "create", "--email", "eva@example.pe", "--name", "t"]).succeeded();
    let serving = there.serve();
    let line = from.run(&["store", "copy", "--from", &address, "--to", &further]).failed();
    assert!(line.contains("(1 of them): stop them first"), "{line}");
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    assert_eq!(lookup(serving.api, &revoked, sample::COMPANY).unwrap().status, 401);
    assert_eq!(there.used(ANA).await, 4);
    serving.stop();
    let out = there.run(&["account", "create", "--email", "next@example.pe"]).succeeded();
    assert!(out.lines().nth(1).unwrap().starts_with('3'), "{out}");
    let password: Option<String> = sqlx::query_scalar("SELECT password_hash FROM account WHERE email = $1")
        .bind(ANA)
        .fetch_one(&mut shell(&address).await)
        .await
        .unwrap();
    assert!(password.unwrap().starts_with("$argon2id$"));

    // And back into a SQLite file.
    let back = format!("sqlite://{}", from.path("back.db").display());
    let out = from.run(&["store", "copy", "--from", &address, "--to", &back]).succeeded();
    assert!(out.contains("accounts  2\n") && out.contains("usage     4 queries"), "{out}");
    let out = from.run_with(&["account", "list"], &[("KURAKA__STORE__URL", &back)], "").succeeded();
    assert!(out.contains(ANA) && out.contains("next@example.pe"), "{out}");
}

#[tokio::test]
async fn a_failed_store_copy_leaves_the_target_empty() {
    let from = Home::new();
    from.token(ANA);
    from.token("eva@example.pe");
    let address = database().await;
    let there = Home::new().store(&address);
    there.run(&["store", "migrate"]).succeeded();
    // The target refuses the second account.
    shell(&address).await.execute("ALTER TABLE account ADD CHECK (email NOT LIKE 'eva%')").await.unwrap();
    let file = format!("sqlite://{}", from.data("kuraka.db").display());
    from.run(&["store", "copy", "--from", &file, "--to", &address]).failed();
    let out = there.run(&["store", "check"]).succeeded();
    assert!(out.contains("accounts  0\n") && out.contains("tokens    0\n"), "{out}");
}

#[tokio::test]
async fn an_invalid_store_url_is_reported_without_its_password() {
    let home = Home::new();
    let line = home.run(&["store", "copy", "--from", "sqlite:///nowhere.db", "--to", "mysql://a:s3cr3t@b/c"]).failed();
    assert!(line.contains("--to must be an address such as sqlite:") && !line.contains("s3cr3t"), "{line}");
    let line = home.run(&["store", "copy", "--from", "sqlite:///nowhere.db", "--to", "sqlite:there.db"]).failed();
    assert_eq!(line, "there is no file /nowhere.db");
    let unreachable = "postgres://kuraka:s3cr3t@127.0.0.1:1/kuraka";
    let line = home.run_with(&["store", "check"], &[("KURAKA__STORE__URL", unreachable)], "").failed();
    assert!(line.contains("postgres://127.0.0.1:1/kuraka") && !line.contains("s3cr3t"), "{line}");
    for address in ["postgres://a:s3cr3t@:x/y", "postgres://a:s3cr3t@b/c?ssl_mode=verify-full"] {
        let line = home.run_with(&["serve"], &[("KURAKA__STORE__URL", address)], "").failed();
        assert!(line.contains("store.url") && !line.contains("s3cr3t"), "{line}");
    }
}

/// The number of tables.
async fn tables(address: &str) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        .fetch_one(&mut shell(address).await)
        .await
        .unwrap()
}

/// The columns of all tables, as text to compare.
async fn schema(address: &str) -> String {
    sqlx::query_scalar(
        "SELECT string_agg(concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default), E'\n'
             ORDER BY table_name, column_name)
         FROM information_schema.columns WHERE table_schema = 'public'",
    )
    .fetch_one(&mut shell(address).await)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_killed_migration_is_completed_by_the_next_one() {
    let kills = number("MIGRATION_KILLS", 8);
    let whole = database().await;
    Home::new().store(&whole).run(&["store", "migrate"]).succeeded();
    let (all, whole) = (tables(&whole).await, schema(&whole).await);
    let mut unfinished = 0;
    for kill in 0..kills {
        let address = database().await;
        let home = Home::new().store(&address);
        // Two migrations at once. One of them is killed, a little later in each round.
        let (killed, mut other) = (home.start(&["store", "migrate"]), home.start(&["store", "migrate"]));
        pass(Duration::from_millis(kill * 4)).await;
        killed.kill();
        other.output("has the schema of this version");
        let (status, _, log) = other.ended();
        assert!(status.success(), "{log:?}");
        assert_eq!(schema(&address).await, whole);

        // One migration alone is killed; the next one completes it.
        let address = database().await;
        let home = Home::new().store(&address);
        let killed = home.start(&["store", "migrate"]);
        pass(Duration::from_millis(kill * 4)).await;
        killed.kill();
        let made = tables(&address).await;
        // The migration is atomic: the table of versions is first, then come all others.
        assert!([0, 1, all].contains(&made), "{made} tables of {all}");
        unfinished += u64::from(made < all);
        home.run(&["store", "migrate"]).succeeded();
        assert_eq!(schema(&address).await, whole);
    }
    let tried = format!("a migration killed at {kills} instants, alone and beside another");
    figure("C11", &tried, &format!("{unfinished} cut short, 0 left half-done, all finished by the next"));
}
