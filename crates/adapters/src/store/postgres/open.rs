//! Opens the database: migrates its schema and connects.

use std::error::Error;
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use sqlx::migrate::Migrator;
use sqlx::{ConnectOptions, PgConnection};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::{CONNECT_WITHIN, PostgresAddress, PostgresStore, pool};
use crate::store::lease_queue::LeaseQueue;
use crate::store::open::{APPLIED, KEPT_DAYS, migration};
use crate::store::{OpenStoreError, Schema};

/// Every file of `migrations/postgres`. A released file is never changed.
static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    Migrator::with_migrations(vec![migration(
        1,
        "schema",
        include_str!("../../../migrations/postgres/0001_schema.sql"),
    )])
});

/// How long a start waits for its own migrations and another server's.
const MIGRATE_WITHIN: Duration = Duration::from_secs(300);

impl PostgresStore {
    /// Connects and reads the store's schema version.
    ///
    /// # Errors
    /// [`OpenStoreError`] if PostgreSQL cannot be reached, or the store is newer than this version.
    pub async fn schema(address: &PostgresAddress) -> Result<Schema, OpenStoreError> {
        let failed = |error: sqlx::Error| refused(address, error.into());
        let mut connection = connect(address).await?;
        let applied = if is_new(&mut connection).await.map_err(failed)? {
            let may = "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)";
            let may: bool = sqlx::query_scalar(may).fetch_one(&mut connection).await.map_err(failed)?;
            if !may {
                return Err(refused(address, "the user may not create tables in it".into()));
            }
            None
        } else {
            sqlx::query_scalar(APPLIED).fetch_one(&mut connection).await.map_err(failed)?
        };
        Schema::from_version(applied, &MIGRATIONS, address.to_string())
    }

    /// Whether this user may change or delete lines of the audit log.
    ///
    /// # Errors
    /// [`OpenStoreError`] if PostgreSQL cannot be reached or has no store.
    pub async fn may_change_audit(address: &PostgresAddress) -> Result<bool, OpenStoreError> {
        let query = sqlx::query_scalar("SELECT has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE')");
        let mut connection = connect(address).await?;
        let answer = timeout(CONNECT_WITHIN * 5, query.fetch_one(&mut connection)).await;
        answer.map_err(|late| refused(address, late.into()))?.map_err(|error| refused(address, error.into()))
    }

    /// Opens the store and migrates its schema if needed. The database must exist. Each migration is atomic and runs
    /// once: servers wait for each other on an advisory lock. Connections live on the current runtime.
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn open(address: &PostgresAddress) -> Result<Self, OpenStoreError> {
        // Without a timeout for statements, because a migration may take long.
        let mut connection = connect(address).await?;
        let is_new = is_new(&mut connection).await.map_err(|error| refused(address, error.into()))?;
        let failed = |store, source| OpenStoreError::Server { store, source };
        timeout(MIGRATE_WITHIN, MIGRATIONS.run_direct(None, &mut connection, false))
            .await
            .map_err(|late| refused(address, late.into()))?
            .map_err(|error| OpenStoreError::from_migration(address.to_string(), &MIGRATIONS, error, failed))?;
        let new = |most| pool::new(address.options(), most).map_err(|error| refused(address, error.into()));
        let (pool, kept) = (new(pool::CONNECTIONS)?, new(pool::RESERVED_CONNECTIONS)?);
        let runtime = Handle::current();
        let (leases, kept_days) = (LeaseQueue::new(runtime.clone()), AtomicU32::new(KEPT_DAYS));
        Ok(Self { pool, kept, leases: Arc::new(leases), kept_days: Arc::new(kept_days), runtime, is_new })
    }
}

fn refused(address: &PostgresAddress, source: Box<dyn Error + Send + Sync>) -> OpenStoreError {
    OpenStoreError::Server { store: address.to_string(), source }
}

async fn connect(address: &PostgresAddress) -> Result<PgConnection, OpenStoreError> {
    let options = address.options();
    let connecting = timeout(CONNECT_WITHIN * 5, options.connect()).await;
    let connecting = connecting.map_err(|late| refused(address, late.into()))?;
    connecting.map_err(|error| refused(address, error.into()))
}

/// Whether there is no store yet.
async fn is_new(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NULL").fetch_one(connection).await
}
