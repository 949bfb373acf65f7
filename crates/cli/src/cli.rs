//! The command line: names and help texts. `commands` implements the commands.

// The paths are also right for the package that writes the manual pages, which includes this file.
#[path = "cli/account.rs"]
pub(crate) mod account;
#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/form.rs"]
mod form;
#[path = "cli/lookup.rs"]
pub(crate) mod lookup;
#[path = "cli/webhook.rs"]
mod webhook;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use kuraka_domain::{Date, Ruc};
use kuraka_registry::dataset;
use kuraka_registry::months::Month;

pub(crate) use account::Account;
pub(crate) use audit::Audit;
pub(crate) use form::Form;
pub(crate) use lookup::{LinesForm, Lookup, Search};
pub(crate) use webhook::Webhook;

/// Looks up Peruvian taxpayers and validates payment vouchers, as JSON over HTTP.
#[derive(Parser)]
// Without `about` of the Cargo package: the package of the manual pages has another one.
#[command(name = "kuraka", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// The settings file; the default is the first that exists of $KURAKA_CONFIG, ./kuraka.toml and
    /// /etc/kuraka/kuraka.toml. demo, sandbox, openapi and explain have no default. Variables KURAKA__… override it.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the API until SIGTERM or Ctrl-C.
    Serve,
    /// Serve a bundled sample with its own account, and print example calls. Needs no internet.
    Demo {
        /// The port on this machine, instead of http.bind. The admin listener takes any free one.
        #[arg(long)]
        port: Option<u16>,
        /// Change a company of the sample that another demo serves from this folder, and exit: the change is in /cambios
        /// and is sent to webhooks.
        #[arg(long, conflicts_with = "port")]
        change: bool,
    },
    /// The official datasets, the padrón first: list, show, import, update, roll back, changes.
    #[command(subcommand)]
    Dataset(Dataset),
    /// Look up taxpayers in this machine's editions, without a server. Exits with code 1 if one does not exist.
    Lookup(Lookup),
    /// Search for companies by name in this machine's editions, without a server. Active ones come first.
    Search(Search),
    /// Print exchange rates of this machine's record: of today, of a day, or of the known days of a month. Exits with code 1
    /// if they are not known.
    Rate {
        /// A day or a month; the default is today in Peru.
        #[arg(value_name = "DATE|YYYY-MM")]
        day: Option<String>,
        #[command(flatten)]
        form: Form,
    },
    /// The database of accounts, tokens and usage: migrate, check, copy.
    #[command(subcommand)]
    Store(Store),
    /// Back up the store, the current editions with their record, and the settings without secrets, while servers run. Of a
    /// PostgreSQL store pg_dump makes a dump.
    Backup {
        /// The folder to write, or an archive if it ends with .tar.zst; it must not exist.
        target: PathBuf,
        /// Leave the store out, because its own tools back it up. Without this option a backup of all but the store fails.
        #[arg(long)]
        without_store: bool,
    },
    /// Replace store and editions by a backup, which is verified first. Stop the server first. What was there is kept beside.
    Restore {
        /// A folder or archive that `backup` has written.
        source: PathBuf,
    },
    /// Accounts, which own tokens.
    #[command(subcommand)]
    Account(Account),
    /// API tokens: create, list, revoke.
    #[command(subcommand)]
    Token(Token),
    /// Webhooks that notify accounts of changes: create, list, test, rotate, pause, resume, delete.
    #[command(subcommand)]
    Webhook(Webhook),
    /// Print the audit log: who changed an account, token, session, webhook or dataset, and refused log-ins.
    Audit(Audit),
    /// Settings: check them, show them, list all (`config reference`).
    #[command(subcommand)]
    Config(Config),
    /// Diagnose problems on this machine and suggest fixes. Read-only; safe while a server runs. Exits with code 1 if
    /// there are warnings, 2 if there are errors.
    Doctor(Doctor),
    /// Print the API's OpenAPI document.
    Openapi {
        /// The document of what is sent to webhooks instead.
        #[arg(long)]
        webhooks: bool,
    },
    /// Show how Kuraka reads a saved answer of a source, and why.
    #[command(subcommand)]
    Explain(Explain),
    /// Check that the server of these settings is alive. Exits with code 1 if it is not.
    Healthcheck {
        /// Check readiness instead: the store answers and the datasets are loaded.
        #[arg(long)]
        ready: bool,
    },
    /// Answer an agent over standard input and output (Model Context Protocol): with KURAKA_URL and KURAKA_TOKEN by that
    /// server, otherwise from this machine's editions. Ends with its input.
    Mcp {
        /// The data folder, instead of data_dir; no server is called.
        #[arg(long, value_name = "DIR")]
        data_dir: Option<PathBuf>,
    },
    /// Simulate the official page, the voucher service and the providers, faults included.
    Sandbox {
        /// The address to listen on.
        #[arg(long, default_value = "127.0.0.1:8081", value_name = "ADDRESS:PORT")]
        bind: SocketAddr,
        /// Instead of serving, list a RUC for each result and the vouchers that exist.
        #[arg(long)]
        outcomes: bool,
    },
}

