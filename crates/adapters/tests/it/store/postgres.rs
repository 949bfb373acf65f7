//! The contract suites on PostgreSQL, and tests of PostgreSQL only.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::store::{OpenStoreError, PostgresStore};
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::contract::membership::Meeting;
use kuraka_ports::contract::samples::{LATER, NOW, PERIOD, account, digest, latest, token};
use kuraka_ports::{
    Accounts, DailyUsage, DayCount, Membership, OldRows, OperationName, Retention, SecretDigest, ServerId, Sessions,
    StoreErrorKind, Tokens, UsageLedger, WebhookQueue,
};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection};
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::postgres::database;

/// A fresh store, and the address of its database: a copy of one that is migrated once.
async fn postgres() -> (Arc<PostgresStore>, String) {
    static MIGRATED: OnceCell<String> = OnceCell::const_new();
    static COPIES: AtomicU32 = AtomicU32::new(0);
    let migrated = MIGRATED.get_or_init(|| async {
        let address = database().await;
        drop(open(&address).await);
        address
    });
    let (server, migrated) = migrated.await.rsplit_once('/').unwrap();
    let copy = format!("{migrated}_{}", COPIES.fetch_add(1, Ordering::Relaxed));
    let statement = format!("CREATE DATABASE {copy} TEMPLATE {migrated} STRATEGY FILE_COPY");
    stranger(&format!("{server}/postgres")).await.execute(AssertSqlSafe(statement)).await.unwrap();
    let address = format!("{server}/{copy}");
    (open(&address).await, address)
}

/// A fresh store, which any number of servers can share.
async fn meeting() -> (Meeting<PostgresStore>, String) {
    let (store, address) = postgres().await;
    (Meeting { store, most_servers: u32::MAX }, address)
}

/// Another server's handle on the same database.
async fn open(address: &str) -> Arc<PostgresStore> {
    Arc::new(PostgresStore::open(&address.parse().unwrap()).await.unwrap())
}

/// A plain database connection.
async fn stranger(address: &str) -> PgConnection {
    address.parse::<sqlx::postgres::PgConnectOptions>().unwrap().connect().await.unwrap()
}

kuraka_ports::contract!(store, PostgresStore, postgres().await);

mod membership {
    kuraka_ports::contract!(membership, super::PostgresStore, super::meeting().await);
}

#[tokio::test]
async fn an_unreachable_server_is_reported_without_the_password() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    drop(silent);
    let address = format!("postgres://kuraka:hunter2@127.0.0.1:{port}/kuraka");
    let refusal = PostgresStore::open(&address.parse().unwrap()).await.unwrap_err();
    assert!(matches!(refusal, OpenStoreError::Server { .. }), "{refusal:?}");
    assert_eq!(
        refusal.to_string(),
        format!(
            "cannot open the store postgres://127.0.0.1:{port}/kuraka: \
             check that PostgreSQL runs there and lets this user in"
        )
    );
    assert!(refusal.source().unwrap().to_string().contains("refused"), "{refusal:?}");
    assert!(
        !format!("{refusal:?} {:?}", address.parse::<kuraka_adapters::store::PostgresAddress>()).contains("hunter2")
    );
}

#[tokio::test]
async fn a_statement_behind_a_lock_fails_in_time() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    store.lease(owner, PERIOD, 10, 1).await.unwrap();
    let mut stranger = stranger(&address).await;
    stranger.execute("BEGIN; LOCK TABLE usage").await.unwrap();
    let began = Instant::now();
    let refusal = store.lease(owner, PERIOD, 10, 1).await.unwrap_err();
    assert_eq!(refusal.kind, StoreErrorKind::Unavailable);
    assert!(began.elapsed() < Duration::from_millis(3_500), "{:?}", began.elapsed());
    stranger.execute("ROLLBACK").await.unwrap();
    assert_eq!(store.lease(owner, PERIOD, 10, 1).await.unwrap().used, 2);
}

#[tokio::test]
async fn deleting_an_account_during_leases_removes_all_its_rows() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    let other = open(&address).await;
    let leasing = tokio::spawn(async move {
        loop {
            if let Err(gone) = other.lease(owner, PERIOD, 1_000_000, 1).await {
                return gone.kind;
            }
        }
    });
    while store.used(owner, PERIOD).await.unwrap() < 20 {}
    assert!(store.delete(owner).await.unwrap());
    assert_eq!(leasing.await.unwrap(), StoreErrorKind::Missing);
    let left: i64 =
        sqlx::query_scalar("SELECT count(*) FROM usage").fetch_one(&mut stranger(&address).await).await.unwrap();
    assert_eq!(left, 0);
}

#[tokio::test]
async fn a_cancelled_statement_leaves_no_answer_for_the_next() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await;
    Tokens::create(&*store, &token(owner.id, 1)).await.unwrap();
    // Cancelled at every point: before, during and after the answer.
    for microseconds in (0..2_000).step_by(20) {
        let found = tokio::time::timeout(Duration::from_micros(microseconds), Tokens::find(&*store, &digest(1))).await;
        if let Ok(found) = found {
            assert_eq!(found.unwrap().unwrap().account, owner);
        }
        assert_eq!(Tokens::find(&*store, &digest(2)).await.unwrap(), None);
    }
    let open: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'kuraka' AND datname = current_database()",
    )
    .fetch_one(&mut stranger(&address).await)
    .await
    .unwrap();
    assert!(open <= 11, "{open} connections");
}

