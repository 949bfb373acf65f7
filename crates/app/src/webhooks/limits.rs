//! Bounds the concurrent attempts of a server and of each account.

use std::collections::HashMap;
use std::sync::Arc;

use kuraka_ports::{AccountId, MAX_ATTEMPTS_PER_ACCOUNT};
use parking_lot::Mutex;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, TryAcquireError};

const MAX_ATTEMPTS: usize = 16;

/// A delivery takes a permit before its webhook is leased, so that no lease ends while it waits.
pub struct AttemptLimits {
    permits: Arc<Semaphore>,
    accounts: Mutex<HashMap<AccountId, u32>>,
}

/// An account's attempt, until dropped.
pub(super) struct AccountAttempt<'a> {
    limits: &'a AttemptLimits,
    account: AccountId,
}

impl AttemptLimits {
    /// A permit, in the order of the requests.
    ///
    /// # Errors
    /// Never: the semaphore is not closed.
    pub async fn permit(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        Arc::clone(&self.permits).acquire_owned().await
    }

    /// A permit, if one is free and nothing waits for it.
    ///
    /// # Errors
    /// [`TryAcquireError::NoPermits`].
    pub fn try_permit(&self) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        Arc::clone(&self.permits).try_acquire_owned()
    }

    /// Begins an attempt of this account; `None` = too many are running.
    pub(super) fn begin(&self, account: AccountId) -> Option<AccountAttempt<'_>> {
        let mut accounts = self.accounts.lock();
        let running = accounts.entry(account).or_default();
        if *running >= MAX_ATTEMPTS_PER_ACCOUNT {
            return None;
        }
        *running += 1;
        Some(AccountAttempt { limits: self, account })
    }
}

impl Default for AttemptLimits {
    fn default() -> Self {
        Self { permits: Arc::new(Semaphore::new(MAX_ATTEMPTS)), accounts: Mutex::default() }
    }
}

impl Drop for AccountAttempt<'_> {
    fn drop(&mut self) {
        let mut accounts = self.limits.accounts.lock();
        if let Some(running) = accounts.get_mut(&self.account) {
            *running -= 1;
            if *running == 0 {
                accounts.remove(&self.account);
            }
        }
    }
}
