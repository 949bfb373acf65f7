//! A provider's file read backwards: the paths that its clients call, how they send the token, and the forms in which
//! they are answered. Pure.

mod template;
mod values;

pub(super) use self::template::{Get, Piece, Plan, Template, Value};
pub use self::values::{DialectError, DialectTaxpayer};
pub(super) use self::values::{ERROR, Names, TAXPAYER};
use super::request::TokenPlace;

/// What the clients of a provider call and read.
#[derive(Clone, Debug)]
pub struct Dialect {
    pub(super) tokens: Vec<TokenPlace>,
    pub(super) forms: Vec<DialectForm>,
    pub(super) error: Template<DialectError>,
}

/// An answer of a provider, and the requests for it.
#[derive(Clone, Debug)]
pub struct DialectForm {
    pub(super) answer: FormAnswer,
    /// Each with at most one segment in braces, which is the parameter.
    pub(super) paths: Vec<String>,
    /// Parameters that the query must have, with their values if they matter.
    pub(super) when: Vec<(String, Option<String>)>,
    /// The parameter's name, or a text of several in braces.
    pub(super) parameter: String,
    /// Status and body.
    pub(super) not_found: Option<(u16, String)>,
    pub(super) error: Option<Template<DialectError>>,
}

#[derive(Clone, Debug)]
pub(super) enum FormAnswer {
    Taxpayer(Template<DialectTaxpayer>),
    Taxpayers(Template<DialectTaxpayer>),
}

/// What a form answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormKind {
    /// One taxpayer.
    Taxpayer,
    /// Taxpayers of a list.
    Taxpayers,
}

/// A form with the path that a request called.
#[derive(Clone, Debug)]
pub struct MatchedForm<'a> {
    /// The form.
    pub form: &'a DialectForm,
    /// The path in the file, with the parameter in braces.
    pub path: &'a str,
    /// The segment in place of the braces.
    pub parameter: Option<&'a str>,
}

impl Dialect {
    /// The forms, in the file's order.
    #[must_use]
    pub fn forms(&self) -> &[DialectForm] {
        &self.forms
    }

    /// The first form with this path that fits the parameters of the query. Empty segments do not count.
    #[must_use]
    pub fn find<'a>(&'a self, path: &'a str, query: &str) -> Option<MatchedForm<'a>> {
        let has = |(name, value): &(String, Option<String>)| {
            let mut sent = form_urlencoded::parse(query.as_bytes());
            sent.any(|(key, text)| key == *name && value.as_ref().is_none_or(|value| *value == text))
        };
        let fitting = self.forms.iter().filter(|form| form.when.iter().all(has));
        let mut paths = fitting.flat_map(|form| form.paths.iter().map(move |path| (form, path)));
        paths.find_map(|(form, pattern)| {
            let parameter = parameter(pattern, path)?;
            Some(MatchedForm { form, path: pattern, parameter })
        })
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
    #[must_use]
    pub fn error(&self, form: Option<&DialectForm>, error: &DialectError) -> String {
        form.and_then(|form| form.error.as_ref()).unwrap_or(&self.error).write([error])
    }
}

impl DialectForm {
    /// What the form answers.
    #[must_use]
    pub const fn kind(&self) -> FormKind {
        match self.answer {
            FormAnswer::Taxpayer(_) => FormKind::Taxpayer,
            FormAnswer::Taxpayers(_) => FormKind::Taxpayers,
        }
    }

    /// The answer about these taxpayers; about the first, if the form is of one. `None` = the form is of something else.
    pub fn taxpayers<'t>(&self, taxpayers: impl IntoIterator<Item = &'t DialectTaxpayer>) -> Option<String> {
        match &self.answer {
            FormAnswer::Taxpayer(template) | FormAnswer::Taxpayers(template) => Some(template.write(taxpayers)),
        }
    }

    /// Status and body of "not found"; `None` = it is like an error.
    #[must_use]
    pub fn not_found(&self) -> Option<(u16, &str)> {
        self.not_found.as_ref().map(|(status, body)| (*status, body.as_str()))
    }

    /// The parameter's name, or a text with several names in braces.
    #[must_use]
    pub fn parameter(&self) -> &str {
        &self.parameter
    }
}

/// The parameter in a path with this pattern, if it has one; `None` = another path.
fn parameter<'p>(pattern: &str, path: &'p str) -> Option<Option<&'p str>> {
    let segments = |path: &'p str| path.split('/').filter(|segment| !segment.is_empty());
    let (mut sent, mut parameter) = (segments(path), None);
    for wanted in pattern.split('/').filter(|segment| !segment.is_empty()) {
        let segment = sent.next()?;
        if wanted.starts_with('{') {
            parameter = Some(segment);
        } else if wanted != segment {
            return None;
        }
    }
    sent.next().is_none().then_some(parameter)
}
