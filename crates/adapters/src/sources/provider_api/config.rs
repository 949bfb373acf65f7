//! Reads a provider's TOML file (`docs/reference/provider-file.md`).
//!
//! An unknown key is refused with its line, because a rule that never matches would silently give wrong answers. The
//! file's samples are read by its own rules, so that a wrong pointer is found before any request.

mod answer;
mod dialect;
mod fields;
mod file;
mod request;
mod sample;

use thiserror::Error;

use self::file::Fault;
use super::dialect::Dialect;
use super::spec::ProviderSpec;

#[derive(Debug, Error)]
#[error("{file}{}: {fault}", self.line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ConfigError {
    /// The path, or the preset's name.
    pub file: Box<str>,
    /// From 1, if known.
    pub line: Option<usize>,
    pub fault: String,
}

impl ProviderSpec {
    pub fn address(&self) -> &str {
        &self.request.url
    }

    /// The file read backwards; `None` = it does not say how the provider is called.
    pub const fn dialect(&self) -> Option<&Dialect> {
        self.dialect.as_ref()
    }

    /// Reads a provider's file, which errors call `file`.
    ///
    /// # Errors
    /// The first fault, with its line and remedy.
    pub fn parse(file: &str, text: &str) -> Result<Self, ConfigError> {
        understand(text).map_err(|Fault { what, at }| ConfigError {
            file: file.into(),
            line: at.and_then(|at| text.get(..at)).map(|before| before.matches('\n').count() + 1),
            fault: what,
        })
    }
}

fn understand(text: &str) -> Result<ProviderSpec, Fault> {
    let file = file::read(text)?;
    let mut spec = ProviderSpec {
        request: request::template(&file.request)?,
        found: answer::found(file.answer.found.as_ref())?,
        not_found: answer::not_found(&file.answer.not_found)?,
        throttled: answer::rules(&file.answer.throttled)?,
        credentials: answer::rules(&file.answer.credentials)?,
        places: fields::places(&file)?,
        dialect: None,
    };
    sample::check(&spec, &file)?;
    spec.dialect = dialect::dialect(&spec, &file)?;
    Ok(spec)
}
