//! A provider's requests and answers, as plain data read from the provider's file.
//!
//! A file says how to query the provider, where the fields of a record are in an answer, and how answers look. The
//! sandbox reads only what it needs to answer; the adapter checks the rest of the file.

use toml::{Table, Value};

/// A provider's requests and answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderShape {
    /// Its name, the first segment of its path in the sandbox.
    pub name: String,
    /// The method of its requests.
    pub method: String,
    /// Its full address, with `{ruc}` in the path or in a value of the query if it is there. The host is dropped.
    pub url: String,
    /// The field of the body, JSON or form, that contains the RUC, if there is one.
    pub body_field: Option<String>,
    /// Where it requires a token, if it does. Any token is accepted; without one it answers 401.
    pub token: Option<TokenPlace>,
    /// A found answer: a JSON document.
    pub sample: String,
    /// The fields of the record, each with a JSON pointer into the sample. Pointers to nothing are ignored, so that all
    /// alternatives can be given; values without a pointer stay as the sample has them.
    ///
    /// Fields: `ruc`, `name`, `status`, `condition`, `address`, `district`, `province`, `department`,
    /// `taxpayer_type`, `registered`, `activities`, `trade_name`, `activities_started`, `deregistered`,
    /// `issuing_system`, `foreign_trade`, `accounting_system`, `authorised_vouchers`, `electronic_systems`,
    /// `electronic_since`, `electronic_vouchers`, `electronic_books_since`, `padrones`.
    pub fields: Vec<(String, String)>,
    /// Status and JSON of the answer that there is no such taxpayer, if they are known; `{ruc}` in it is replaced with
    /// the requested number.
    pub not_found: Option<(u16, String)>,
}

/// The place of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenPlace {
    /// In the header with this name.
    Header(String),
    /// In the query parameter with this name.
    Query(String),
    /// In the field of the body with this name.
    Body(String),
}

/// Why a provider cannot be simulated.
#[derive(Debug, thiserror::Error)]
pub enum ShapeError {
    /// The file is not TOML.
    #[error("the file of {name:?} is not TOML")]
    File {
        /// The provider.
        name: String,
        /// Where and why it is no TOML.
        source: toml::de::Error,
    },
    /// A key is missing in the file.
    #[error("the file of {name:?} has no {key:?}, without which it cannot be stood in for")]
    Key {
        /// The provider.
        name: String,
        /// The missing section and key.
        key: &'static str,
    },
    /// The sample is not JSON.
    #[error("the sample answer of {name:?} is not JSON")]
    Sample {
        /// The provider.
        name: String,
        /// Where and why it is no JSON.
        source: serde_json::Error,
    },
    /// A mandatory field's pointer matches nothing in the sample.
    #[error("no pointer of {name:?} finds the field {field:?} in the sample answer")]
    Missing {
        /// The provider.
        name: String,
        /// The field.
        field: &'static str,
    },
    /// There is no place for the RUC.
    #[error("the RUC is neither in the address of {name:?} nor in its body")]
    NoRuc {
        /// The provider.
        name: String,
    },
}

impl ProviderShape {
    /// Reads a provider's file.
    ///
    /// # Errors
    /// [`ShapeError::File`] if it is no TOML, [`ShapeError::Key`] if it lacks the request's method or address, or the
    /// sample of a found answer.
    pub fn from_file(name: &str, text: &str) -> Result<Self, ShapeError> {
        let file: Table = text.parse().map_err(|source| ShapeError::File { name: name.to_owned(), source })?;
        let text = |path: &[&str]| find(&file, path).and_then(Value::as_str).map(str::to_owned);
        let needed = |path: &[&str], key| text(path).ok_or(ShapeError::Key { name: name.to_owned(), key });
        let body = find(&file, &["request", "body"]).and_then(Value::as_table);
        let body_field = body.and_then(|body| body.iter().find(|(_, value)| value.as_str() == Some("{ruc}")));
        let token_name = text(&["request", "token", "name"]);
        let token = match (text(&["request", "token", "in"]).as_deref(), token_name) {
            (Some("header"), Some(header)) => Some(TokenPlace::Header(header)),
            (Some("query"), Some(pair)) => Some(TokenPlace::Query(pair)),
            (Some("body"), Some(field)) => Some(TokenPlace::Body(field)),
            _ => None,
        };
        let sections = ["fields", "optional"].into_iter().filter_map(|section| file.get(section)?.as_table());
        let not_found = find(&file, &["sample", "not_found", "status"]).and_then(Value::as_integer);
        let not_found = not_found.and_then(|status| u16::try_from(status).ok());
        Ok(Self {
            name: name.to_owned(),
            method: needed(&["request", "method"], "request.method")?,
            url: needed(&["request", "url"], "request.url")?,
            body_field: body_field.map(|(field, _)| field.clone()),
            token,
            sample: needed(&["sample", "found", "body"], "sample.found.body")?,
            fields: sections.flatten().flat_map(|(field, entry)| pointers(field, entry)).collect(),
            not_found: not_found.zip(text(&["sample", "not_found", "body"])),
        })
    }
}

fn find<'f>(file: &'f Table, path: &[&str]) -> Option<&'f Value> {
    let (last, sections) = path.split_last()?;
    sections.iter().try_fold(file, |table, key| table.get(*key)?.as_table())?.get(*last)
}

/// A field with each of its pointers: one, several, or either under `at`.
fn pointers(field: &str, entry: &Value) -> Vec<(String, String)> {
    let entry = entry.get("at").unwrap_or(entry);
    let several = entry.as_array().map_or(std::slice::from_ref(entry), Vec::as_slice);
    several.iter().filter_map(Value::as_str).map(|pointer| (field.to_owned(), pointer.to_owned())).collect()
}
