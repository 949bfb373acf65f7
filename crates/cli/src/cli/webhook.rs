//! The command line of `kuraka webhook`.

use clap::{Args, Subcommand};

use super::form::Form;

#[derive(Subcommand)]
pub(crate) enum Webhook {
    /// Create a webhook and print only its secret. Kuraka does not show it again.
    Create {
        /// The owner's e-mail address.
        #[arg(long)]
        email: String,
        /// Where deliveries are sent: https, on port 443 or 8443, or in a network of `webhooks.allowed_networks`.
        #[arg(long)]
        url: String,
        /// Deliver no changes, only what `webhook test` sends: a change of the bundled sample.
        #[arg(long)]
        test: bool,
    },
    /// List an account's webhooks.
    List {
        /// The owner's e-mail address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        form: Form,
    },
    /// Send one test delivery and print the result: to a test webhook, a change of the bundled sample. Exits with code 1 if
    /// it was not delivered.
    Test(ById),
    /// Give a webhook a new secret and print only the secret. The previous secret stays valid for 24 hours.
    Rotate(ById),
    /// Stop delivering to a webhook.
    Pause(ById),
    /// Resume a webhook that was paused or disabled, from its cursor.
    Resume(ById),
    /// Delete a webhook and its deliveries.
    Delete(ById),
}

#[derive(Args)]
pub(crate) struct ById {
    /// The webhook's id, as `webhook list` shows it.
    pub(crate) id: i64,
}
