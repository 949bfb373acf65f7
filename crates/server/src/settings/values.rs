//! Three values of settings laid over each other, each value with where it came from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fmt, fs};

use config::{Config, Environment, File, FileFormat, Map, Source, Value, ValueKind};
use secrecy::SecretString;

use kuraka_adapters::sources::sunat_portal::OFFICIAL_URL;
use kuraka_adapters::sources::sunat_vouchers::{API_URL, TOKEN_URL};

use super::SettingsError;

/// Every setting and its default. `*` stands for a name the operator chooses.
const KEYS: &[(&str, &str)] = &[
    ("data_dir", "data"),
    ("http.bind", "127.0.0.1:8080"),
    ("http.workers", "0"),
    ("http.trusted_proxies", ""),
    ("http.public_url", ""),
    ("http.stop_delay", "0s"),
    ("panel.sign_up", "free"),
    ("admin.bind", "127.0.0.1:9090"),
    ("store.url", ""),
    ("store.url_file", ""),
    ("registry.padron_url", "http://www2.sunat.gob.pe/padron_reducido_ruc.zip"),
    ("registry.withholding_url", "https://www.sunat.gob.pe/descarga/AgentRet/AgenRet_TXT.zip"),
    ("registry.good_taxpayers_url", "https://www.sunat.gob.pe/descarga/BueCont/BueCont_TXT.zip"),
    ("registry.edition_url", ""),
    ("registry.max_age_days", "7"),
    ("registry.update_every", "off"),
    ("official.url", OFFICIAL_URL),
    ("official.min_interval_ms", "1100"),
    ("official.user_agent", ""),
    ("providers.chain", ""),
    ("providers.*.token", ""),
    ("providers.*.token_file", ""),
    ("providers.*.url", ""),
    ("sources.deadline", "10s"),
    ("sources.page", "6s"),
    ("sources.provider", "3s"),
    ("sources.voucher", "8s"),
    ("sources.found_for", "10m"),
    ("sources.not_found_for", "1m"),
    ("sources.breaker_open", "15s"),
    ("vouchers.token_url", TOKEN_URL),
    ("vouchers.api_url", API_URL),
    ("vouchers.ruc", ""),
    ("vouchers.client_id", ""),
    ("vouchers.client_secret", ""),
    ("vouchers.client_secret_file", ""),
    ("vouchers.more.*.ruc", ""),
    ("vouchers.more.*.client_id", ""),
    ("vouchers.more.*.client_secret", ""),
    ("vouchers.more.*.client_secret_file", ""),
    ("plans.free.queries", "1000"),
    ("plans.free.rate", "5"),
    ("plans.free.burst", "10"),
    ("plans.*.queries", ""),
    ("plans.*.rate", ""),
    ("plans.*.burst", ""),
    ("log.level", "info"),
    ("log.format", "json"),
];

/// Ends of keys whose values are never shown.
const SECRETS: [&str; 3] = [".token", ".client_id", ".client_secret"];

const PREFIX: &str = "KURAKA";
const SEPARATOR: &str = "__";

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody said anything.
    Default,
    /// The settings file.
    File(PathBuf),
    /// A variable of the environment.
    Variable(String),
}

/// The values, read but not yet typed. No value is ever printed.
pub struct Values {
    file: Option<(PathBuf, Map<String, Value>)>,
    environment: Map<String, Value>,
    merged: Config,
}

