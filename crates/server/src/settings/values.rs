//! The values of the settings: defaults, then the file, then the environment. Each value keeps its origin.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use config::{Config, Environment, File, FileFormat, Map, Source, Value, ValueKind};
use kuraka_adapters::address::without_secrets;
use secrecy::SecretString;

use super::SettingsError;
use super::keys::{fixed, hint, is_known};
use super::origin::Origin;
use super::redaction::is_secret;

const PREFIX: &str = "KURAKA";
const SEPARATOR: &str = "__";

/// The values as texts, not yet parsed. `Debug` is not implemented, so that no value is printed.
pub struct Values {
    file: Option<(PathBuf, Map<String, Value>)>,
    environment: Map<String, Value>,
    merged: Config,
}

impl Values {
    /// Reads the values. A given `file` must exist. Without one, `./kuraka.toml` is read if it exists.
    ///
    /// # Errors
    /// [`SettingsError::File`] and [`SettingsError::Unknown`].
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        Self::load_over(file, &[])
    }

    /// Like [`Values::load`], with other defaults for some keys.
    ///
    /// # Errors
    /// See [`Values::load`].
    pub fn load_over(file: Option<&Path>, defaults: &[(&str, &str)]) -> Result<Self, SettingsError> {
        let chosen = file.map(Path::to_owned).or_else(|| {
            let usual = PathBuf::from("kuraka.toml");
            usual.exists().then_some(usual)
        });
        // Values stay texts: type inference would turn the secret 0001.50 into the number 1.5.
        let environment = Environment::with_prefix(PREFIX).prefix_separator(SEPARATOR).separator(SEPARATOR);
        Self::load_with(chosen, environment, defaults)
    }

    /// Like [`Values::load_over`], with this file and this environment.
    ///
    /// # Errors
    /// See [`Values::load`].
    pub fn load_with(
        path: Option<PathBuf>,
        environment: Environment,
        defaults: &[(&str, &str)],
    ) -> Result<Self, SettingsError> {
        let mut builder = Config::builder();
        for (key, default) in fixed().chain(defaults.iter().map(|(key, value)| (Cow::Borrowed(*key), *value))) {
            builder = builder.set_default(key, default).map_err(|error| unreadable(Path::new(""), error))?;
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

    /// Whether a setting has a value, perhaps its default.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.merged.get::<Value>(key).is_ok()
    }

    /// The text of a setting, trimmed.
    ///
    /// # Errors
    /// [`SettingsError::Value`] if it is a table or a list.
    pub fn text(&self, key: &str) -> Result<String, SettingsError> {
        self.verbatim(key).map(|text| text.trim().to_owned())
    }

    /// The text of a setting with its blanks, which may be part of a secret.
    ///
    /// # Errors
    /// [`SettingsError::Value`] if it is a table or a list.
    pub fn verbatim(&self, key: &str) -> Result<String, SettingsError> {
        self.merged.get_string(key).map_err(|_| self.invalid(key, "a text"))
    }

    /// A secret, from the setting itself or from the file that the setting `…_file` names, without the line end.
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

    /// The content of the file that a setting names, without the line end.
    ///
    /// # Errors
    /// [`SettingsError::Value`].
    pub fn content(&self, key: &str) -> Result<String, SettingsError> {
        let read = fs::read_to_string(self.text(key)?).map_err(|_| self.invalid(key, "a file that can be read"))?;
        Ok(read.trim_end_matches(['\n', '\r']).to_owned())
    }

    /// A setting, parsed from its text.
    ///
    /// # Errors
    /// [`SettingsError::Value`], [`SettingsError::Missing`].
    pub fn parsed<T: FromStr>(&self, key: &str, expected: &str) -> Result<T, SettingsError> {
        if !self.has(key) {
            return Err(SettingsError::Missing { key: key.to_owned(), expected: expected.to_owned() });
        }
        self.text(key)?.parse().map_err(|_| self.invalid(key, expected))
    }

    /// A setting that is a list or a comma-separated text.
    ///
    /// # Errors
    /// [`SettingsError::Value`].
    pub fn list(&self, key: &str) -> Result<Vec<String>, SettingsError> {
        if let Ok(values) = self.merged.get_array(key) {
            let texts = values.into_iter().map(Value::into_string).collect::<Result<_, _>>();
            return texts.map_err(|_| self.invalid(key, "a list of texts"));
        }
        let text = self.text(key)?;
        Ok(text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect())
    }

    /// The names that the operator chose in a section.
    #[must_use]
    pub fn names_under(&self, section: &str) -> BTreeSet<String> {
        self.merged.get_table(section).map(|table| table.into_keys().collect()).unwrap_or_default()
    }

    /// The effective settings: key, value, origin. Secrets are not shown. The store's URL may contain a password and is
    /// shown only if it is the default.
    #[must_use]
    pub fn effective(&self) -> Vec<(String, String, Origin)> {
        let shown = |key: &str, origin: &Origin| match (key, origin) {
            ("store.url", Origin::File(_) | Origin::Variable(_)) => "…".to_owned(),
            (secret, _) if is_secret(secret) => match self.text(key) {
                Ok(unset) if unset.is_empty() => String::new(),
                Ok(_) | Err(_) => "…".to_owned(),
            },
            (address, _) if address.ends_with("url") => without_secrets(&self.text(key).unwrap_or_default()),
            _ => self.list(key).map(|items| items.join(", ")).unwrap_or_default(),
        };
        let mut keys: BTreeSet<String> = fixed().map(|(key, _)| key.into_owned()).collect();
        keys.extend(leaves(&self.environment));
        keys.extend(self.file.iter().flat_map(|(_, values)| leaves(values)));
        let row = |key: String| {
            let origin = self.origin(&key);
            (shown(&key, &origin), key, origin)
        };
        keys.into_iter().map(row).map(|(value, key, origin)| (key, value, origin)).collect()
    }

    /// The error for an invalid value.
    #[must_use]
    pub fn invalid(&self, key: &str, expected: &str) -> SettingsError {
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

fn unreadable(path: &Path, error: config::ConfigError) -> SettingsError {
    SettingsError::File { path: path.to_owned(), cause: without_source(&error.to_string()).into() }
}

/// A parser's error in one line, without the lines of the file that it quotes, because they may contain a secret.
fn without_source(message: &str) -> String {
    let is_quote = |line: &&str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
    let kept = message.lines().filter(|line| !is_quote(line)).map(str::trim).filter(|line| !line.is_empty());
    kept.collect::<Vec<_>>().join(": ")
}

/// `http.bind` as `KURAKA__HTTP__BIND`.
fn variable(key: &str) -> String {
    format!("{PREFIX}{SEPARATOR}{}", key.to_uppercase().replace('.', SEPARATOR))
}

/// The dotted keys of these values.
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

/// Whether these values have the key or a key below it.
fn touches(values: &Map<String, Value>, key: &str) -> bool {
    leaves(values).iter().any(|leaf| leaf == key || leaf.strip_prefix(key).is_some_and(|rest| rest.starts_with('.')))
}