#[derive(Args)]
pub(crate) struct Doctor {
    /// Query each source of details about one RUC, which a provider may charge.
    #[arg(long)]
    pub(crate) live: bool,
    /// Send one mail to this address.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) mail: Option<String>,
    #[command(flatten)]
    pub(crate) form: Form,
}

fn checksum(text: &str) -> Result<kuraka_registry::Checksum, &'static str> {
    kuraka_registry::parse_checksum(text).ok_or("a SHA-256 has 64 hexadecimal digits")
}

fn with_editions(name: &str) -> Result<&'static dataset::Dataset, String> {
    let dataset = dataset::named(name).map_err(|error| error.to_string())?;
    let without = format!("{name} has no editions: kuraka dataset update {name} fetches its record");
    if dataset.has_editions() { Ok(dataset) } else { Err(without) }
}

#[derive(Subcommand)]
pub(crate) enum Dataset {
    /// List every dataset with its current edition, its age, and the last attempt to update it. Exits with code 1 if one
    /// that is enabled is too old, damaged or was never imported, or if its last update failed.
    List(Form),
    /// Show a dataset's publisher, licence and address, and the kept editions.
    Info {
        /// The dataset's name.
        #[arg(value_parser = dataset::named)]
        name: &'static dataset::Dataset,
        #[command(flatten)]
        form: Form,
    },
    /// Import a published file, or an edition that another machine has built, and publish it.
    Import(DatasetFile),
    /// Download the files that have changed at the addresses in the settings, and publish new editions.
    Update {
        /// The datasets' names; without one, those that a server with these settings updates.
        #[arg(value_name = "NAME", value_parser = dataset::named)]
        names: Vec<&'static dataset::Dataset>,
        /// Download again even what has not changed or was refused, and publish even suspicious editions. The editions
        /// record it.
        #[arg(long)]
        force: bool,
    },
    /// Import past months of the open data, to know since when a company has its current status. Resumes after an
    /// interruption.
    Backfill {
        /// The dataset: datos_abiertos.
        #[arg(value_parser = PossibleValuesParser::new([dataset::DATOS_ABIERTOS.name]))]
        name: String,
        /// The first month.
        #[arg(long, value_name = "YYYY-MM", default_value_t = Month::FIRST)]
        from: Month,
        /// Add even suspicious months, such as one with far fewer companies than the month before or after it.
        #[arg(long)]
        force: bool,
    },
    /// Go back to the previous edition of a dataset.
    Rollback {
        /// The dataset's name.
        #[arg(value_parser = with_editions)]
        name: &'static dataset::Dataset,
    },
    /// Drop the past of a natural person from the change lists and histories of all datasets, for good, and do not record it
    /// again. What the current editions say stays. Each server forgets for itself.
    Forget {
        /// The person's RUC.
        #[arg(value_parser = Ruc::parse)]
        ruc: Ruc,
    },
    /// Print the changes between editions: new and removed taxpayers, and each changed field.
    Changes {
        /// The dataset's name.
        #[arg(value_parser = with_editions)]
        name: &'static dataset::Dataset,
        /// Only editions of this day or a later one.
        #[arg(long, value_name = "YYYY-MM-DD")]
        since: Option<Date>,
        /// CSV with a header line, or one JSON object per line.
        #[arg(long, value_enum, default_value_t = LinesForm::Csv)]
        output: LinesForm,
    },
}

