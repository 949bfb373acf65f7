//! The settings' texts: defaults, then the file, then the environment. Each text keeps its origin.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use config::{ConfigError, Environment, File, FileFormat, Map, Source, Value};
use kuraka_adapters::address::without_secrets;

use super::error::{Origin, SettingsError};
use super::section::{Row, Section};
use super::sections::{CATALOGUE, named_defaults};

/// The settings file's path; empty = no file.
pub const FILE_VARIABLE: &str = "KURAKA_CONFIG";
/// Variables of commands and clients.
const OTHER_VARIABLES: [&str; 3] = [FILE_VARIABLE, "KURAKA_TOKEN", "KURAKA_URL"];
/// The usual settings files.
const DEFAULT_FILES: [&str; 2] = ["kuraka.toml", "/etc/kuraka/kuraka.toml"];

/// Unparsed texts. Without `Debug`, so that no text is printed.
#[derive(Clone)]
pub struct Values {
    /// The settings file that was read.
    pub(super) file: Option<PathBuf>,
    written: BTreeMap<String, (String, Origin)>,
    defaults: BTreeMap<String, String>,
}

impl Values {
    /// Reads the given file, or the first of `$KURAKA_CONFIG`, `./kuraka.toml` and `/etc/kuraka/kuraka.toml`, and the
    /// environment. A named file must exist. An empty variable means no file.
    ///
    /// # Errors
    /// [`SettingsError`] if a file is unreadable or a key unknown.
    pub fn load(file: Option<&Path>) -> Result<Self, SettingsError> {
        if let Some(error) = env::vars_os().find_map(|(name, _)| misspelt(name.to_str()?)) {
            return Err(error);
        }
        let file = file.map(Path::to_owned).or_else(|| usual(env::var_os(FILE_VARIABLE)));
        Self::load_with(file, environment(), &[])
    }

