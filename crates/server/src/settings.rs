//! The settings: built-in defaults, then `kuraka.toml`, then variables `KURAKA__SECTION__KEY`.
//!
//! An unknown key or an invalid value stops the start with one line that names the key and its origin. This module opens
//! no store, binds no port and makes no request.

mod calls;
mod connections;
mod datasets;
mod error;
mod keys;
mod origin;
mod panel;
mod redaction;
mod sources;
mod times;
mod values;
mod vouchers;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ipnet::IpNet;
use kuraka_adapters::layers::Times;
use kuraka_adapters::sources::sunat_portal::Config as PortalConfig;
use kuraka_adapters::sources::sunat_vouchers::Config as VouchersConfig;
use kuraka_adapters::store::StoreAddress;
use kuraka_app::plan::{HIGHEST_RATE, MOST_QUERIES};
use kuraka_app::{Plan, PlanError, Plans};
use kuraka_ports::PlanName;
use secrecy::ExposeSecret;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

pub use connections::ConnectionLimits;
pub use datasets::Datasets;
pub use error::SettingsError;
pub use origin::Origin;
pub use sources::Provider;
pub use values::Values;

/// Every setting, parsed and validated.
#[derive(Clone, Debug)]
pub struct Settings {
    /// `data_dir`: the folder of the registry and the SQLite store.
    pub data_dir: PathBuf,
    /// `http`: the public listener.
    pub http: Http,
    /// `calls.<operation>`: the most calls in progress, by the operation's name.
    pub calls: BTreeMap<String, usize>,
    /// `panel.sign_up`: the plan of new accounts; `None` if sign-up is closed.
    pub sign_up: Option<PlanName>,
    /// `admin.bind`: health, readiness and metrics.
    pub admin_bind: SocketAddr,
    /// `store.url`: the store of accounts, tokens and usage.
    pub store: StoreAddress,
    /// `registry`: the padrón.
    pub registry: Registry,
    /// `datasets`: the official datasets, the padrón included.
    pub datasets: Datasets,
    /// `official`: SUNAT's page; `None` if it is not a source.
    pub official: Option<PortalConfig>,
    /// `official.open_data`: whether the open data answers details that no source answers.
    pub open_data: bool,
    /// `providers.chain` and `providers.<name>`, in the order of the chain.
    pub providers: Vec<Provider>,
    /// `sources`: timeouts, cache times and the breakers' open time.
    pub times: Times,
    /// `vouchers`: the voucher service; `None` if there are no credentials.
    pub vouchers: Option<VouchersConfig>,
    /// `plans.<name>`: queries, rate and burst.
    pub plans: Plans,
    /// `log`.
    pub log: Log,
}

/// The public listener.
#[derive(Clone, Debug)]
pub struct Http {
    /// `http.bind`.
    pub bind: SocketAddr,
    /// `http.workers`: worker threads; by default one per processor.
    pub workers: Option<usize>,
    /// `http.trusted_proxies`: networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// `http.stop_delay`: how long a stopping server still answers while it reports that it is not ready.
    pub stop_delay: Duration,
    /// Deadlines, sizes and numbers of connections; the deadlines are those of the admin listener too.
    pub connections: ConnectionLimits,
    /// `http.public_url`: the URL under which clients reach this server, without a `/` at its end.
    pub public_url: Option<String>,
}

/// The registry's editions.
#[derive(Clone, Debug)]
pub struct Registry {
    /// `registry.edition_url`: another machine's edition; `None` if this machine builds its own.
    pub edition_url: Option<String>,
    /// `registry.edition_sha256_url`: the SHA-256 that such an edition must have; `None` if none is required.
    pub edition_sha256_url: Option<String>,
    /// `registry.max_age_days`: maximum age of an edition that proves absences; `None` for any age.
    pub max_age_days: Option<u32>,
    /// `registry.update_every`: how often the server updates its datasets; `None` for never.
    pub update_every: Option<Duration>,
}

/// Level and format of the logs.
#[derive(Clone, Debug)]
pub struct Log {
    /// `log.level`: a filter such as `info` or `warn,kuraka=debug`.
    pub level: String,
    /// `log.format`: `json` or `text`.
    pub json: bool,
}

impl Settings {
    /// Reads and validates the settings. A given `file` must exist. Without one, `./kuraka.toml` is read if it exists.
    ///
    /// # Errors
    /// [`SettingsError`], which names the key and its origin.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        Self::read(&Values::load(file)?)
    }

    /// Parses and validates these values.
    ///
    /// # Errors
    /// See [`Settings::load`].
    pub fn read(values: &Values) -> Result<Self, SettingsError> {
        let data_dir = PathBuf::from(values.text("data_dir")?);
        let store = store(values, &data_dir)?;
        let plans = plans(values)?;
        let address = "an address and a port, such as 127.0.0.1:8080";
        let workers: usize = values.parsed("http.workers", "a number of threads, 0 for one a processor")?;
        let max_age: u32 = values.parsed("registry.max_age_days", "a number of days, 0 for any age")?;
        Ok(Self {
            http: Http {
                bind: values.parsed("http.bind", address)?,
                workers: (workers > 0).then_some(workers),
                trusted_proxies: trusted_proxies(values)?,
                stop_delay: times::stop_delay(values)?,
                connections: connections::connections(values)?,
                public_url: panel::public_url(values)?,
            },
            calls: calls::calls(values)?,
            sign_up: panel::sign_up(values, &plans)?,
            admin_bind: values.parsed("admin.bind", address)?,
            store,
            registry: Registry {
                edition_url: Some(url(values, "registry.edition_url")?).filter(|url| !url.is_empty()),
                edition_sha256_url: edition_sha256_url(values)?,
                max_age_days: (max_age > 0).then_some(max_age),
                update_every: update_every(values)?,
            },
            datasets: datasets::datasets(values)?,
            official: sources::official(values)?,
            open_data: values.parsed("official.open_data", "true or false")?,
            providers: sources::providers(values)?,
            times: times::times(values)?,
            vouchers: vouchers::vouchers(values)?,
            plans,
            log: log(values)?,
            data_dir,
        })
    }

    /// The registry's folder.
    #[must_use]
    pub fn registry_dir(&self) -> PathBuf {
        self.data_dir.join("registry")
    }
}

