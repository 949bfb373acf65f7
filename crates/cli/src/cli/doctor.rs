//! The arguments of `kuraka doctor`.

use clap::Args;

use super::Form;

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