    /// Reads the given file, if any, and this environment, with other defaults for some keys.
    ///
    /// # Errors
    /// See [`Values::load`].
    pub fn load_with(
        file: Option<PathBuf>,
        environment: Environment,
        defaults: &[(&str, &str)],
    ) -> Result<Self, SettingsError> {
        let fixed = rows().filter(|(key, _)| !key.contains('*')).map(|(key, row)| (key, row.default.to_owned()));
        let given = defaults.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned()));
        let mut values =
            Self { file, written: BTreeMap::new(), defaults: fixed.chain(named_defaults()).chain(given).collect() };
        let mut errors = Vec::new();
        if let Some(path) = values.file.clone() {
            let text = fs::read_to_string(&path);
            let text = text.map_err(|error| {
                let is_denied = error.kind() == ErrorKind::PermissionDenied;
                let advice = if is_denied { "; run this command with sudo -u kuraka" } else { "" };
                SettingsError::File { path: path.clone(), cause: format!("{error}{advice}").into() }
            })?;
            let table = File::from_str(&text, FileFormat::Toml).collect();
            let table = table.map_err(|error| unreadable(&path, &error))?;
            values.write(table, "", &|_| Origin::File(path.clone()), &mut errors);
        }
        let variables = environment.collect().map_err(|_| SettingsError::Variable)?;
        values.write(variables, "", &|key| Origin::Variable(variable(key)), &mut errors);
        let read = values.written.iter().filter_map(|(key, (text, _))| Some((key, text, row(key)?)));
        errors.extend(
            read.filter(|(_, text, row)| !(row.is_valid)(text))
                .map(|(key, _, row)| values.invalid(key, &(row.expected)())),
        );
        if !errors.is_empty() {
            return Err(SettingsError::of_all(errors));
        }
        values.read_secrets()?;
        if !values.text("datasets.builder_url").is_none_or(str::is_empty) {
            values.defaults.insert("datasets.update_every".to_owned(), "10m".to_owned());
        }
        Ok(values)
    }

    /// Adds a source's texts, or an error for each that is no setting.
    fn write(
        &mut self,
        table: Map<String, Value>,
        prefix: &str,
        origin: &dyn Fn(&str) -> Origin,
        errors: &mut Vec<SettingsError>,
    ) {
        for (name, value) in table {
            let key = format!("{prefix}{name}");
            if let Ok(inner) = value.clone().into_table() {
                self.write(inner, &format!("{key}."), origin, errors);
                continue;
            }
            let origin = origin(&key);
            if row(&key).is_none() && secret_of(&key).is_none() {
                errors.push(SettingsError::Unknown { hint: hint(&key), key, origin });
                continue;
            }
            let texts = value.clone().into_array().unwrap_or_else(|_| vec![value]);
            let texts: Result<Vec<_>, _> = texts.into_iter().map(Value::into_string).collect();
            let Ok(texts) = texts else {
                errors.push(SettingsError::Value { key, origin, expected: "a text or a list of texts".to_owned() });
                continue;
            };
            // Names of variables have no dash, and a provider has settings in both sources.
            let key = if key.starts_with("providers.") { key.replace('-', "_") } else { key };
            self.written.insert(key, (texts.join(", "), origin));
        }
    }

    /// Reads secrets from their files, unless they are written.
    fn read_secrets(&mut self) -> Result<(), SettingsError> {
        let mut secrets = Vec::new();
        for (key, (path, origin)) in self.written.iter().filter(|(_, (path, _))| !path.is_empty()) {
            let Some(secret) = secret_of(key).filter(|secret| self.text(secret).is_none_or(str::is_empty)) else {
                continue;
            };
            let text = fs::read_to_string(path.trim()).map_err(|error| {
                // Another text may be the secret itself.
                let is_path = Path::new(path).is_absolute() && path.trim_start_matches('/').contains('/');
                let reason = is_path.then(|| format!(" ({path}: {error})"));
                self.invalid(key, &format!("a file that can be read{}", reason.unwrap_or_default()))
            })?;
            secrets.push((secret.to_owned(), (text.trim_end_matches(['\n', '\r']).to_owned(), origin.clone())));
        }
        self.written.extend(secrets);
        Ok(())
    }

    /// A section's struct, from the keys with its prefix.
    pub(super) fn section<T: Section>(&self, prefix: &str) -> Result<T, SettingsError> {
        let text = |row: &Row| self.text(&format!("{prefix}{}", row.name)).unwrap_or(row.default);
        let texts: Map<String, &str> = T::ROWS.iter().map(|row| (row.name.to_owned(), text(row))).collect();
        T::deserialize(Value::from(texts)).map_err(|error| {
            let ConfigError::At { key: Some(name), error, .. } = error else {
                return self.invalid(prefix, "a section");
            };
            self.invalid(&format!("{prefix}{name}"), &error.to_string())
        })
    }

    /// The part after the prefix in each key, such as `free` of `plans.free.rate`.
    pub(super) fn names_below<'a>(&'a self, prefix: &'a str) -> BTreeSet<&'a str> {
        let keys = self.defaults.keys().chain(self.written.keys());
        keys.filter_map(|key| key.strip_prefix(prefix)?.split('.').next()).collect()
    }

    /// A setting's text, or its default.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.written.get(key).map(|(text, _)| text).or_else(|| self.defaults.get(key)).map(String::as_str)
    }

    /// Key, text and origin of all settings, without secrets.
    pub fn effective(&self) -> Vec<(String, String, Origin)> {
        let keys: BTreeSet<&String> = self.defaults.keys().chain(self.written.keys()).collect();
        let shown = |key: &str| match self.text(key).unwrap_or_default() {
            text if !text.is_empty() && row(key).is_some_and(|row| row.is_secret) => "…".to_owned(),
            text => without_secrets(text),
        };
        keys.into_iter().map(|key| (key.clone(), shown(key), self.origin(key))).collect()
    }

    /// The settings that are not the default, a `key = "text"` a line, without secrets.
    pub fn written(&self) -> String {
        let written = self.effective().into_iter().filter(|(.., origin)| !matches!(origin, Origin::Default));
        written.map(|(key, text, _)| format!("{key} = {text:?}\n")).collect()
    }

    /// The settings file.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The keys whose values differ. A file with a secret counts by its secret.
    pub fn changed_from(&self, other: &Self) -> Vec<String> {
        let keys = [self, other].into_iter().flat_map(|values| values.defaults.keys().chain(values.written.keys()));
        let changed = keys.filter(|key| self.text(key) != other.text(key) && secret_of(key).is_none());
        BTreeSet::from_iter(changed.cloned()).into_iter().collect()
    }

    /// The error for an invalid or missing value.
    pub fn invalid(&self, key: &str, expected: &str) -> SettingsError {
        SettingsError::Value { key: key.to_owned(), origin: self.origin(key), expected: expected.to_owned() }
    }

    /// The origin of a setting, or of one below it.
    pub fn origin(&self, key: &str) -> Origin {
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with('.');
        let written = self.written.iter().find(|(other, _)| other.strip_prefix(key).is_some_and(is_below));
        let otherwise = if self.text(key).is_some() { Origin::Default } else { Origin::Nowhere };
        written.map_or(otherwise, |(_, (_, origin))| origin.clone())
    }
}

