//! The option of commands that print records.

use clap::Args;

/// The form of printed records.
#[derive(Args, Clone, Copy)]
pub(crate) struct Form {
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