#[tokio::test]
async fn a_connection_to_a_read_only_database_is_closed() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    // As after a failover: this connection leads to the new standby, a new connection would not.
    let mut stranger = stranger(&address).await;
    stranger.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$").await.unwrap();
    stranger
        .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        .await
        .unwrap();
    // One call may get the terminated connection; later ones get the refusal, and no connection is kept.
    let _ended = store.lease(owner, PERIOD, 10, 1).await;
    assert_eq!(store.lease(owner, PERIOD, 10, 1).await.unwrap_err().kind, StoreErrorKind::Unwritable);
    stranger.execute("SET default_transaction_read_only = off").await.unwrap();
    stranger.execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$").await.unwrap();
    assert_eq!(store.lease(owner, PERIOD, 10, 1).await.unwrap().used, 1);
}

#[tokio::test]
async fn at_most_one_call_fails_after_a_database_restart() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    store.lease(owner, PERIOD, 10, 1).await.unwrap();
    stranger(&address)
        .await
        .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
        .await
        .unwrap();
    let first = store.lease(owner, PERIOD, 10, 1).await;
    assert!(first.is_err(), "the connection was ended");
    assert_eq!(store.lease(owner, PERIOD, 10, 1).await.unwrap().used, 2);
}

/// PostgreSQL's own limit for a statement does not end a commit, so the delayed one takes effect after its timeout.
#[tokio::test]
async fn counts_are_in_doubt_after_a_late_commit_but_not_after_a_failure_before_it() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    let day = Date::new(2026, 11, 20).unwrap();
    let count = DayCount { day, operation: OperationName::Borrowed("ruc"), code: ResultCode::Found, count: 1 };
    let mut operator = stranger(&address).await;
    operator
        .execute(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
             CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 PERFORM pg_sleep(3); RETURN NULL; END $$;
             CREATE TRIGGER failing AFTER INSERT ON history FOR EACH ROW EXECUTE FUNCTION fail();",
        )
        .await
        .unwrap();
    let add = async || store.add(&[(owner, count.clone())]).await.unwrap_err();
    let early = add().await;
    assert!(early.kind == StoreErrorKind::Unavailable && early.had_no_effect(), "{early:?}");
    operator
        .execute(
            "DROP TRIGGER failing ON history;
             CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON history DEFERRABLE INITIALLY DEFERRED
             FOR EACH ROW EXECUTE FUNCTION delay();",
        )
        .await
        .unwrap();
    let late = add().await;
    assert!(late.kind == StoreErrorKind::Unavailable && !late.had_no_effect(), "{late:?}");
    // Waits for the end of the transaction, which has written to the table.
    operator.execute("BEGIN; LOCK TABLE history IN SHARE MODE; COMMIT").await.unwrap();
    assert_eq!(store.since(owner, day).await.unwrap(), std::slice::from_ref(&count), "the commit took effect");
}

#[tokio::test]
async fn deleting_old_rows_leaves_those_that_another_server_has_locked() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    for number in [1, 2] {
        let token = Tokens::create(&*store, &token(owner, number)).await.unwrap();
        store.revoke(None, token.id, NOW).await.unwrap();
    }
    let mut other = stranger(&address).await;
    other.execute("BEGIN; SELECT id FROM token WHERE name = 'token 1' FOR UPDATE").await.unwrap();
    let began = Instant::now();
    store.delete_old(OldRows::EndedTokens, LATER).await.unwrap();
    assert_eq!(store.list(owner).await.unwrap().len(), 1);
    assert!(began.elapsed() < Duration::from_secs(1), "it waited for the lock");
    other.execute("ROLLBACK").await.unwrap();
    store.delete_old(OldRows::EndedTokens, LATER).await.unwrap();
    assert_eq!(store.list(owner).await.unwrap(), []);
}

#[tokio::test]
async fn webhooks_are_leased_although_another_server_has_locked_the_first() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id.0;
    let mut other = stranger(&address).await;
    let insert = "INSERT INTO webhook (account, url, created, secret, cursor)
         SELECT id, 'https://example.pe', 0, 'whsec_', 'first' FROM account, generate_series(1, 200)";
    other.execute(insert).await.unwrap();
    other.execute("BEGIN; SELECT id FROM webhook ORDER BY id LIMIT 64 FOR UPDATE").await.unwrap();
    let leased = store.lease_webhook("newest", NOW, LATER).await.unwrap().unwrap();
    assert_eq!(leased.webhook.account.0, owner);
}

#[tokio::test]
async fn pages_leave_connections_to_the_ledger_heartbeats_and_changes() {
    let (store, address) = postgres().await;
    let owner = account(&*store, 1).await.id;
    let mut other = stranger(&address).await;
    other.execute("BEGIN; LOCK TABLE session IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let mut pages = JoinSet::new();
    for number in 0..64 {
        let store = Arc::clone(&store);
        pages.spawn(async move {
            let digest = SecretDigest([number; 32]);
            match number % 2 {
                0 => Sessions::find(&*store, &digest).await.map(drop),
                _ => store.note_seen(&digest, Timestamp::UNIX_EPOCH).await,
            }
        });
    }
    let mut observer = stranger(&address).await;
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut observer).await.unwrap() < 6 {}
    let began = Instant::now();
    assert_eq!(store.lease(owner, PERIOD, 10, 1).await.unwrap().granted, 1);
    store.beat(ServerId([1; 16])).await.unwrap();
    latest(&*store).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    other.execute("ROLLBACK").await.unwrap();
    pages.join_all().await;
}
