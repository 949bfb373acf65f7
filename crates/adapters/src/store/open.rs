//! Opening a store: migrations of the schema, and errors.

use std::io;
use std::path::Path;

use sqlx::SqlStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use thiserror::Error;
use tokio::time::error::Elapsed;

/// A migration from the file `{version:04}_{description}.sql`, with `_` for the blanks of the description.
pub(super) fn migration(version: i64, description: &'static str, sql: &'static str) -> Migration {
    let in_transaction = true;
    Migration::new(version, description.into(), MigrationType::Simple, SqlStr::from_static(sql), !in_transaction)
}

/// A store's, compared with this version's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schema {
    /// There is no store: it is created when it is opened.
    None,
    /// It is migrated when the store is opened.
    Older,
    /// Nothing to do.
    Current,
}

impl Schema {
    pub(super) fn from_version(
        applied: Option<i64>,
        migrations: &Migrator,
        store: String,
    ) -> Result<Self, OpenStoreError> {
        let known = migrations.iter().map(|migration| migration.version).max().unwrap_or(0);
        match applied {
            None => Ok(Self::None),
            Some(found) if found > known => Err(OpenStoreError::Newer { store, found, known }),
            Some(found) => Ok(if found < known { Self::Older } else { Self::Current }),
        }
    }
}

/// Days for which lines of the audit log are kept, until a setting says otherwise.
pub(super) const KEPT_DAYS: u32 = 400;

/// The newest applied migration.
pub(super) const APPLIED: &str = "SELECT max(version) FROM _sqlx_migrations";

#[derive(Debug, Error)]
pub enum OpenStoreError {
    /// The SQLite file or its folder cannot be created or locked.
    #[error("cannot create the store {store}: check that its folder can be written to")]
    Create { store: String, source: io::Error },
    #[error("cannot open the store {store}: check that it is an SQLite file and that nothing holds it locked")]
    File { store: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("cannot open the store {store}: check that PostgreSQL runs there and lets this user in")]
    Server {
        /// The server and its database, without the password.
        store: String,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error(
        "the store {store} has schema version {found}, this version of kuraka knows {known}: \
         run the newer version, or restore a backup from before its first start"
    )]
    Newer { store: String, found: i64, known: i64 },
    #[error("{file} is no store of kuraka: name a file of a backup of kuraka")]
    Foreign { file: String },
    #[error("the store {store} has a schema version {version} that no release has made: restore a backup")]
    Altered { store: String, version: i64 },
}

impl OpenStoreError {
    /// Whether a later attempt may succeed by itself: PostgreSQL is unreachable, starting, stopping, or out of
    /// connections.
    pub fn may_pass(&self) -> bool {
        let Self::Server { source, .. } = self else { return false };
        match source.downcast_ref() {
            Some(sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut) => true,
            Some(sqlx::Error::Database(error)) => {
                error.code().is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
            }
            Some(_) => false,
            None => source.is::<Elapsed>(),
        }
    }

    /// Names the copied file in the error instead.
    pub(super) fn about(mut self, file: &Path) -> Self {
        if let Self::File { store, .. } | Self::Newer { store, .. } | Self::Altered { store, .. } = &mut self {
            *store = file.display().to_string();
        }
        self
    }

    /// `other` makes the error if the failure is not about versions.
    #[expect(clippy::wildcard_enum_match_arm, reason = "another library's errors, most of which cannot occur here")]
    pub(super) fn from_migration(
        store: String,
        migrations: &Migrator,
        error: MigrateError,
        other: impl FnOnce(String, Box<dyn std::error::Error + Send + Sync>) -> Self,
    ) -> Self {
        let known = migrations.iter().map(|migration| migration.version).max().unwrap_or(0);
        match error {
            MigrateError::VersionMissing(found) if found > known => Self::Newer { store, found, known },
            MigrateError::VersionMissing(version) | MigrateError::VersionMismatch(version) => {
                Self::Altered { store, version }
            }
            error => other(store, error.into()),
        }
    }
}
