//! The commands, one file each: read arguments, call the application or an adapter, print the result.

mod account;
mod audit;
mod backup;
mod config;
mod dataset;
mod demo;
mod doctor;
mod explain;
mod healthcheck;
mod lines;
mod lookup;
mod mcp;
mod owner;
mod progress;
mod rate;
mod runtime;
mod sandbox;
mod search;
mod simulated;
mod store;
mod store_access;
mod token;
mod user;
mod webhook;

use std::path::Path;
use std::process::ExitCode;

use kuraka_server::http::{openapi_document, webhooks_document};
use kuraka_server::logs;
use kuraka_server::settings::{Log, LogFormat, Settings, Values};

use crate::cli::{Arguments, Command};
use crate::console;
use runtime::Failure;

pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let Arguments { config, command } = arguments;
    let file = config.as_deref();
    let load = || load(file);
    match command {
        Command::Serve => {
            let values = Values::load(file)?;
            let settings = Settings::read(&values)?;
            owner::check(&settings)?;
            logs::start_queued(&settings.log)?;
            let test_data = simulated::test_data(&settings.data_dir)?;
            runtime::block_on(kuraka_server::serve(settings, values, test_data))
        }
        Command::Demo { change: true, .. } => demo::change(file),
        Command::Demo { port, .. } => demo::demo(file, port),
        Command::Dataset(command) => dataset::run(command, &load()?),
        Command::Lookup(lookup) => lookup::run(&lookup, &load()?),
        Command::Search(search) => search::run(&search, &load()?),
        Command::Rate { day, form } => rate::run(day.as_deref(), form, &load()?),
        Command::Backup { target, without_store } => backup::back_up_to(&target, without_store, file, &load()?),
        Command::Restore { source } => backup::restore(&source, &load()?),
        Command::Store(command) => store::run(command, &load()?),
        Command::Account(command) => account::run(command, &load()?),
        Command::Token(command) => token::run(command, &load()?),
        Command::Webhook(command) => webhook::run(command, &load()?),
        Command::Audit(arguments) => audit::run(&arguments, &load()?),
        Command::Config(command) => config::run(command, file),
        Command::Doctor(arguments) => return doctor::run(file, &arguments),
        Command::Openapi { webhooks } => {
            let document = if webhooks { webhooks_document() } else { openapi_document() };
            console::line(&format!("{document:#}"));
            Ok(())
        }
        Command::Explain(command) => explain::run(command),
        Command::Healthcheck { ready } => healthcheck::run(load()?.admin_bind, ready),
        Command::Mcp { data_dir } => mcp::run(data_dir, file),
        Command::Sandbox { bind, outcomes } => sandbox::run(bind, outcomes),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// A person's command: its log is text at `warn`, whatever the settings.
fn load(file: Option<&Path>) -> Result<Settings, Failure> {
    let settings = Settings::load(file)?;
    logs::start(&Log { level: "warn,audit=off".to_owned(), format: LogFormat::Text });
    Ok(settings)
}