impl Values {
    /// Reads the values; `file` must exist if it is given, else `./kuraka.toml` is read if it exists.
    ///
    /// # Errors
    /// [`SettingsError::File`] and [`SettingsError::Unknown`].
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        Self::load_over(file, &[])
    }

    /// As [`Values::load`], with other defaults for some keys.
    ///
    /// # Errors
    /// As [`Values::load`].
    pub fn load_over(file: Option<&Path>, defaults: &[(&str, &str)]) -> Result<Self, SettingsError> {
        let chosen = file.map(Path::to_owned).or_else(|| {
            let usual = PathBuf::from("kuraka.toml");
            usual.exists().then_some(usual)
        });
        // Values stay the texts they are: guessing turns the secret 0001.50 into the number 1.5.
        let environment = Environment::with_prefix(PREFIX).prefix_separator(SEPARATOR).separator(SEPARATOR);
        Self::lay(chosen, environment, defaults)
    }

    /// As [`Values::load`], from a given environment.
    ///
    /// # Errors
    /// As [`Values::load`].
    pub fn lay(
        path: Option<PathBuf>,
        environment: Environment,
        defaults: &[(&str, &str)],
    ) -> Result<Self, SettingsError> {
        let mut builder = Config::builder();
        let usual = KEYS.iter().filter(|(key, _)| !key.contains('*'));
        for (key, default) in usual.chain(defaults) {
            builder = builder.set_default(*key, *default).map_err(|error| unreadable(Path::new(""), error))?;
        }
        let mut file = None;
        if let Some(path) = path {
            let source = File::from(path.clone()).format(FileFormat::Toml);
            let values = source.collect().map_err(|error| unreadable(&path, error))?;
            builder = builder.add_source(source);
            file = Some((path, values));
        }
        let variables = environment.collect().map_err(|error| unreadable(Path::new("environment"), error))?;
        let merged = builder.add_source(environment).build();
        let merged =
            merged.map_err(|error| unreadable(file.as_ref().map_or(Path::new(""), |(path, _)| path), error))?;
        let values = Self { file, environment: variables, merged };
        values.refuse_unknown()?;
        Ok(values)
    }

    /// Whether any layer says anything of a key.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.merged.get::<Value>(key).is_ok()
    }

    /// The text of a setting.
    ///
    /// # Errors
    /// [`SettingsError::Value`] if it is a table or a list.
    pub fn text(&self, key: &str) -> Result<String, SettingsError> {
        self.verbatim(key).map(|text| text.trim().to_owned())
    }

    /// The text of a setting to the last blank, as secrets want it.
    ///
    /// # Errors
    /// [`SettingsError::Value`] if it is a table or a list.
    pub fn verbatim(&self, key: &str) -> Result<String, SettingsError> {
        self.merged.get_string(key).map_err(|_| self.refused(key, "a text"))
    }

    /// A secret as it is written, or as the file named beside it (`…_file`) holds it, without the line's end.
    ///
    /// # Errors
    /// [`SettingsError::Value`].
    pub fn secret(&self, key: &str) -> Result<Option<SecretString>, SettingsError> {
        let in_file = format!("{key}_file");
        let written = if self.has(key) { self.verbatim(key)? } else { String::new() };
        let path = if self.has(&in_file) { self.text(&in_file)? } else { String::new() };
        let secret = match (written.is_empty(), path.is_empty()) {
            (false, _) => written,
            (true, true) => return Ok(None),
            (true, false) => self.content(&in_file)?,
        };
        Ok(Some(secret).filter(|secret| !secret.is_empty()).map(SecretString::from))
    }

    /// What the file that a setting names holds, without the line's end.
    ///
    /// # Errors
    /// [`SettingsError::Value`].
    pub fn content(&self, key: &str) -> Result<String, SettingsError> {
        let read = fs::read_to_string(self.text(key)?).map_err(|_| self.refused(key, "a file that can be read"))?;
        Ok(read.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// A setting that is read from its text.
    ///
    /// # Errors
    /// [`SettingsError::Value`], [`SettingsError::Missing`].
    pub fn parsed<T: FromStr>(&self, key: &str, expected: &str) -> Result<T, SettingsError> {
        if !self.has(key) {
            return Err(SettingsError::Missing { key: key.to_owned(), expected: expected.to_owned() });
        }
        self.text(key)?.parse().map_err(|_| self.refused(key, expected))
    }

    /// A setting that is a list, or a text with commas.
    ///
    /// # Errors
    /// [`SettingsError::Value`].
    pub fn list(&self, key: &str) -> Result<Vec<String>, SettingsError> {
        if let Ok(values) = self.merged.get_array(key) {
            let texts = values.into_iter().map(Value::into_string).collect::<Result<_, _>>();
            return texts.map_err(|_| self.refused(key, "a list of texts"));
        }
        let text = self.text(key)?;
        Ok(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
    }

    /// The names an operator chose under a section.
    #[must_use]
    pub fn names_under(&self, section: &str) -> BTreeSet<String> {
        self.merged.get_table(section).map(|table| table.into_keys().collect()).unwrap_or_default()
    }

    /// The settings that are in force: key, value, origin. Secrets are not shown, nor the store's address unless it is
    /// the default: it may hold a password.
    #[must_use]
    pub fn in_force(&self) -> Vec<(String, String, Origin)> {
        let shown = |key: &str, origin: &Origin| match (key, origin) {
            ("store.url", Origin::File(_) | Origin::Variable(_)) => "…".to_owned(),
            (secret, _) if SECRETS.iter().any(|field| secret.ends_with(field)) => match self.text(key) {
                Ok(unset) if unset.is_empty() => String::new(),
                Ok(_) | Err(_) => "…".to_owned(),
            },
            (address, _) if address.ends_with("url") => without_secrets(&self.text(key).unwrap_or_default()),
            _ => self.list(key).map(|items| items.join(", ")).unwrap_or_default(),
        };
        let chosen = KEYS.iter().filter(|(key, _)| !key.contains('*')).map(|(key, _)| (*key).to_owned());
        let mut keys: BTreeSet<String> = chosen.collect();
        keys.extend(leaves(&self.environment));
        keys.extend(self.file.iter().flat_map(|(_, values)| leaves(values)));
        let row = |key: String| {
            let origin = self.origin(&key);
            (shown(&key, &origin), key, origin)
        };
        keys.into_iter().map(row).map(|(value, key, origin)| (key, value, origin)).collect()
    }

    /// The error for a value that does not fit.
    #[must_use]
    pub fn refused(&self, key: &str, expected: &str) -> SettingsError {
        SettingsError::Value { key: key.to_owned(), origin: self.origin(key), expected: expected.to_owned() }
    }

    /// Where a setting's value came from.
    #[must_use]
    pub fn origin(&self, key: &str) -> Origin {
        if touches(&self.environment, key) {
            return Origin::Variable(variable(key));
        }
        match &self.file {
            Some((path, values)) if touches(values, key) => Origin::File(path.clone()),
            Some(_) | None => Origin::Default,
        }
    }

    fn refuse_unknown(&self) -> Result<(), SettingsError> {
        let in_file = self.file.iter().flat_map(|(_, values)| leaves(values));
        let unknown = in_file.chain(leaves(&self.environment)).find(|key| !is_known(key));
        unknown.map_or(Ok(()), |key| Err(SettingsError::Unknown { origin: self.origin(&key), hint: hint(&key), key }))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "from {}", path.display()),
            Self::Variable(name) => write!(f, "from {name}"),
        }
    }
}

