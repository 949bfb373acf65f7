//! The use of mailed links: a new password, and the confirmation of an address.

use std::net::IpAddr;

use kuraka_ports::{AccountId, AccountStatus, Email, SessionDigest};

use super::{SignIn, SignInError};
use crate::accounts::password_rules;
use crate::client_network::ClientNetwork;

impl SignIn {
    /// The hash of the account's new password; `None` = there is no such active account.
    pub(crate) async fn hash_for(&self, id: AccountId, password: &str) -> Result<Option<String>, SignInError> {
        let account = self.accounts.by_id(id).await.map_err(SignInError::Store)?;
        let Some(account) = account.filter(|account| account.status == AccountStatus::Active) else { return Ok(None) };
        password_rules::check(password, account.email.as_str()).map_err(SignInError::Weak)?;
        let _permit = self.hashing.for_owner(account.id)?;
        let hash = self.hasher.hash(password).await?;
        Ok(Some(hash))
    }

    /// Checks and counts a sign-up that waits for its confirmation. Returns address and password hash.
    pub(crate) async fn hash_for_sign_up(
        &self,
        email: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<(Email, String), SignInError> {
        let network = from.map(ClientNetwork::from);
        self.attempts.sign_ups.check(&network).map_err(SignInError::Throttled)?;
        let email = Email::parse(email).map_err(|_| SignInError::Email)?;
        password_rules::check(password, email.as_str()).map_err(SignInError::Weak)?;
        let _permit = self.hashing.for_unknown_client()?;
        self.attempts.sign_ups.count(&network);
        let hash = self.hasher.hash(password).await;
        let hash = hash.inspect_err(|_| self.attempts.sign_ups.uncount(&network))?;
        Ok((email, hash))
    }

    /// The hash of an unconfirmed account's password, if this is the password. `code` counts the attempts.
    pub(crate) async fn check_unconfirmed(
        &self,
        id: AccountId,
        code: &SessionDigest,
        password: &str,
    ) -> Result<Option<String>, SignInError> {
        let account = self.accounts.by_id(id).await.map_err(SignInError::Store)?;
        let waiting = account.filter(|account| account.status == AccountStatus::Unconfirmed);
        let Some(account) = waiting else { return Ok(None) };
        let _permit = self.hashing.for_owner(id)?;
        self.confirm(&account, code, password).await.map(Some)
    }
}
