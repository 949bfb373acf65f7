//! The command line of `kuraka account`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::form::Form;

#[derive(Subcommand)]
pub(crate) enum Account {
    /// Create an account.
    Create {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        /// The name of a plan in the settings.
        #[arg(long, default_value = "free")]
        plan: String,
    },
    /// List all accounts with their used queries of this month and the last use of a token.
    List(Form),
    /// Show one account as the list does.
    Show {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        form: Form,
    },
    /// Set an account's password: asks for it twice on a terminal, else reads the first line of standard input.
    SetPassword(ByEmail),
    /// Move an account to another plan; servers apply it within a second.
    SetPlan {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        /// The name of a plan in the settings.
        #[arg(long)]
        plan: String,
    },
    /// Let an account see and change the service in the panel's section Operación, or end that.
    SetRole {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        #[arg(long, value_enum)]
        role: Role,
    },
    /// Suspend an account; servers refuse its tokens within a second.
    Suspend(ByEmail),
    /// Let a suspended account call again.
    Activate(ByEmail),
    /// Print everything that is stored about an account as JSON, without secrets. Of a deleted one, its lines of the audit
    /// log.
    Export {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        /// The file to write; it must not exist. Without it, standard output.
        #[arg(long)]
        output: Option<PathBuf>,
    },
    /// Delete an account with its tokens, sessions, usage, watched RUCs, webhooks and deliveries. Asks first. Its lines of
    /// the audit log stay until they expire.
    Delete {
        /// The account's e-mail address.
        #[arg(long)]
        email: String,
        /// Do not ask, for scripts.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Args)]
pub(crate) struct ByEmail {
    /// The account's e-mail address.
    #[arg(long)]
    pub(crate) email: String,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Role {
    Operator,
    Member,
}