/// The store's address, which may contain a password.
fn store(values: &Values, data_dir: &Path) -> Result<StoreAddress, SettingsError> {
    const KEY: &str = "store.url";
    let Some(url) = values.secret(KEY)? else {
        return Ok(StoreAddress::Sqlite(data_dir.join("kuraka.db")));
    };
    store_address(url.expose_secret())
        .ok_or_else(|| values.invalid(KEY, &format!("an address such as {STORE_ADDRESS}")))
}

/// Examples of store addresses.
pub const STORE_ADDRESS: &str = "sqlite:///var/lib/kuraka/kuraka.db or postgres://user:password@host:5432/kuraka";

/// Parses a store's address in the form of [`STORE_ADDRESS`].
#[must_use]
pub fn store_address(text: &str) -> Option<StoreAddress> {
    let text = text.trim();
    match text.strip_prefix("sqlite:").map(|rest| rest.strip_prefix("//").unwrap_or(rest)) {
        Some("") => None,
        Some(path) => Some(StoreAddress::Sqlite(PathBuf::from(path))),
        None => text.parse().ok().map(StoreAddress::Postgres),
    }
}

fn trusted_proxies(values: &Values) -> Result<Vec<IpNet>, SettingsError> {
    const KEY: &str = "http.trusted_proxies";
    let network = |text: &String| {
        let address = text.parse::<std::net::IpAddr>().map(IpNet::from);
        text.parse::<IpNet>().or(address).map_err(|_| values.invalid(KEY, "networks such as 10.0.0.0/8, 127.0.0.1"))
    };
    values.list(KEY)?.iter().map(network).collect()
}

fn url(values: &Values, key: &str) -> Result<String, SettingsError> {
    let text = values.text(key)?;
    if text.is_empty() || text.starts_with("http://") || text.starts_with("https://") {
        Ok(text)
    } else {
        Err(values.invalid(key, "an address that starts with http:// or https://, or nothing"))
    }
}

/// The URL of the checksum that a fetched edition must have.
fn edition_sha256_url(values: &Values) -> Result<Option<String>, SettingsError> {
    const KEY: &str = "registry.edition_sha256_url";
    let checksum_url = url(values, KEY)?;
    if !checksum_url.is_empty() && values.text("registry.edition_url")?.is_empty() {
        return Err(values.invalid(KEY, "nothing, unless registry.edition_url is set"));
    }
    Ok(Some(checksum_url).filter(|url| !url.is_empty()))
}

fn update_every(values: &Values) -> Result<Option<Duration>, SettingsError> {
    const KEY: &str = "registry.update_every";
    let text = values.text(KEY)?;
    if text == "off" {
        return Ok(None);
    }
    let span = text.parse::<jiff::SignedDuration>().ok().and_then(|span| Duration::try_from(span).ok());
    span.filter(|every| *every >= Duration::from_secs(60))
        .map(Some)
        .ok_or_else(|| values.invalid(KEY, "off, or a time of at least a minute such as 24h"))
}

fn plans(values: &Values) -> Result<Plans, SettingsError> {
    let number = |name: &str, field: &str| {
        values
            .parsed::<u64>(&format!("plans.{name}.{field}"), "a whole number, as every plan's queries, rate and burst")
    };
    let plan = |name: String| {
        let key = format!("plans.{name}");
        let parsed =
            PlanName::parse(&name).map_err(|_| values.invalid(&key, "a name of lower-case letters and digits"));
        let (queries, rate, burst) = (number(&name, "queries")?, number(&name, "rate")?, number(&name, "burst")?);
        Plan::new(parsed?, queries, rate, burst).map_err(|error| match error {
            PlanError::Rate { field, .. } => {
                values.invalid(&format!("{key}.{field}"), &format!("from 1 to {HIGHEST_RATE}"))
            }
            PlanError::Queries { .. } => {
                values.invalid(&format!("{key}.queries"), &format!("from 0 to {MOST_QUERIES}"))
            }
        })
    };
    values.names_under("plans").into_iter().map(plan).collect()
}

fn log(values: &Values) -> Result<Log, SettingsError> {
    let level = values.text("log.level")?;
    // The filter would take an unknown word as the name of a module and silence all others.
    let is_level = |part: &str| part.contains(['=', '[']) || part.trim().parse::<LevelFilter>().is_ok();
    if !level.split(',').all(is_level) || EnvFilter::try_new(&level).is_err() {
        return Err(values
            .invalid("log.level", "off, error, warn, info, debug or trace, or a filter such as warn,kuraka=debug"));
    }
    match values.text("log.format")?.as_str() {
        "json" => Ok(Log { level, json: true }),
        "text" => Ok(Log { level, json: false }),
        _ => Err(values.invalid("log.format", "json or text")),
    }
}
