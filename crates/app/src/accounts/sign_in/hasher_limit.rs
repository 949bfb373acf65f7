//! Bounds the hasher's work: neither a flood of log-ins and sign-ups nor one account can take all of it.

use std::collections::HashSet;

use kuraka_ports::{AccountId, PasswordError};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The share of unknown clients; a quarter is left to known devices and signed-in owners.
const UNKNOWN_CLIENTS: (usize, usize) = (3, 4);

pub(super) struct HasherLimit {
    unknown_clients: Semaphore,
    /// Accounts whose owner has one of the other permits.
    owners: Mutex<HashSet<AccountId>>,
}

/// Released when dropped.
pub(super) enum HasherPermit<'a> {
    UnknownClient { _permit: SemaphorePermit<'a> },
    Owner(&'a HasherLimit, AccountId),
}

impl HasherLimit {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            unknown_clients: Semaphore::new((capacity * UNKNOWN_CLIENTS.0 / UNKNOWN_CLIENTS.1).max(1)),
            owners: Mutex::default(),
        }
    }

    pub(super) fn for_unknown_client(&self) -> Result<HasherPermit<'_>, PasswordError> {
        let permit = self.unknown_clients.try_acquire().map_err(|_| PasswordError::Busy)?;
        Ok(HasherPermit::UnknownClient { _permit: permit })
    }

    /// One permit at a time for an owner on a known device or with a session; further ones count as unknown clients'.
    pub(super) fn for_owner(&self, account: AccountId) -> Result<HasherPermit<'_>, PasswordError> {
        if self.owners.lock().insert(account) {
            Ok(HasherPermit::Owner(self, account))
        } else {
            self.for_unknown_client()
        }
    }
}

impl Drop for HasherPermit<'_> {
    fn drop(&mut self) {
        if let Self::Owner(limit, account) = self {
            limit.owners.lock().remove(account);
        }
    }
}
