//! Opens the database: migrates its schema and connects.

use std::sync::atomic::AtomicU32;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use sqlx::ConnectOptions;
use sqlx::migrate::Migrator;
use sqlx::postgres::PgPoolOptions;
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
        let failed = |source| OpenStoreError::Server { store: address.to_string(), source };
        let options = address.options();
        let connecting = timeout(CONNECT_WITHIN * 5, options.connect());
        let mut connection =
            connecting.await.map_err(|late| failed(late.into()))?.map_err(|error| failed(error.into()))?;
        let known = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL");
        let applied = match known.fetch_one(&mut connection).await {
            Ok(false) => {
                let may = "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)";
                let may: bool =
                    sqlx::query_scalar(may).fetch_one(&mut connection).await.map_err(|error| failed(error.into()))?;
                if !may {
                    return Err(failed("the user may not create tables in it".into()));
                }
                Ok(None)
            }
            Ok(true) => sqlx::query_scalar(APPLIED).fetch_one(&mut connection).await,
            Err(error) => Err(error),
        };
        Schema::from_version(applied.map_err(|error| failed(error.into()))?, &MIGRATIONS, address.to_string())
    }

    /// Whether this user may change or delete lines of the audit log.
    ///
    /// # Errors
    /// [`OpenStoreError`] if PostgreSQL cannot be reached or has no store.
    pub async fn may_change_audit(address: &PostgresAddress) -> Result<bool, OpenStoreError> {
        let failed = |source| OpenStoreError::Server { store: address.to_string(), source };
        let query = sqlx::query_scalar("SELECT has_table_privilege('audit', 'UPDATE, DELETE, TRUNCATE')");
        let asked = async { query.fetch_one(&mut address.options().connect().await?).await };
        let answer = timeout(CONNECT_WITHIN * 5, asked).await.map_err(|late| failed(late.into()))?;
        answer.map_err(|error: sqlx::Error| failed(error.into()))
    }

    /// Opens the store and migrates its schema if needed. The database must exist. Each migration is atomic and runs
    /// once: servers wait for each other on an advisory lock. Connections live on the current runtime.
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn open(address: &PostgresAddress) -> Result<Self, OpenStoreError> {
        let failed = |store, source| OpenStoreError::Server { store, source };
        let refused = |source| failed(address.to_string(), source);
        let options = address.options();
        // First on its own, for a precise error.
        let trying = timeout(CONNECT_WITHIN * 5, options.connect()).await.map_err(|late| refused(late.into()))?;
        drop(trying.map_err(|error| refused(error.into()))?);
        // A separate connection: a migration may take longer than any statement of a call.
        let migrating = PgPoolOptions::new()
            .max_connections(1)
            .connect_with(options.clone())
            .await
            .map_err(|error| refused(error.into()))?;
        let asked = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NULL").fetch_one(&migrating).await;
        let is_new: bool = asked.map_err(|error| refused(error.into()))?;
        timeout(MIGRATE_WITHIN, MIGRATIONS.run(&migrating))
            .await
            .map_err(|late| refused(late.into()))?
            .map_err(|error| OpenStoreError::from_migration(address.to_string(), &MIGRATIONS, error, failed))?;
        migrating.close().await;
        let new = |most| pool::new(options.clone(), most).map_err(|error| refused(error.into()));
        let (pool, kept) = (new(pool::CONNECTIONS)?, new(pool::RESERVED_CONNECTIONS)?);
        let runtime = Handle::current();
        let (leases, kept_days) = (LeaseQueue::new(runtime.clone()), AtomicU32::new(KEPT_DAYS));
        Ok(Self { pool, kept, leases: Arc::new(leases), kept_days: Arc::new(kept_days), runtime, is_new })
    }
}
