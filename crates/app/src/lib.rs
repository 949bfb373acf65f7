#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

pub mod access;
pub mod accounts;
pub mod calendar;
mod causes;
pub mod certificates;
pub mod client_network;
pub mod kept_lists;
pub mod lookup;
pub mod mails;
pub mod measuring;
pub mod metering;
mod old_rows;
mod places;
mod secret;
pub mod validate_voucher;
pub mod watching;
pub mod webhooks;

pub use access::token::{ApiToken, PresentedToken};
pub use access::*;
pub use accounts::form_rate::FormRate;
pub use accounts::own_tokens::{self, CreateToken, CreateTokenError, OwnTokens};
pub use accounts::requested_mails::RequestedMails;
pub use accounts::sign_in::{self, LoggedIn, SignIn, SignInError};
pub use accounts::{password_rules, throttle};
pub use causes::Causes;
pub use certificates::IssuedCertificates;
pub use client_network::ClientNetwork;
pub use kept_lists::{BatchResults, Lists};
pub use lookup::*;
pub use mails::{MailOutcome, Mails};
pub use measuring::{History, Recorder, ServiceReport};
pub use metering::AccountMeters;
pub use metering::plan::{self, Plan, PlanError, Plans};
pub use metering::usage::{Usage, Used};
pub use metering::{quota, rate};
pub use old_rows::DeleteOldRows;
pub use places::{Place, Places};
pub use validate_voucher::{ValidateVoucher, drained};
pub use watching::{ChangeListError, ChangesError, ChangesPage, ChangesQuery, MailChanges, WatchedPage, Watching};
pub use webhooks::{CreateWebhookError, DeliverChanges, Notifier};
