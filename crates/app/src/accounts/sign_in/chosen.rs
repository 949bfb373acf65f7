//! Hashes a password that its owner chose by a mailed link.

use kuraka_ports::{AccountId, AccountStatus};

use super::{SignIn, SignInError};
use crate::accounts::password_rules;

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
}
