//! Accounts, which own tokens and have a plan.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;
use thiserror::Error;

use crate::{Period, SecretDigest, StoreResult};

/// Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountId(pub i64);

/// Lower case, one `@` between other characters, at most 254 characters, no blanks.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Email(Box<str>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an e-mail address looks like name@example.pe, with at most 254 characters and no blanks")]
pub struct EmailError;

/// As the settings spell it: 1 to 32 lower-case ASCII letters, digits, `-` and `_`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlanName(Box<str>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a plan's name has 1 to 32 lower-case letters, digits, - and _")]
pub struct PlanNameError;

crate::words! {
    /// As words: in the store and in JSON.
    pub enum AccountStatus {
        Active = "active",
        /// Calls with its tokens are answered `forbidden`, and it begins no session.
        Suspended = "suspended",
        /// As suspended, until its owner confirms the address.
        Unconfirmed = "unconfirmed",
    }
}

crate::words! {
    /// As words: in the store, in JSON and in commands.
    pub enum AccountRole {
        Member = "member",
        /// The pages of who operates the service, too.
        Operator = "operator",
    }
}

/// An account's random number in the addresses of the operator's pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountPage(pub [u8; 16]);

/// An account in the operator's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundAccount {
    pub account: Account,
    pub page: AccountPage,
    /// Used or leased in the period.
    pub used: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// Unique among accounts.
    pub email: Email,
    pub plan: PlanName,
    pub status: AccountStatus,
    pub role: AccountRole,
    /// While the account is unconfirmed, its latest sign-up.
    pub created: Timestamp,
}

/// A table's name, and an account's rows.
pub type StoredTable = (&'static str, Vec<StoredRow>);

/// Names of columns, and values.
pub type StoredRow = Vec<(String, StoredValue)>;

/// A value of a stored row; nulls have types too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoredValue {
    Integer(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
}

/// Times are kept to the microsecond.
///
/// [`crate::Tokens::changes`] reports a new plan, a new status and a deletion before the method returns. New accounts
/// and passwords make no cached credential wrong.
#[async_trait]
pub trait Accounts: Send + Sync + 'static {
    /// Creates an active account, which has no password without a hash. Not safe to call twice. `Conflict` if the
    /// address is taken.
    async fn create(&self, email: &Email, plan: &PlanName, hash: Option<&str>, now: Timestamp) -> StoreResult<Account>;

    /// Signs up at `at`: creates an account that is not confirmed, with a password hash. One that waits since an
    /// earlier sign-up gets the new password and this time instead. Returns the account that waits; `None` = the
    /// address has another account, which stays as it is. Safe to call twice.
    async fn sign_up(&self, email: &Email, plan: &PlanName, hash: &str, at: Timestamp) -> StoreResult<Option<Account>>;

    /// `None` = no such account.
    async fn find(&self, email: &Email) -> StoreResult<Option<Account>>;

    /// `None` = no such account.
    async fn by_id(&self, id: AccountId) -> StoreResult<Option<Account>>;

    /// Up to `limit` accounts after `after`, by number.
    async fn page(&self, after: Option<AccountId>, limit: u32) -> StoreResult<Vec<Account>>;

    /// Up to `limit` accounts whose address has this text, after `skip` of them; those that used most in `period`
    /// first.
    async fn search(&self, text: &str, period: Period, skip: u32, limit: u32) -> StoreResult<Vec<FoundAccount>>;

    /// `None` = no such account.
    async fn by_page(&self, page: AccountPage) -> StoreResult<Option<Account>>;

    /// The password hash (PHC string); `None` = no such account, or no password was set.
    async fn password_hash(&self, id: AccountId) -> StoreResult<Option<String>>;

    /// Replaces the password hash (PHC string) and ends every session of the account, in one step. Safe to call twice.
    /// `Missing` if there is no such account.
    async fn set_password_hash(&self, id: AccountId, hash: &str) -> StoreResult<()>;

    /// [`Accounts::set_password_hash`] if the hash is still `from`, which was checked. `false` = it has changed, or the
    /// account is gone.
    async fn replace_password(&self, id: AccountId, from: &str, to: &str) -> StoreResult<bool>;

    /// Replaces the hash of the same password, if it is still `from`; sessions stay. `false` as for
    /// [`Accounts::replace_password`].
    async fn rehash_password(&self, id: AccountId, from: &str, to: &str) -> StoreResult<bool>;

    /// Replaces the address of an active account if the password hash is still `hash`, which was checked, and ends
    /// every session of the account, in one step; mails that wait for the old address are dropped, but for those that
    /// tell it. With the code of a link to the address and a time, the code is used,
    /// an account that waits with this address is deleted, and a mail of that time tells the old address. `false` =
    /// nothing has changed. `Conflict` if the address is taken.
    async fn replace_email(
        &self,
        id: AccountId,
        hash: &str,
        email: &Email,
        code: Option<(&SecretDigest, Timestamp)>,
    ) -> StoreResult<bool>;

    /// Safe to call twice. `Missing` if there is no such account.
    async fn set_plan(&self, id: AccountId, plan: &PlanName) -> StoreResult<()>;

    /// Suspends an account, ending its sessions in the same step, or makes it active again. Safe to call twice.
    /// `Missing` if there is no such account.
    async fn set_status(&self, id: AccountId, status: AccountStatus) -> StoreResult<()>;

    /// Safe to call twice. `Missing` if there is no such account.
    async fn set_role(&self, id: AccountId, role: AccountRole) -> StoreResult<()>;

    /// Deletes an account with its password, tokens, sessions and usage. `false` = no such account. `Unavailable`: the
    /// account may or may not be deleted.
    async fn delete(&self, id: AccountId) -> StoreResult<bool>;

    /// [`Accounts::delete`] if the password hash is still `hash`, which was checked. `false` as for
    /// [`Accounts::replace_password`]. `Unavailable`: the account may or may not be deleted.
    async fn delete_with_password(&self, id: AccountId, hash: &str) -> StoreResult<bool>;

    /// Everything that is stored about an account, without secrets and their hashes. Of a deleted account: its lines of
    /// the audit log.
    async fn stored_data(&self, id: AccountId) -> StoreResult<Vec<StoredTable>>;
}

impl Email {
    /// Upper-case ASCII is lowered; blanks at the ends are trimmed.
    ///
    /// # Errors
    /// [`EmailError`].
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        let text = text.trim();
        let (name, host) = text.split_once('@').ok_or(EmailError)?;
        let well_formed = !name.is_empty()
            && !host.is_empty()
            && !host.contains('@')
            && text.len() <= 254
            && !text.chars().any(|c| c.is_whitespace() || c.is_control());
        well_formed.then(|| Self(text.to_ascii_lowercase().into())).ok_or(EmailError)
    }

    /// In lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The address is personal data.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

impl PlanName {
    /// # Errors
    /// [`PlanNameError`].
    pub fn parse(text: &str) -> Result<Self, PlanNameError> {
        let fits = (1..=32).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'_');
        fits.then(|| Self(text.into())).ok_or(PlanNameError)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlanName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// 32 lower-case hexadecimal digits.
impl fmt::Display for AccountPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
