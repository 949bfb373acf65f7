//! A provider's file read backwards: the paths that its clients call, how they send the token, and the forms in which
//! they are answered. Pure.

mod template;
mod values;

pub(super) use self::template::{Get, Piece, Template, Value};
pub use self::values::{DialectError, DialectExchangeRate, DialectTaxpayer};
pub(super) use self::values::{ERROR, EXCHANGE_RATE, Names, TAXPAYER};
use super::request::TokenPlace;

#[derive(Clone, Debug)]
pub struct Dialect {
    /// The answers, in the file's order.
    pub forms: Vec<DialectForm>,
    pub(super) tokens: Vec<TokenPlace>,
    pub(super) error: Template<DialectError>,
}

/// An answer of a provider, and the requests for it.
#[derive(Clone, Debug)]
pub struct DialectForm {
    /// The parameter's name, or those of several in braces, with the text between them.
    pub parameter: String,
    /// Status and body of "not found"; `None` = as an error.
    pub not_found: Option<(u16, String)>,
    pub answer: DialectAnswer,
    /// Each with at most one segment in braces, which is the parameter.
    pub(super) paths: Vec<String>,
    /// Fields that are sent, with their values if they matter.
    pub(super) when: Vec<String>,
    pub(super) error: Option<Template<DialectError>>,
}

/// A found answer, by what it is about.
#[derive(Clone, Debug)]
pub enum DialectAnswer {
    Taxpayer(AnswerForm<DialectTaxpayer>),
    /// The exchange rate of days.
    ExchangeRate(AnswerForm<DialectExchangeRate>),
}

#[derive(Clone, Debug)]
pub struct AnswerForm<R: 'static> {
    pub(super) record: Template<R>,
    /// What is around a list, without blanks between its items.
    pub(super) list: Option<[String; 2]>,
}

/// A form with the path that a request called.
#[derive(Clone, Copy, Debug)]
pub struct MatchedForm<'a> {
    pub form: &'a DialectForm,
    /// The path in the file, with the parameter in braces.
    pub path: &'a str,
    /// The segment in place of the braces.
    pub parameter: Option<&'a str>,
}

impl Dialect {
    /// Whether the form depends on what is sent.
    pub fn has_choice(&self) -> bool {
        self.forms.iter().any(|form| !form.when.is_empty())
    }

    /// The first form with this path that fits the sent fields, as in a query string. Empty segments do not count.
    pub fn find<'a>(&'a self, path: &'a str, sent: &str) -> Option<MatchedForm<'a>> {
        let sent: Vec<_> = form_urlencoded::parse(sent.as_bytes()).collect();
        let is_sent =
            |wanted: &String| sent.iter().any(|(key, value)| *wanted == *key || *wanted == format!("{key}={value}"));
        let fitting = self.forms.iter().filter(|form| form.when.iter().all(is_sent));
        let mut paths = fitting.flat_map(|form| form.paths.iter().map(move |path| (form, path)));
        paths
            .find_map(|(form, pattern)| Some(MatchedForm { form, path: pattern, parameter: parameter(pattern, path)? }))
    }

    /// The headers that may have the token, with the text before it.
    pub fn token_headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tokens.iter().filter_map(|place| match place {
            TokenPlace::Header { name, prefix } => Some((name.as_str(), prefix.as_str())),
            TokenPlace::Query(_) | TokenPlace::Body(_) => None,
        })
    }

    /// The parameters of the query, or fields of the body, that may have the token.
    pub fn token_fields(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|place| match place {
            TokenPlace::Header { .. } => None,
            TokenPlace::Query(name) | TokenPlace::Body(name) => Some(name.as_str()),
        })
    }

    /// An error as the form, if one is called, has it.
    pub fn error(&self, form: Option<&DialectForm>, error: &DialectError) -> String {
        form.and_then(|form| form.error.as_ref()).unwrap_or(&self.error).write(error)
    }
}

impl<R> AnswerForm<R> {
    /// Whether an answer has any number of records, and not one.
    pub const fn is_list(&self) -> bool {
        self.list.is_some()
    }

    /// The answer with these records, one if it is no list.
    pub fn write(&self, records: &[R]) -> String {
        let answers: Vec<_> = records.iter().map(|record| self.record.write(record)).collect();
        let [before, after] = self.list.as_ref().map_or(["", ""], |[before, after]| [before, after]);
        format!("{before}{}{after}", answers.join(","))
    }
}

/// The parameter in a path with this pattern, if it has one; `None` = another path.
fn parameter<'p>(pattern: &str, path: &'p str) -> Option<Option<&'p str>> {
    let mut sent = path.split('/').filter(|segment| !segment.is_empty());
    let mut parameter = None;
    for wanted in pattern.split('/').filter(|segment| !segment.is_empty()) {
        match sent.next()? {
            segment if wanted.starts_with('{') => parameter = Some(segment),
            segment if wanted != segment => return None,
            _ => {}
        }
    }
    sent.next().is_none().then_some(parameter)
}
