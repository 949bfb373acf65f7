//! The settings: built-in defaults, then the settings file, then variables `KURAKA__SECTION__KEY`. An unknown key or
//! invalid value stops the start with one line that names key and origin.

mod datasets;
mod error;
mod kind;
mod section;
mod sections;
mod sources;
mod values;

use std::fs;
use std::net::SocketAddr;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::Timeouts;
use kuraka_adapters::mail::{MailServer, SmtpSender, SmtpSenderError};
use kuraka_adapters::sources::sunat_portal::Config as PortalConfig;
use kuraka_adapters::sources::sunat_vouchers::Config as VouchersConfig;
use kuraka_adapters::store::StoreAddress;
use kuraka_app::{Plan, Plans};
use kuraka_connections::{Limits, TrustedProxies};
use kuraka_panel::Brand;
use kuraka_ports::{Email, PlanName};
use secrecy::SecretString;

pub use datasets::Datasets;
pub use error::{Origin, SettingsError};
pub use kind::{LogFormat, STORE_ADDRESS, store_address};
pub use sections::{AllDatasets, Compat, Http, Log, WebhookSettings};
pub use sources::{Provider, provider_name};
pub use values::{FILE_VARIABLE, Values, environment, reference};

use kind::{Kind, PublicUrl, Sender};
use sections::{Admin, AuditLog, Connections, General, Mail, Official, OnePlan, Panel, Sources, Status, Store};

const LOGO_BYTES: u64 = 64 * 1024;

#[derive(Clone, Debug)]
pub struct Settings {
    pub file: Option<PathBuf>,
    /// `data_dir`.
    pub data_dir: PathBuf,
    /// `http`, without connections.
    pub http: Http,
    /// `http`'s connections. Deadlines and head size apply to the admin listener too.
    pub connections: Limits,
    /// `panel.sign_up`: new accounts' plan; `None` = closed.
    pub sign_up: Option<PlanName>,
    /// `panel.contact`.
    pub contact: Option<String>,
    /// `panel.name`, `panel.logo` and `panel.colour`.
    pub brand: Arc<Brand>,
    /// `panel.confirm_address`.
    pub confirm_address: bool,
    /// `panel.lists_kept_days`.
    pub lists_kept_days: u32,
    /// `admin.bind`.
    pub admin_bind: SocketAddr,
    /// `status.public`.
    pub status_public: bool,
    /// `audit.kept_days`.
    pub audit_kept_days: u32,
    /// `mail`; `None` = no mail.
    pub mail: Option<Mailing>,
    /// `store.url`.
    pub store: StoreAddress,
    /// `datasets`.
    pub datasets: Datasets,
    /// `official`; `None` = no source.
    pub official: Option<PortalConfig>,
    /// `official.open_data`.
    pub open_data: bool,
    /// `providers.chain` and `providers.<name>`, in the chain's order.
    pub providers: Vec<Provider>,
    /// `compat`.
    pub compat: Compat,
    /// `sources`.
    pub times: Timeouts,
    /// `vouchers`; `None` = no credentials.
    pub vouchers: Option<VouchersConfig>,
    /// `webhooks`.
    pub webhooks: WebhookSettings,
    /// `plans.<name>`.
    pub plans: Plans,
    /// `log`.
    pub log: Log,
}

#[derive(Clone, Debug)]
pub struct Mailing {
    /// `mail.server`.
    pub server: MailServer,
    /// `mail.from`.
    pub from: String,
    /// `mail.password`.
    pub password: Option<SecretString>,
    /// `mail.operator`.
    pub operator: Option<Email>,
    /// `http.public_url`, to which links lead.
    pub public_url: String,
}

impl Mailing {
    /// A sender that gives up after `within`.
    ///
    /// # Errors
    /// [`SmtpSenderError`].
    pub fn sender(&self, within: Duration) -> Result<SmtpSender, SmtpSenderError> {
        SmtpSender::new(&self.server, &self.from, self.password.as_ref(), within)
    }
}

