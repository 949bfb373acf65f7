//! `kuraka config`: checks the settings, shows them with their origins, and lists every setting there is.

use std::path::Path;

use kuraka_server::bootstrap::sources;
use kuraka_server::logs;
use kuraka_server::settings::{self, Settings, Values};
use serde::Serialize;

use super::runtime::{Failure, clock};
use crate::cli::{Config, Form};
use crate::console;

pub(crate) fn run(command: Config, file: Option<&Path>) -> Result<(), Failure> {
    match command {
        Config::Check => check(file)?,
        Config::Show(form) => show(file, form)?,
        Config::Reference => console::line(settings::reference().trim_end()),
    }
    Ok(())
}

fn check(file: Option<&Path>) -> Result<(), Failure> {
    let settings = Settings::load(file)?;
    let errors = errors(&settings);
    for error in &errors {
        console::error(error);
    }
    if !errors.is_empty() {
        return Err("the settings are not valid".into());
    }
    for hint in sources::dialect_hints(&settings) {
        console::note(&hint);
    }
    console::note(&format!("the settings are valid; {}", settings.file_in_words()));
    Ok(())
}

/// Errors that only the server's parts find in valid settings.
pub(super) fn errors(settings: &Settings) -> Vec<String> {
    // HTTP clients need a TLS provider; a second installation is harmless.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let errors = sources::setup_errors(settings, &clock());
    errors.iter().map(|error| logs::chain(error.as_ref())).collect()
}

#[derive(Serialize)]
struct Record {
    setting: String,
    value: String,
    origin: String,
}

fn show(file: Option<&Path>, form: Form) -> Result<(), Failure> {
    let values = Values::load(file)?;
    Settings::read(&values)?;
    let effective = values.effective().into_iter();
    let records = effective.map(|(setting, value, origin)| Record { setting, value, origin: origin.to_string() });
    let records: Vec<Record> = records.collect();
    let cells = |it: &Record| [it.setting.clone(), it.value.clone(), it.origin.clone()];
    Ok(console::list(form, &records, ["SETTING", "VALUE", "ORIGIN"], cells)?)
}
