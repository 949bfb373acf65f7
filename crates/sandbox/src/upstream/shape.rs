//! A provider's requests and answers, as plain data read from the provider's file.
//!
//! The sandbox reads only what it needs to answer; the adapter checks the rest of the file.

use toml::{Table, Value};

/// The placeholder of the RUC in addresses, bodies and answers.
pub(super) const RUC: &str = "{ruc}";

/// A provider's requests and answers.
#[derive(Clone, Debug)]
pub struct ProviderShape {
    /// The first segment of the provider's path in the sandbox.
    pub(super) name: String,
    pub(super) method: String,
    /// With or without `{ruc}`.
    pub(super) path: String,
    pub(super) query: String,
    /// The field of the body, JSON or form, with the RUC.
    pub(super) body_field: Option<String>,
    /// Any token is accepted; without one the answer is 401. `None` = not required.
    pub(super) token: Option<TokenPlace>,
    pub(super) sample: serde_json::Value,
    /// The fields of the record, each with a JSON pointer into the sample. Several fields may be alternatives, so
    /// pointers to nothing are ignored.
    pub(super) fields: Vec<(String, String)>,
    /// Status and JSON for an unknown taxpayer, if known; `{ruc}` in it is replaced with the requested number.
    pub(super) not_found: Option<(u16, String)>,
}

/// The header, the query parameter, or the field of the body with this name.
#[derive(Clone, Debug)]
pub(super) enum TokenPlace {
    Header(String),
    Query(String),
    Body(String),
}

/// Why a provider cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[error("the file of {name:?} {problem}")]
pub struct ShapeError {
    name: String,
    problem: String,
}

impl ProviderShape {
    /// Reads a provider's file.
    ///
    /// # Errors
    /// If it is not TOML, or lacks the request's method, the address, or a found answer.
    pub fn from_file(name: &str, text: &str) -> Result<Self, ShapeError> {
        let wrong = |problem: String| ShapeError { name: name.to_owned(), problem };
        let file: Table = text.parse().map_err(|error| wrong(format!("is not TOML: {error}")))?;
        let text = |path: &[&str]| find(&file, path).and_then(Value::as_str).map(str::to_owned);
        let needed = |path: &[&str]| text(path).ok_or_else(|| wrong(format!("has no {}", path.join("."))));
        let body = find(&file, &["request", "body"]).and_then(Value::as_table);
        let body_field = body.and_then(|body| body.iter().find(|(_, value)| value.as_str() == Some(RUC)));
        let token_name = text(&["request", "token", "name"]);
        let token = match (text(&["request", "token", "in"]).as_deref(), token_name) {
            (Some("header"), Some(header)) => Some(TokenPlace::Header(header)),
            (Some("query"), Some(pair)) => Some(TokenPlace::Query(pair)),
            (Some("body"), Some(field)) => Some(TokenPlace::Body(field)),
            _ => None,
        };
        let sections = ["fields", "optional"].into_iter().filter_map(|section| file.get(section)?.as_table());
        let fields: Vec<_> = sections.flatten().flat_map(|(field, entry)| pointers(field, entry)).collect();
        let not_found = find(&file, &["sample", "not_found", "status"]).and_then(Value::as_integer);
        let not_found = not_found.and_then(|status| u16::try_from(status).ok());
        let (method, url) = (needed(&["request", "method"])?, needed(&["request", "url"])?);
        let sample = needed(&["sample", "found", "body"])?;
        let sample: serde_json::Value = serde_json::from_str(&sample)
            .map_err(|error| wrong(format!("has a found answer that is not JSON: {error}")))?;
        let after_scheme = url.split_once("://").map_or(&*url, |(_, rest)| rest);
        let target = after_scheme.find('/').and_then(|at| after_scheme.get(at..)).unwrap_or("/");
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        Ok(Self {
            name: name.to_owned(),
            method,
            path: format!("/{name}{path}"),
            query: query.to_owned(),
            body_field: body_field.map(|(field, _)| field.clone()),
            token,
            sample,
            fields,
            not_found: not_found.zip(text(&["sample", "not_found", "body"])),
        })
    }
}

fn find<'f>(file: &'f Table, path: &[&str]) -> Option<&'f Value> {
    let (last, sections) = path.split_last()?;
    sections.iter().try_fold(file, |table, key| table.get(*key)?.as_table())?.get(*last)
}

/// A field with its pointers: one, several, or alternatives under `at`.
fn pointers(field: &str, entry: &Value) -> Vec<(String, String)> {
    let entry = entry.get("at").unwrap_or(entry);
    let several = entry.as_array().map_or(std::slice::from_ref(entry), Vec::as_slice);
    several.iter().filter_map(Value::as_str).map(|pointer| (field.to_owned(), pointer.to_owned())).collect()
}
