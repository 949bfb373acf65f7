//! The command line: names and help texts. What a command does is in `commands`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use kuraka_domain::{Date, Ruc};

/// Who a Peruvian taxpayer is, over JSON and HTTP.
#[derive(Parser)]
#[command(name = "kuraka", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    /// File of settings; without it ./kuraka.toml is read if it exists. Variables KURAKA__… go before it.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the API until SIGTERM or Ctrl-C.
    Serve,
    /// Serve a bundled sample with an account of its own, and print calls to paste. Needs no internet.
    Demo,
    /// The registry of taxpayers: import, update, look at, look up, roll back.
    #[command(subcommand)]
    Registry(Registry),
    /// The database of accounts, tokens and usage: bring up to date, check, move.
    #[command(subcommand)]
    Store(Store),
    /// Accounts: who may own tokens.
    #[command(subcommand)]
    Account(Account),
    /// API tokens.
    #[command(subcommand)]
    Token(Token),
    /// Settings.
    #[command(subcommand)]
    Config(Config),
    /// Print the API's OpenAPI document.
    Openapi,
    /// Say what a kept answer of a source is read as, and why.
    #[command(subcommand)]
    Explain(Explain),
    /// Stand in for the tax authority's page and for the providers, faults included.
    Sandbox {
        /// Where to answer.
        #[arg(long, default_value = "127.0.0.1:8081", value_name = "ADDRESS:PORT")]
        bind: SocketAddr,
        /// List a RUC for each outcome instead.
        #[arg(long)]
        outcomes: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum Registry {
    /// Build an edition from the tax authority's files and publish it.
    Import(Import),
    /// Download what has changed at the addresses of the settings, and publish it.
    Update(Update),
    /// Fetch the edition that another machine has built, unless it is here already, and publish it.
    Fetch(Fetch),
    /// Show the kept editions and where their rows come from.
    Info {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Look up taxpayers in the current edition. Exit code 1 if one does not exist.
    Lookup {
        /// RUCs of 11 digits.
        #[arg(required = true, value_name = "RUC")]
        rucs: Vec<Ruc>,
    },
    /// Go back to the edition before the current one.
    Rollback,
}

#[derive(Args)]
pub(crate) struct Import {
    /// The padrón, zip or text.
    #[arg(long, value_name = "FILE|URL")]
    pub(crate) padron: String,
    /// The list of withholding agents, zip or text. Without it the previous edition's is carried over.
    #[arg(long, value_name = "FILE|URL")]
    pub(crate) withholding: Option<String>,
    /// The list of good taxpayers, zip or text. Without it the previous edition's is carried over.
    #[arg(long, value_name = "FILE|URL")]
    pub(crate) good_taxpayers: Option<String>,
    /// The day the padrón was published; without it the download's or the zip's own date, else today.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) edition: Option<Date>,
    /// Publish even what looks wrong (shrunken, many bad lines, older, rolled back from). It is recorded.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct Update {
    /// Publish even what looks wrong. It is recorded.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args)]
pub(crate) struct Fetch {
    /// Its address, such as http://10.0.0.5:9090/edition. Without it, registry.edition_url of the settings.
    #[arg(value_name = "URL")]
    pub(crate) url: Option<String>,
    /// The SHA-256 that the file must have, as sha256sum prints it.
    #[arg(long, value_name = "HEX", value_parser = checksum)]
    pub(crate) sha256: Option<[u8; 32]>,
    /// Publish even what looks wrong (shrunken, older, rolled back from).
    #[arg(long)]
    pub(crate) force: bool,
}

fn checksum(text: &str) -> Result<[u8; 32], &'static str> {
    const EXPECTED: &str = "a SHA-256 has 64 hexadecimal digits";
    let mut checksum = [0; 32];
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(EXPECTED);
    }
    for (byte, digits) in checksum.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digits = str::from_utf8(digits).map_err(|_| EXPECTED)?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| EXPECTED)?;
    }
    Ok(checksum)
}

#[derive(Subcommand)]
pub(crate) enum Store {
    /// Bring the schema up to date. The server and every command that needs the store do so too; this does nothing else.
    Migrate,
    /// See whether the store answers and takes writes, and count what it holds.
    Check,
    /// Copy accounts with their tokens, usage and history into an empty store. Stop the servers first.
    Copy {
        /// Where they are, such as sqlite:///var/lib/kuraka/kuraka.db.
        #[arg(long, value_name = "URL")]
        from: String,
        /// Where they go, such as postgres://user:password@host:5432/kuraka.
        #[arg(long, value_name = "URL")]
        to: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Account {
    /// Make an account.
    Create {
        /// Its e-mail address.
        #[arg(long)]
        email: String,
        /// Its plan, one of the settings'.
        #[arg(long, default_value = "free")]
        plan: String,
    },
    /// Show every account.
    List,
    /// Set an account's password, read from standard input.
    SetPassword {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
    },
    /// Move an account to another plan; servers follow within a second.
    SetPlan {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        /// The plan, one of the settings'.
        #[arg(long)]
        plan: String,
    },
    /// Suspend an account; servers refuse its tokens within a second.
    Suspend {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
    },
    /// Let a suspended account call again.
    Activate {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
    },
    /// Erase an account with its tokens, its sessions and its usage. Nothing of it is kept.
    Delete {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Token {
    /// Make a token and print it, and nothing else. It cannot be shown again.
    Create {
        /// The owner's e-mail address.
        #[arg(long)]
        email: String,
        /// What the owner calls it.
        #[arg(long)]
        name: String,
        /// Days after which it is refused; without it, it has no end.
        #[arg(long, value_name = "N")]
        days: Option<u32>,
        /// A network or an address it may be used from; repeat it for several. Without it, any.
        #[arg(long, value_name = "NETWORK")]
        allow: Vec<String>,
    },
    /// Show an account's tokens.
    List {
        /// The owner's e-mail address.
        #[arg(long)]
        email: String,
    },
    /// Revoke a token; servers refuse it within a second.
    Revoke {
        /// Its number, as `token list` shows it.
        #[arg(long)]
        id: i64,
    },
}

#[derive(Subcommand)]
pub(crate) enum Explain {
    /// A page of the tax authority.
    Official {
        /// The page, as it was received.
        file: PathBuf,
        /// The RUC that was asked for.
        #[arg(long)]
        ruc: Ruc,
        /// The Content-Type it was served with.
        #[arg(long)]
        content_type: Option<String>,
    },
    /// An answer of a provider.
    Provider {
        /// A preset's name, or a provider's file.
        name: String,
        /// The answer's body, as it was received.
        file: PathBuf,
        /// The answer's HTTP status.
        #[arg(long, default_value_t = 200)]
        status: u16,
        /// The RUC that was asked for.
        #[arg(long)]
        ruc: Ruc,
    },
    /// An answer of the voucher service.
    Vouchers {
        /// The answer's body, as it was received.
        file: PathBuf,
        /// The answer's HTTP status.
        #[arg(long, default_value_t = 200)]
        status: u16,
    },
}

#[derive(Subcommand)]
pub(crate) enum Config {
    /// Check the settings and show where each comes from.
    Check,
}
