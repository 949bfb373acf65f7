//! What nobody may do with lines of the audit log, whatever the statement.

use kuraka_adapters::store::PostgresStore;
use kuraka_ports::contract::samples::account;
use kuraka_ports::{Accounts, Actor, Audit, AuditFilter, NewAuditLine, Origin};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};

use super::{sqlite, stranger};
use crate::postgres::{database, shell};

#[tokio::test]
async fn no_statement_changes_a_line_of_the_audit_log() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    let mut stranger = stranger(&folder).await;
    for statement in [
        "UPDATE audit SET object = 'x'",
        "DELETE FROM audit",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit",
        "REPLACE INTO audit (id, account, time, expires, action, actor, object) VALUES (1, 0, 0, 0, '', 'system', '')",
    ] {
        let refusal = sqlx::query(statement).execute(&mut stranger).await.unwrap_err();
        assert!(refusal.to_string().contains("audit log"), "{statement}: {refusal}");
    }
    let filter = AuditFilter { account: Some(owner), ..AuditFilter::default() };
    assert_eq!(store.lines(&filter, 9).await.unwrap().len(), 1);
}

/// The statements of the migration's comment.
#[tokio::test]
async fn a_server_with_a_role_of_its_own_adds_and_expires_lines_only() {
    let address = database().await;
    let owned = PostgresStore::open(&address.parse().unwrap()).await.unwrap();
    let mut owner = shell(&address).await;
    let migration = include_str!("../../../migrations/postgres/0001_schema.sql");
    let server = format!("server_{}", std::process::id());
    owner.execute(AssertSqlSafe(format!("CREATE ROLE {server} LOGIN"))).await.unwrap();
    for grant in migration.lines().filter_map(|line| line.strip_prefix("--   ")) {
        owner.execute(AssertSqlSafe(grant.replace("server;", &format!("{server};")))).await.unwrap();
    }
    let address: sqlx::postgres::PgConnectOptions = address.parse().unwrap();
    let as_server = address.username(&server).to_url_lossy().to_string();
    let store = PostgresStore::open(&as_server.parse().unwrap()).await.unwrap();
    let line = NewAuditLine { action: "a.b", object: "x".to_owned(), ..NewAuditLine::default() };
    for days in [0, 1] {
        store.keep_lines(days);
        store.add_line(&line, &Origin::default()).await.unwrap();
    }
    let mut connection = shell(&as_server).await;
    // Another table of that name, which the role may make, is not used with the owner's rights.
    connection.execute("CREATE TEMPORARY TABLE audit (id BIGINT, expires BIGINT)").await.unwrap();
    connection.execute("INSERT INTO audit VALUES (7, 0)").await.unwrap();
    let expired = connection.fetch_all("SELECT audit_expire()").await.unwrap();
    assert_eq!(expired.len(), 1);
    let others: i64 = sqlx::query_scalar("SELECT count(*) FROM audit").fetch_one(&mut connection).await.unwrap();
    assert_eq!(others, 1, "its own row stays");
    connection.execute("DROP TABLE pg_temp.audit").await.unwrap();
    store.expire_lines().await.unwrap();
    for statement in ["UPDATE audit SET object = 'y'", "DELETE FROM audit", "TRUNCATE audit"] {
        let refusal = connection.execute(statement).await.unwrap_err();
        assert!(refusal.to_string().contains("permission denied"), "{statement}: {refusal}");
    }
    assert_eq!(store.lines(&AuditFilter::default(), 9).await.unwrap().len(), 1);
    assert!(!PostgresStore::may_change_audit(&as_server.parse().unwrap()).await.unwrap());
    account(&store, 1).await;
    assert_eq!(owned.lines(&AuditFilter::default(), 9).await.unwrap().len(), 2);
}

#[tokio::test]
async fn an_accounts_data_does_not_tell_an_operators_address() {
    let (store, _folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    let line = NewAuditLine { action: "account.set_plan", account: Some(owner), ..NewAuditLine::default() };
    let address = Some("198.51.100.7".parse().unwrap());
    for actor in [Actor::Account, Actor::Operator("luz@example.pe".to_owned())] {
        let origin = Origin { actor, address, agent: Some("Navegador".to_owned()), ..Origin::default() };
        store.add_line(&line, &origin).await.unwrap();
    }
    let data = format!("{:?}", store.stored_data(owner).await.unwrap());
    assert_eq!(["198.51.100.7", "Navegador", "luz@"].map(|text| data.matches(text).count()), [1, 1, 0]);
}
