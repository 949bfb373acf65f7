//! The arguments of `kuraka audit`.

use clap::Args;
use kuraka_domain::Date;

#[derive(Args)]
pub(crate) struct Audit {
    /// Only lines about accounts that had this e-mail address, deleted ones too.
    #[arg(long, value_name = "EMAIL")]
    pub(crate) account: Option<String>,
    /// Only lines with this action, such as token.create.
    #[arg(long, value_name = "ACTION")]
    pub(crate) action: Option<String>,
    /// Only lines of this day in Peru or a later one.
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) since: Option<Date>,
    /// Go on with each new line until interrupted.
    #[arg(long)]
    pub(crate) follow: bool,
    /// One JSON object per line.
    #[arg(long)]
    pub(crate) json: bool,
}