#[derive(Args)]
pub(crate) struct DatasetFile {
    /// The dataset's name.
    #[arg(value_parser = with_editions)]
    pub(crate) name: &'static dataset::Dataset,
    /// The published file, packed or not, or a finished edition.
    #[arg(value_name = "FILE|URL")]
    pub(crate) file: String,
    /// The day the file was published; the default is the month of its rows, else the download's date, else the zip
    /// entry's, else today.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) date: Option<Date>,
    /// The expected SHA-256 of the file, as sha256sum prints it.
    #[arg(long, value_name = "HEX", value_parser = checksum)]
    pub(crate) sha256: Option<kuraka_registry::Checksum>,
    /// Publish even if a guard refuses (fewer rows, many bad lines, older, rolled back). The edition records the
    /// overridden guards.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Subcommand)]
pub(crate) enum Store {
    /// Migrate the store's schema and do nothing else. The server and every command that uses the store migrate it too.
    Migrate,
    /// Check that the store answers and accepts writes, and count its contents.
    Check,
    /// Copy accounts with their tokens, webhooks, deliveries, watched RUCs, used queries and daily usage into an empty
    /// store. Stop the servers first.
    Copy {
        /// The store to read, such as sqlite:///var/lib/kuraka/kuraka.db.
        #[arg(long, value_name = "URL")]
        from: String,
        /// The empty store to fill, such as postgres://user:password@host:5432/kuraka.
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Token {
    /// Create a token and print only the token. Kuraka cannot show it again.
    Create {
        /// The owner's e-mail address.
        #[arg(long)]
        email: String,
        /// A name by which the owner recognises the token.
        #[arg(long)]
        name: String,
        /// Days until the token expires; without it, the token does not expire.
        #[arg(long, value_name = "N")]
        days: Option<u32>,
        /// A network or address that may use the token; repeatable. Without it, any address may.
        #[arg(long, value_name = "NETWORK")]
        allow: Vec<String>,
        /// A test token, kur_test_…: it is answered from a sample and a sandbox, never charged.
        #[arg(long)]
        test: bool,
    },
    /// List an account's tokens, including revoked ones.
    List {
        /// The owner's e-mail address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        form: Form,
    },
    /// Revoke a token; servers refuse it within a second.
    Revoke {
        /// The token's id, as `token list` shows it.
        #[arg(long)]
        id: i64,
    },
}

#[derive(Subcommand)]
pub(crate) enum Explain {
    /// A saved official page.
    Official {
        /// The page as it was received.
        file: PathBuf,
        /// The requested RUC.
        #[arg(long)]
        ruc: Ruc,
        /// The Content-Type of the page as it was served; it may name the charset.
        #[arg(long)]
        content_type: Option<String>,
    },
    /// A saved answer of a provider.
    Provider {
        /// A preset's name, or the path of a provider file.
        name: String,
        /// The answer's body as it was received.
        file: PathBuf,
        /// The answer's HTTP status.
        #[arg(long, default_value_t = 200)]
        status: u16,
        /// The requested RUC.
        #[arg(long)]
        ruc: Ruc,
    },
    /// A saved answer of the voucher service.
    Vouchers {
        /// The answer's body as it was received.
        file: PathBuf,
        /// The answer's HTTP status.
        #[arg(long, default_value_t = 200)]
        status: u16,
    },
}

#[derive(Subcommand)]
pub(crate) enum Config {
    /// Check the settings and the provider files.
    Check,
    /// Show the settings that a server would start with, and where each comes from.
    Show(Form),
    /// Print every setting as a table in Markdown: its variable, default and meaning.
    Reference,
}
