//! Reads the file that describes a provider.
//!
//! One provider is one TOML file, described in `docs/reference/provider-file.md`. Reading is strict: a key that is not
//! understood is refused with its line, because a rule that never holds would silently give wrong answers. If the file
//! holds sample answers, they are read by its own rules, so that a wrong pointer shows before any request.

mod answer;
mod fault;
mod fields;
mod file;
mod request;
mod sample;

use self::fault::Fault;
pub use self::fault::{ConfigError, ConfigFault};
use super::spec::ProviderSpec;

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
