//! A PostgreSQL database of its own for each test, on the server that `tests/postgres.sh` started.
//! Included by every test crate that needs one.

use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, ConnectOptions, Executor};

/// The address of a new and empty database. It goes with the server.
#[allow(clippy::disallowed_methods, clippy::expect_used, reason = "a test's layer_context, which it cannot do without")]
pub(crate) async fn database() -> String {
    static MADE: AtomicU32 = AtomicU32::new(0);
    let server = std::env::var("KURAKA_TEST_POSTGRES")
        .expect("this test needs PostgreSQL: run `make test`, or `tests/postgres.sh cargo test …`");
    let name = format!("test_{}_{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
    let options: sqlx::postgres::PgConnectOptions = server.parse().unwrap();
    let mut connection = options.connect().await.unwrap();
    connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE template0"))).await.unwrap();
    let (before, _) = server.rsplit_once('/').unwrap();
    format!("{before}/{name}")
}

/// A connection to it that knows nothing of Kuraka.
#[allow(dead_code, reason = "not every test crate looks beneath the store")]
pub(crate) async fn shell(address: &str) -> sqlx::PgConnection {
    address.parse::<sqlx::postgres::PgConnectOptions>().unwrap().connect().await.unwrap()
}