impl Settings {
    /// See [`Values::load`].
    ///
    /// # Errors
    /// [`SettingsError`], with key and origin.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        Self::read(&Values::load(file)?)
    }

    /// # Errors
    /// [`SettingsError`], with key and origin.
    pub fn read(values: &Values) -> Result<Self, SettingsError> {
        let General { data_dir } = values.section("")?;
        let Store { url } = values.section("store.")?;
        let plans = plans(values)?;
        let panel: Panel = values.section("panel.")?;
        if panel.sign_up.as_ref().is_some_and(|plan| plans.find(plan).is_none()) {
            return Err(values.invalid("panel.sign_up", &Option::<PlanName>::expected()));
        }
        let brand = Arc::new(brand(values, &panel)?);
        let official: Official = values.section("official.")?;
        let (http, admin_bind): (Http, _) = (values.section("http.")?, values.section::<Admin>("admin.")?.bind);
        if http.bind == admin_bind && admin_bind.port() != 0 {
            return Err(values.invalid("admin.bind", "another address than http.bind"));
        }
        let mail = mail(values)?;
        if mail.is_none() && panel.confirm_address == Some(true) {
            return Err(values.invalid("panel.confirm_address", "false without mail.server"));
        }
        Ok(Self {
            file: values.file.clone(),
            http,
            connections: values.section::<Connections>("http.")?.into(),
            sign_up: panel.sign_up,
            lists_kept_days: panel.lists_kept_days,
            contact: panel.contact,
            brand,
            admin_bind,
            confirm_address: mail.is_some() && panel.confirm_address != Some(false),
            mail,
            audit_kept_days: values.section::<AuditLog>("audit.")?.kept_days,
            status_public: values.section::<Status>("status.")?.public,
            store: url.unwrap_or_else(|| StoreAddress::Sqlite(data_dir.join("kuraka.db"))),
            datasets: Datasets::read(values)?,
            open_data: official.open_data,
            official: sources::official(values, official)?,
            providers: sources::providers(values)?,
            compat: values.section("compat.")?,
            times: Timeouts { deadline: values.section::<Sources>("sources.")?.deadline, ..Timeouts::default() },
            vouchers: sources::vouchers(values)?,
            webhooks: values.section("webhooks.")?,
            plans,
            log: values.section("log.")?,
            data_dir,
        })
    }

    pub fn file_in_words(&self) -> String {
        self.file.as_ref().map_or_else(
            || "no settings file was found".to_owned(),
            |file| format!("the settings file is {}", absolute(file)),
        )
    }

    /// The store's absolute path, or its address without user, password and parameters.
    pub fn store_in_words(&self) -> String {
        match &self.store {
            StoreAddress::Sqlite(path) => absolute(path),
            StoreAddress::Postgres(address) => address.to_string(),
        }
    }

    pub fn datasets_dir(&self) -> PathBuf {
        self.data_dir.join("registry")
    }
}

/// An absolute path for people.
pub fn absolute(path: &Path) -> String {
    path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

impl From<Connections> for Limits {
    fn from(set: Connections) -> Self {
        Self {
            head_timeout: Duration::from_secs(5),
            body_timeout: Duration::from_secs(10),
            response_grace: Duration::from_secs(15),
            response_min_rate: 240,
            keep_alive: set.keep_alive,
            max_head_bytes: 32 * 1024,
            max_connections: set.max_connections,
            max_connections_per_address: Some(set.max_connections_per_address),
            trusted_proxies: TrustedProxies::default(),
        }
    }
}

fn plans(values: &Values) -> Result<Plans, SettingsError> {
    let plan = |name: &str| {
        let key = format!("plans.{name}");
        let OnePlan { queries, rate, burst, batch, batch_vouchers, watched } = values.section(&format!("{key}."))?;
        let parsed = PlanName::parse(name).map_err(|error| values.invalid(&key, &format!("renamed: {error}")))?;
        let plan = Plan::new(parsed, queries, rate, burst);
        let plan = plan.map_err(|error| values.invalid(&key, &format!("possible: {error}")))?;
        Ok(Plan { batch, batch_vouchers, watched, ..plan })
    };
    values.names_below("plans.").into_iter().map(plan).collect()
}

fn mail(values: &Values) -> Result<Option<Mailing>, SettingsError> {
    let Mail { server, from, password, operator } = values.section("mail.")?;
    let Some(server) = server else { return Ok(None) };
    let missing = |key, what: String| values.invalid(key, &format!("{what}, because mail.server is set"));
    let from = from.ok_or_else(|| missing("mail.from", Sender::expected()))?;
    let Http { public_url, .. } = values.section("http.")?;
    let public_url = public_url.ok_or_else(|| missing("http.public_url", PublicUrl::expected()))?;
    if server.user.is_some() != password.is_some() {
        return Err(values.invalid("mail.password", "set if mail.server has a user, and only then"));
    }
    Ok(Some(Mailing { server, from, password, operator, public_url }))
}

fn brand(values: &Values, panel: &Panel) -> Result<Brand, SettingsError> {
    let mut brand = Brand::new(panel.name.clone());
    if let Some(path) = &panel.logo {
        let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LOGO_BYTES);
        let content = is_small.then(|| fs::read(path).ok()).flatten();
        let branded = content.and_then(|content| brand.with_logo(content));
        let expected = "the path of a readable SVG or PNG file of at most 64 KiB";
        brand = branded.ok_or_else(|| values.invalid("panel.logo", expected))?;
    }
    let Some(colour) = panel.colour else { return Ok(brand) };
    let darker = |ratio| format!("darker: its contrast with the light pages is {ratio:.2}, less than 4.5");
    brand.with_colour(colour).map_err(|ratio| values.invalid("panel.colour", &darker(ratio)))
}
