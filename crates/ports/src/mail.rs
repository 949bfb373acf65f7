//! Mail that waits to be sent, and its sender.

use std::error::Error as StdError;
use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;
use thiserror::Error;

use crate::{AccountId, Email, Period, PlanName, StoreResult};

crate::words! {
    /// What a mail is about. Its text is made when it is sent.
    pub enum MailKind {
        /// To the operator: an edition is too old.
        DatasetTooOld = "dataset_too_old",
        /// To the operator: updates of a dataset fail until the operator does something. It is about the edition,
        /// whether force helps, and the cause.
        UpdateFails = "update_fails",
        /// To the operator: a source has refused our credentials.
        CredentialsRefused = "credentials_refused",
        /// A link for a new password, to an address that may have no account. It is about the client's address.
        NewPassword = "new_password",
        /// A link that confirms the address of a new account, or word that the address has one. It is about the
        /// password hash and the plan.
        SignUp = "sign_up",
        /// A link that confirms another address of an account, or word that the address has one. It is about the
        /// account and the client's address.
        NewAddress = "new_address",
        /// To the old address: the account has another one.
        AddressChanged = "address_changed",
        /// To an account that has used 80 or 100 % of its plan's queries. It is about the percentage, the plan's
        /// queries and the month.
        Quota = "quota",
        /// To the account of a webhook that was disabled. It is about the webhook's number and its status.
        WebhookDisabled = "webhook_disabled",
        /// Changes of watched RUCs. It is about their number, the link's code, and a line for each of the gravest.
        Changes = "changes",
        /// A mail to the address that the operator chose, to try the mail server.
        Test = "test",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewMail {
    pub kind: MailKind,
    /// The account with which it is deleted.
    pub account: Option<AccountId>,
    pub to: Email,
    /// What its text needs, such as a dataset's name.
    pub about: String,
    /// Of the mails with the same key only the first is added.
    pub key: Option<String>,
}

impl NewMail {
    /// Tells the old address of an account that it has another one.
    pub const fn address_changed(account: AccountId, to: Email) -> Self {
        Self { kind: MailKind::AddressChanged, account: Some(account), to, about: String::new(), key: None }
    }
}

/// A mail's number in the store; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MailId(pub i64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedMail {
    pub id: MailId,
    pub kind: MailKind,
    pub to: Email,
    pub about: String,
    pub created: Timestamp,
    /// Attempts, this one included.
    pub attempts: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedQuota {
    pub account: AccountId,
    pub email: Email,
    /// Its plan's.
    pub queries: u64,
    /// Or leased.
    pub used: u64,
}

#[async_trait]
pub trait Outbox: Send + Sync + 'static {
    /// Adds a mail, unless there was one with its key. Safe to call twice if it has a key. `Missing` if its account
    /// does not exist.
    async fn add_mail(&self, mail: &NewMail, now: Timestamp) -> StoreResult<()>;

    /// The first 1,000 active accounts that reached 80 or 100 % in `period` and were not told. No plan has 0 queries.
    async fn reached_quotas(&self, plans: &[(PlanName, u64)], period: Period) -> StoreResult<Vec<ReachedQuota>>;

    /// Adds the mail, unless the account was told of this percentage of so many queries, or of 100 %.
    async fn add_quota_mail(
        &self,
        mail: &NewMail,
        account: AccountId,
        period: Period,
        told: (u8, u64),
        now: Timestamp,
    ) -> StoreResult<()>;

    /// The mail that has been due longest, for an attempt that ends before `until`, when it is due again. `None` = none
    /// is due.
    async fn lease_mail(&self, now: Timestamp, until: Timestamp) -> StoreResult<Option<LeasedMail>>;

    /// Ends an attempt. `again`: when the next is due; `None` = never, and only the mail's key stays. Changes nothing
    /// if another attempt has begun.
    async fn settle_mail(&self, mail: &LeasedMail, again: Option<Timestamp>) -> StoreResult<()>;

    /// The mails that are not sent yet, and how many of them were attempted before.
    async fn count_mails(&self) -> StoreResult<[u64; 2]>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailMessage {
    pub to: Email,
    /// The part of `Message-ID` before the `@`, the same in every attempt.
    pub id: String,
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Where a POST ends such mails.
    pub unsubscribe: Option<String>,
}

#[derive(Debug, Error)]
pub struct MailError {
    /// Whether the mail server will never take this mail.
    pub is_final: bool,
    #[source]
    pub cause: Box<dyn StdError + Send + Sync>,
}

impl fmt::Display for MailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_final { "the mail server refused the mail" } else { "the mail could not be sent" })
    }
}

#[async_trait]
pub trait MailSender: Send + Sync + 'static {
    /// Sends once. An error, and a dropped future, may have sent it.
    async fn send(&self, mail: &MailMessage) -> Result<(), MailError>;
}
