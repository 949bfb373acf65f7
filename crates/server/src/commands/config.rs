//! `kuraka config check`: are the settings good, and where does each come from.

use std::path::Path;

use kuraka_server::settings::{Layers, Settings};

use super::Failure;
use crate::cli::Config;
use crate::console;

pub(crate) fn run(command: Config, file: Option<&Path>) -> Result<(), Failure> {
    match command {
        Config::Check => check(file),
    }
}

fn check(file: Option<&Path>) -> Result<(), Failure> {
    let layers = Layers::load(file)?;
    Settings::read(&layers)?;
    let rows = layers.in_force().into_iter().map(|(key, value, origin)| [key, value, origin.to_string()]);
    console::table(["SETTING", "VALUE", "ORIGIN"], &rows.collect::<Vec<_>>());
    console::note("the settings are good");
    Ok(())
}
