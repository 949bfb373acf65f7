//! A new PostgreSQL database for each test, on the server that `tests/postgres.sh` started.
//! Every test crate that needs one includes this file.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, ConnectOptions, Executor};

/// The address of a new, empty database, which is deleted with the server.
#[expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "tests/postgres.sh passes the address in the environment"
)]
pub(crate) async fn database() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("TEST_POSTGRES")
        .expect("this test needs PostgreSQL: run `make test`, or `tests/postgres.sh cargo test …`");
    let name = format!("test_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    shell(&server).await.execute(AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE template0"))).await.unwrap();
    let (before, _) = server.rsplit_once('/').unwrap();
    format!("{before}/{name}")
}

/// A plain connection to the database, without Kuraka's code.
pub(crate) async fn shell(address: &str) -> sqlx::PgConnection {
    address.parse::<sqlx::postgres::PgConnectOptions>().unwrap().connect().await.unwrap()
}
