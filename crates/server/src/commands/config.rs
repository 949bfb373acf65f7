//! `kuraka config check`: are the settings good, and where does each come from.

use std::path::Path;
use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_ports::Clock;
use kuraka_server::bootstrap::sources;
use kuraka_server::logs;
use kuraka_server::settings::{Settings, Values};

use super::runtime::Failure;
use crate::cli::Config;
use crate::console;

pub(crate) fn run(command: Config, file: Option<&Path>) -> Result<(), Failure> {
    match command {
        Config::Check => check(file),
    }
}

fn check(file: Option<&Path>) -> Result<(), Failure> {
    let values = Values::load(file)?;
    let settings = Settings::read(&values)?;
    let rows = values.in_force().into_iter().map(|(key, value, origin)| [key, value, origin.to_string()]);
    console::table(["SETTING", "VALUE", "ORIGIN"], &rows.collect::<Vec<_>>());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::start());
    // Making a client needs the provider that outbound calls use; a second installation is refused, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let problems = sources::problems(&settings, &clock);
    for problem in &problems {
        console::problem(&logs::chain(problem.as_ref()));
    }
    if !problems.is_empty() {
        return Err("the settings are not good".into());
    }
    console::note("the settings are good");
    Ok(())
}