fn unreadable(path: &Path, error: config::ConfigError) -> SettingsError {
    SettingsError::File { path: path.to_owned(), cause: without_source(&error.to_string()).into() }
}

/// A parser's complaint in one line, without the lines of the file that it quotes: they may hold a secret.
fn without_source(complaint: &str) -> String {
    let is_quote = |line: &&str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
    let said = complaint.lines().filter(|line| !is_quote(line)).map(str::trim).filter(|line| !line.is_empty());
    said.collect::<Vec<_>>().join(": ")
}

/// An address without its user, its password and its query: providers take tokens there.
fn without_secrets(address: &str) -> String {
    let (address, query) = address.split_once('?').map_or((address, ""), |(address, _)| (address, "?…"));
    let shown = address.split_once("://").and_then(|(scheme, rest)| {
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        authority.rsplit_once('@').map(|(_, host)| format!("{scheme}://…@{host}{path}"))
    });
    shown.unwrap_or_else(|| address.to_owned()) + query
}

/// `http.bind` as `KURAKA__HTTP__BIND`.
fn variable(key: &str) -> String {
    format!("{PREFIX}{SEPARATOR}{}", key.to_uppercase().replace('.', SEPARATOR))
}

/// The dotted keys of a layer's values.
fn leaves(values: &Map<String, Value>) -> Vec<String> {
    let mut keys = Vec::new();
    for (key, value) in values {
        match &value.kind {
            ValueKind::Table(inner) => keys.extend(leaves(inner).into_iter().map(|rest| format!("{key}.{rest}"))),
            ValueKind::Nil
            | ValueKind::Boolean(_)
            | ValueKind::I64(_)
            | ValueKind::I128(_)
            | ValueKind::U64(_)
            | ValueKind::U128(_)
            | ValueKind::Float(_)
            | ValueKind::String(_)
            | ValueKind::Array(_) => keys.push(key.clone()),
        }
    }
    keys.sort();
    keys
}

/// Whether a layer says anything of the key or of what lies under it.
fn touches(values: &Map<String, Value>, key: &str) -> bool {
    leaves(values).iter().any(|leaf| leaf == key || leaf.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}

fn is_known(key: &str) -> bool {
    KEYS.iter().any(|(known, _)| {
        let (mut known, mut key) = (known.split('.'), key.split('.'));
        loop {
            match (known.next(), key.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if a == b || a == "*" => {}
                (Some(_) | None, Some(_) | None) => return false,
            }
        }
    })
}

/// The known key that shares the most letters with an unknown one, if any is near.
fn hint(key: &str) -> String {
    let shared = |known: &str| known.chars().zip(key.chars()).take_while(|(a, b)| a == b).count();
    let nearest = KEYS.iter().map(|(known, _)| *known).max_by_key(|known| shared(known));
    match nearest {
        Some(known) if shared(known) > 2 => format!("did you mean {known}?"),
        Some(_) | None => "docs/reference/configuration.md lists them all".to_owned(),
    }
}
