//! The connection pool. A connection used within the last second is handed out unchecked, so that a lease costs one
//! round trip; an older one is pinged first, because the database may have been restarted.

use std::fmt;
use std::time::Duration;

use deadpool::managed::{Manager, Metrics, Object, RecycleError, RecycleResult};
use kuraka_ports::{StoreError, StoreErrorKind, StoreResult};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection as _, PgConnection};
use tokio::runtime::Handle;

use super::error::store_error;

/// How long a call waits for a connection, new ones included.
pub const CONNECT_WITHIN: Duration = Duration::from_secs(1);

/// The statement timeout, after which the connection is closed and the result unknown.
pub const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// Connections for accounts, tokens and sessions. Credentials are cached, so few statements run concurrently.
pub(super) const CONNECTIONS: usize = 6;

/// Connections for the ledger, heartbeats and changes. Leases share statements.
pub(super) const RESERVED_CONNECTIONS: usize = 4;

const TRUSTED_FOR: Duration = Duration::from_secs(1);

/// Older connections are replaced, so that they spread over the servers again after a failover.
const REPLACED_AFTER: Duration = Duration::from_secs(1_800);

pub(super) type Pool = deadpool::managed::Pool<Connector>;
pub(super) type Pooled = Object<Connector>;

pub(super) struct Connector {
    options: PgConnectOptions,
}

impl fmt::Debug for Connector {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connector").finish_non_exhaustive()
    }
}

impl Manager for Connector {
    type Type = PgConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = self.options.connect().await?;
        // Not in the start-up message, because some poolers reject such parameters.
        let limits = format!(
            "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {}",
            ANSWER_WITHIN.as_millis(),
            2 * ANSWER_WITHIN.as_millis()
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(limits)).execute(&mut connection).await?;
        Ok(connection)
    }

    async fn recycle(&self, connection: &mut PgConnection, metrics: &Metrics) -> RecycleResult<sqlx::Error> {
        if metrics.age() > REPLACED_AFTER {
            return Err(RecycleError::message("old enough to be replaced"));
        }
        if metrics.last_used() > TRUSTED_FOR {
            connection.ping().await?;
        }
        Ok(())
    }
}

/// A pool of at most this many connections, none open yet.
pub(super) fn new(options: PgConnectOptions, most: usize) -> Result<Pool, deadpool::managed::BuildError> {
    Pool::builder(Connector { options }).max_size(most).build()
}

/// Lives on `runtime`.
pub(super) async fn connection(pool: &Pool, runtime: &Handle) -> StoreResult<Pooled> {
    let pool = pool.clone();
    let taking = runtime.spawn(async move { tokio::time::timeout(CONNECT_WITHIN, pool.get()).await });
    match taking.await {
        Ok(Ok(Ok(pooled))) => Ok(pooled),
        Ok(Ok(Err(deadpool::managed::PoolError::Backend(error)))) => Err(store_error(error)),
        Ok(Ok(Err(closed))) => Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(closed)),
        Ok(Err(late)) => Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(late)),
        Err(stopped) => Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(stopped)),
    }
}