/// The Markdown table of all settings.
pub fn reference() -> String {
    let named: Vec<_> = named_defaults().collect();
    let line = |(key, row): (String, &Row)| {
        let (start, end) = key.split_once('*').unwrap_or((&key, "."));
        let named = named.iter().filter_map(|(key, text)| Some((key.strip_prefix(start)?.strip_suffix(end)?, text)));
        let mut defaults: Vec<_> = named.map(|(name, text)| format!("{name}: `{text}`")).collect();
        if !row.default.is_empty() {
            defaults.push(format!("`{}`", row.default));
        }
        let (variable, defaults, about) = (variable(&key), defaults.join("<br>"), row.about.trim());
        let line = format!("| `{key}`<br>`{variable}` | {defaults} | {about} It must be {}.", (row.expected)());
        let file = format!(" It is never shown. `{key}_file` names a file that contains it.");
        line + if row.is_secret { &file } else { "" } + " |\n"
    };
    ["| setting | default | meaning |\n|---|---|---|\n".to_owned()].into_iter().chain(rows().map(line)).collect()
}

/// Every key, in which `*` stands for any name, and its row.
fn rows() -> impl Iterator<Item = (String, &'static Row)> {
    let rows = CATALOGUE.iter().flat_map(|(prefix, rows)| rows.iter().map(move |row| (prefix, row)));
    rows.map(|(prefix, row)| (format!("{prefix}{}", row.name), row))
}

pub(super) fn row(key: &str) -> Option<&'static Row> {
    let parts = |key: &str| key.split('.').count();
    let is_of = |known: &str| {
        parts(known) == parts(key) && known.split('.').zip(key.split('.')).all(|(k, part)| k == "*" || k == part)
    };
    rows().find(|(known, _)| is_of(known)).map(|(_, row)| row)
}

/// The setting whose secret is in this setting's file.
fn secret_of(key: &str) -> Option<&str> {
    key.strip_suffix("_file").filter(|secret| row(secret).is_some_and(|row| row.is_secret))
}

fn hint(key: &str) -> String {
    nearest(key)
        .map_or_else(|| "kuraka config reference lists them all".to_owned(), |known| format!("did you mean {known}?"))
}

/// The setting at most three characters away, and fewer than its last part has. A `.` counts as `_`.
fn nearest(key: &str) -> Option<String> {
    let has_same_parts = |known: &str| known.split('.').count() == key.split('.').count();
    let distance = |known: &str| {
        // `*` is the written name.
        let parts = known.split('.').zip(key.split('.')).map(|(known, part)| if known == "*" { part } else { known });
        let named = if has_same_parts(known) { parts.collect::<Vec<_>>().join("_") } else { known.replace('.', "_") };
        strsim::levenshtein(&named, &key.replace('.', "_"))
    };
    let most = key.rsplit('.').next().map_or(0, str::len).min(4);
    let found = rows().map(|(known, _)| (distance(&known), known)).min_by_key(|(distance, _)| *distance);
    found.filter(|(distance, _)| *distance < most).map(|(_, known)| known)
}

/// A variable with too few underscores.
fn misspelt(name: &str) -> Option<SettingsError> {
    // Kubernetes describes a service of this name in variables such as KURAKA_PORT and KURAKA_SERVICE_HOST.
    let is_known = OTHER_VARIABLES.contains(&name) || name.contains("_SERVICE_") || name.contains("_PORT");
    let rest = name.strip_prefix("KURAKA_").filter(|rest| !rest.starts_with('_') && !is_known)?;
    let key = rest.to_lowercase().replace("__", ".");
    let meant = nearest(&key).map_or_else(|| "KURAKA__SECTION__KEY".to_owned(), |known| variable(&known));
    Some(SettingsError::Misspelt { name: name.to_owned(), meant })
}

/// `http.bind` as `KURAKA__HTTP__BIND`.
fn variable(key: &str) -> String {
    format!("KURAKA__{}", key.to_uppercase().replace('.', "__"))
}

/// The settings file if none is given.
fn usual(named: Option<OsString>) -> Option<PathBuf> {
    match named {
        Some(named) => (!named.is_empty()).then(|| named.into()),
        // A file of the machine in an unreadable folder is an error, not absent.
        None => {
            let mut files = DEFAULT_FILES.into_iter().map(PathBuf::from);
            files.find(|path| path.try_exists().unwrap_or(path.is_absolute()))
        }
    }
}

/// The process's variables. They stay texts: type inference would turn the secret 0001.50 into 1.5.
pub fn environment() -> Environment {
    Environment::with_prefix("KURAKA").prefix_separator("__").separator("__")
}

/// A file's error, without the quoted lines, which may contain a secret.
fn unreadable(path: &Path, error: &ConfigError) -> SettingsError {
    let message = error.to_string();
    let is_quote = |line: &&str| line.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit()).starts_with('|');
    let kept = message.lines().filter(|line| !is_quote(line)).map(str::trim).filter(|line| !line.is_empty());
    SettingsError::File { path: path.to_owned(), cause: kept.collect::<Vec<_>>().join(": ").into() }
}
