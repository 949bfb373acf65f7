//! A provider as data: what to ask it, how to tell its answers apart, where its answers keep the record.
//!
//! One provider is one TOML file, described in `docs/reference/provider-file.md`. Reading is strict: what a file says
//! is understood whole or refused with its line, because a rule that silently never holds is a wrong answer in waiting.
//! A file that brings sample answers has them read by its own rules, so that a wrong pointer shows before it is asked.
//!
//! This module refuses to know settings, tokens and the network.

mod answer;
mod fault;
mod fields;
mod file;
mod request;
mod sample;

use serde_json::Value;

pub use self::fault::{ConfigError, ConfigFault};
use self::file::Located;
use super::error::Unreadable;
use super::field::Field;
use super::pointer::Pointer;
use super::request::Template;
use super::rule::Rule;

/// A provider, understood.
#[derive(Clone, Debug)]
pub struct ProviderSpec {
    pub(super) request: Template,
    pub(super) found: Rule,
    pub(super) not_found: Vec<Rule>,
    pub(super) throttled: Vec<Rule>,
    pub(super) credentials: Vec<Rule>,
    pub(super) places: Vec<Place>,
}

/// Where an answer keeps a field of the record.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) field: Field,
    /// The first that is there counts.
    pub(super) at: Vec<Pointer>,
    /// Whether `null` is a way of leaving the field empty.
    pub(super) nullable: bool,
    /// Whether the field is one of those that only a fuller answer has, all of them or none.
    pub(super) optional: bool,
}

impl Place {
    /// What stands at the first place that is there, and where that is.
    pub(super) fn find<'a>(&'a self, document: &'a Value) -> Option<(&'a Pointer, &'a Value)> {
        self.at.iter().find_map(|pointer| Some((pointer, pointer.find(document)?)))
    }

    /// The error for a document that has it nowhere.
    pub(super) fn missing(&self) -> Unreadable {
        let at = self.at.iter().map(Pointer::to_string).collect::<Vec<_>>().join(" or ");
        Unreadable::Missing { field: self.field, at: at.into() }
    }
}

/// What is wrong, and the byte at which it stands.
type Fault = (ConfigFault, Option<usize>);

impl ProviderSpec {
    /// Reads a provider's file; `file` stands for it in errors.
    ///
    /// # Errors
    /// The first thing that is wrong, with its line and what to do about it.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        understand(text).map_err(|(fault, at)| ConfigError {
            file: file.into(),
            line: at.and_then(|at| text.get(..at)).map(|before| before.matches('\n').count() + 1),
            fault,
        })
    }

    /// Whether the provider asks for a token.
    #[must_use]
    pub const fn needs_token(&self) -> bool {
        self.request.token.is_some()
    }
}

fn understand(text: &str) -> Result<ProviderSpec, Fault> {
    let file = file::read(text)?;
    let spec = ProviderSpec {
        request: request::template(&file.request)?,
        found: answer::found(file.answer.found.as_ref())?,
        not_found: answer::not_found(&file.answer.not_found)?,
        throttled: answer::rules(&file.answer.throttled)?,
        credentials: answer::rules(&file.answer.credentials)?,
        places: fields::places(&file)?,
    };
    sample::check(&spec, &file)?;
    Ok(spec)
}

/// A fault at a value of the file.
fn at<T>(value: &Located<T>, fault: ConfigFault) -> Fault {
    (fault, Some(value.span().start))
}
