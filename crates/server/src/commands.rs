//! The commands, one file each. A command reads its arguments, calls the application or an adapter, and prints the
//! result.

mod account;
mod config;
mod dataset;
mod demo;
mod explain;
mod lookup;
mod progress;
mod runtime;
mod sandbox;
mod serve;
mod store;
mod store_access;
mod token;

use std::path::Path;

use kuraka_server::logs;
use kuraka_server::settings::{Log, LogFormat, Settings};

use crate::cli::{Arguments, Command};
use crate::console;
use runtime::Failure;

/// Runs a command.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let file = arguments.config.as_deref();
    match arguments.command {
        Command::Serve => {
            let settings = Settings::load(file)?;
            logs::start_queued(&settings.log)?;
            serve::serve(settings)
        }
        Command::Demo => demo::demo(file),
        Command::Dataset(command) => dataset::run(command, &load(file)?),
        Command::Lookup { rucs } => lookup::lookup(&rucs, &load(file)?),
        Command::Store(command) => store::run(command, &load(file)?),
        Command::Account(command) => account::run(command, &load(file)?),
        Command::Token(command) => token::run(command, &load(file)?),
        Command::Config(command) => config::run(command, file),
        Command::Openapi => {
            console::line(&format!("{:#}", kuraka_server::http::openapi_document()));
            Ok(())
        }
        Command::Explain(command) => explain::run(command),
        Command::Sandbox { bind, outcomes } => sandbox::run(bind, outcomes),
    }
}

/// The settings of a command that a person runs. Its log is text at `warn`, regardless of the server's log settings.
fn load(file: Option<&Path>) -> Result<Settings, Failure> {
    let settings = Settings::load(file)?;
    logs::start(&Log { level: "warn".to_owned(), format: LogFormat::Text });
    Ok(settings)
}
