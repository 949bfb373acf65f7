//! The address of a PostgreSQL store.

use std::fmt;
use std::str::FromStr;

use sqlx::ConnectOptions;
use sqlx::postgres::PgConnectOptions;
use thiserror::Error;

/// Displayed without the password.
#[derive(Clone)]
pub struct PostgresAddress(Box<PgConnectOptions>);

/// The parameters allowed after `?`.
const PARAMETERS: &str = "\
    sslmode ssl-mode sslrootcert ssl-root-cert ssl-ca sslcert ssl-cert sslkey ssl-key statement-cache-capacity host \
    hostaddr port dbname user password application_name options";

/// The text is not an address. The error omits it, because it may hold a password.
#[derive(Debug, Error)]
#[error("expected an address such as postgres://user:password@host:5432/database")]
pub struct PostgresAddressError;

impl FromStr for PostgresAddress {
    type Err = PostgresAddressError;

    fn from_str(text: &str) -> Result<Self, PostgresAddressError> {
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err(PostgresAddressError);
        }
        // sqlx ignores unknown parameters: with a misspelt `sslmode`, TLS would silently not be enforced.
        let query = text.split_once('?').map_or("", |(_, query)| query);
        let mut keys =
            query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split('=').next().unwrap_or(pair));
        if !keys.all(|key| PARAMETERS.split(' ').any(|known| known == key) || key.starts_with("options[")) {
            return Err(PostgresAddressError);
        }
        let options = text.parse::<PgConnectOptions>().map_err(|_| PostgresAddressError)?;
        Ok(Self(Box::new(options.application_name("kuraka"))))
    }
}

impl PostgresAddress {
    /// What PostgreSQL's own programs read: an argument would be visible to all users of the machine.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        let url = self.0.to_url_lossy();
        let decoded = |text: &str| form_urlencoded::parse(text.as_bytes()).map(|(text, _)| text.into_owned()).next();
        let named = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, text)| text.into_owned());
        // sqlx writes how it got a certificate before its path.
        let file = |name: &str| named(name).map(|text| text.strip_prefix("file: ").unwrap_or(&text).to_owned());
        let variables = [
            ("PGHOST", url.host_str().and_then(decoded)),
            ("PGPORT", Some(self.0.get_port().to_string())),
            ("PGUSER", Some(self.0.get_username().to_owned())),
            ("PGPASSWORD", url.password().and_then(decoded)),
            ("PGDATABASE", self.0.get_database().map(str::to_owned)),
            ("PGSSLMODE", named("sslmode")),
            ("PGSSLROOTCERT", file("sslrootcert")),
            ("PGSSLCERT", file("sslcert")),
            ("PGSSLKEY", file("sslkey")),
        ];
        variables.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }

    pub(super) fn options(&self) -> PgConnectOptions {
        PgConnectOptions::clone(&self.0)
    }
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postgres://{}:{}", self.0.get_host(), self.0.get_port())?;
        self.0.get_database().map_or(Ok(()), |database| write!(f, "/{database}"))
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
