//! The use of mailed links: a new password, and the confirmation of an address; and another address of an account.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{Account, AccountId, AccountStatus, Email, SecretDigest, StoreError};

use super::{LoggedIn, SignIn, SignInError, is_past};
use crate::accounts::password_rules;
use crate::client_network::ClientNetwork;
use crate::secret::digest_of;

const RECENT: SignedDuration = SignedDuration::from_mins(15);

impl SignIn {
    /// The hash of the account's new password; `None` = there is no such active account.
    pub(crate) async fn hash_for(&self, id: AccountId, password: &str) -> Result<Option<String>, SignInError> {
        let account = self.accounts.by_id(id).await?;
        let Some(account) = account.filter(|account| account.status == AccountStatus::Active) else { return Ok(None) };
        password_rules::check(password, account.email.as_str())?;
        let _permit = self.hashing.for_owner(account.id)?;
        let hash = self.hasher.hash(password).await?;
        Ok(Some(hash))
    }

    /// Checks and counts a sign-up. Returns address and password hash.
    pub(crate) async fn hash_for_sign_up(
        &self,
        email: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<(Email, String), SignInError> {
        let network = from.map(ClientNetwork::from);
        self.attempts.sign_ups.check(&network)?;
        let email = Email::parse(email).map_err(|_| SignInError::Email)?;
        password_rules::check(password, email.as_str())?;
        let _permit = self.hashing.for_unknown_client()?;
        self.attempts.sign_ups.count(&network);
        let hash = self.hasher.hash(password).await;
        let hash = hash.inspect_err(|_| self.attempts.sign_ups.uncount(&network))?;
        Ok((email, hash))
    }

    /// Gives an account another address, given its password. All sessions end, and a new one begins. `session` is the
    /// owner's. Counts as a sign-up, because it tells whether an address has an account.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn change_email(
        &self,
        (account, session): (&Account, &str),
        password: &str,
        email: &str,
        from: Option<IpAddr>,
    ) -> Result<LoggedIn, SignInError> {
        let email = Email::parse(email).map_err(|_| SignInError::Email)?;
        let checked = self.check_password(account, session, password).await?;
        self.attempts.sign_ups.take(&from.map(ClientNetwork::from))?;
        self.replace_email(account.id, &checked, &email, None).await?.ok_or(SignInError::Wrong)
    }

    /// Checks an owner's password. Returns the stored hash.
    pub(crate) async fn check_password(
        &self,
        account: &Account,
        session: &str,
        password: &str,
    ) -> Result<String, SignInError> {
        let _permit = self.hashing.for_owner(account.id)?;
        self.confirm(account, &digest_of(session), password).await
    }

    /// Whether the session's owner gave the password within `RECENT`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn is_recent(&self, session: &str) -> Result<bool, StoreError> {
        let found = self.sessions.find(&digest_of(session)).await?;
        Ok(found.is_some_and(|session| !is_past(session.begun, RECENT, self.clock.now())))
    }

    /// Begins a session in place of the owner's, given the password again.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn log_in_again(
        &self,
        account: &Account,
        session: &str,
        password: &str,
    ) -> Result<LoggedIn, SignInError> {
        let hash = self.check_password(account, session, password).await?;
        self.begin(account.id, &hash, Some(session)).await
    }

    /// Gives an active account the address of a code, if this is the password. The code counts the attempts. `None` = there
    /// is no such active account, or the code was used meanwhile.
    pub(crate) async fn take_address(
        &self,
        id: AccountId,
        code: (&SecretDigest, Timestamp),
        password: &str,
        email: &Email,
    ) -> Result<Option<LoggedIn>, SignInError> {
        let Some(hash) = self.check_code_owner(id, AccountStatus::Active, code.0, password).await? else {
            return Ok(None);
        };
        self.replace_email(id, &hash, email, Some(code)).await
    }

    /// As [`kuraka_ports::Accounts::replace_email`], with a new session.
    async fn replace_email(
        &self,
        id: AccountId,
        hash: &str,
        email: &Email,
        code: Option<(&SecretDigest, Timestamp)>,
    ) -> Result<Option<LoggedIn>, SignInError> {
        let replaced = self.accounts.replace_email(id, hash, email, code).await;
        if !replaced.map_err(SignInError::from_new_address)? {
            return Ok(None);
        }
        self.begin(id, hash, None).await.map(Some).map_err(SignInError::after_new_password)
    }

    /// The hash of the account's password, if this is the password. `code` counts the attempts. `None` = there is no such
    /// account of this status.
    pub(crate) async fn check_code_owner(
        &self,
        id: AccountId,
        status: AccountStatus,
        code: &SecretDigest,
        password: &str,
    ) -> Result<Option<String>, SignInError> {
        let account = self.accounts.by_id(id).await?;
        let Some(account) = account.filter(|account| account.status == status) else { return Ok(None) };
        let _permit = self.hashing.for_owner(id)?;
        self.confirm(&account, code, password).await.map(Some)
    }
}
