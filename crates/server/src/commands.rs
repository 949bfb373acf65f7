//! One command a file. Each reads its arguments, calls the application or an adapter, and says what came of it.

mod account;
mod config;
mod demo;
mod explain;
mod registry;
mod sandbox;
mod serve;
mod store;
mod token;

use std::error::Error;
use std::future::Future;
use std::path::Path;
use std::time::Duration;

use std::sync::Arc;

use kuraka_adapters::store::Store;
use kuraka_ports::{Account, Accounts, Email};
use kuraka_server::logs;
use kuraka_server::settings::{Log, Settings};

use crate::cli::{Arguments, Command};
use crate::console;

/// How long blocking work is waited for once a command is done.
const ABANDON_AFTER: Duration = Duration::from_millis(500);

/// What a command may fail with; `main` prints it with its causes.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Runs a command.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let file = arguments.config.as_deref();
    match arguments.command {
        Command::Serve => {
            let settings = Settings::load(file)?;
            logs::start(&settings.log);
            serve::serve(settings)
        }
        Command::Demo => demo::demo(file),
        Command::Registry(command) => registry::run(command, &load(file)?),
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

/// The settings of a command that a person runs: its warnings are for reading, whatever a server's log looks like.
fn load(file: Option<&Path>) -> Result<Settings, Failure> {
    let settings = Settings::load(file)?;
    logs::start(&Log { level: "warn".to_owned(), json: false });
    Ok(settings)
}

/// Runs the command's asynchronous part on a multi-thread runtime.
fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    // The first TLS client panics without a provider; a second installation is refused, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let outcome = runtime.block_on(work);
    // An import that is still building when the process must end is abandoned: what it wrote is removed by the next.
    runtime.shutdown_timeout(ABANDON_AFTER);
    outcome
}

async fn open_store(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    Ok(settings.store.open().await?)
}

/// The account of an address, or one clear line.
async fn account_of(store: &dyn Store, email: &str) -> Result<Account, Failure> {
    let address = Email::parse(email)?;
    Accounts::find(store, &address).await?.ok_or_else(|| {
        format!("there is no account {}: make it with kuraka account create --email {0}", address.as_str()).into()
    })
}
