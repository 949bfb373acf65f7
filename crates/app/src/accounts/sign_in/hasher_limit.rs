//! Bounds the work of the password hasher. A flood of log-ins and sign-ups cannot take all of it, nor can one account.

use std::collections::HashSet;

use kuraka_ports::{AccountId, PasswordError};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

/// The part of the permits that unknown clients may take together: a flood of them leaves a quarter to owners on known
/// devices and to signed-in owners.
const UNKNOWN_CLIENTS: (usize, usize) = (3, 4);

/// The permits for one hasher.
pub(super) struct HasherLimit {
    unknown_clients: Semaphore,
    /// Accounts whose owner has one of the other permits.
    owners: Mutex<HashSet<AccountId>>,
}

/// A permit, released when dropped.
pub(super) enum HasherPermit<'a> {
    UnknownClient { _permit: SemaphorePermit<'a> },
    Owner(&'a HasherLimit, AccountId),
}

impl HasherLimit {
    /// `capacity` is the number of all permits.
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            unknown_clients: Semaphore::new((capacity * UNKNOWN_CLIENTS.0 / UNKNOWN_CLIENTS.1).max(1)),
            owners: Mutex::default(),
        }
    }

    /// A permit for an unknown client.
    pub(super) fn for_unknown_client(&self) -> Result<HasherPermit<'_>, PasswordError> {
        let permit = self.unknown_clients.try_acquire().map_err(|_| PasswordError::Busy)?;
        Ok(HasherPermit::UnknownClient { _permit: permit })
    }

    /// A permit for an owner on a known device or with a session: one at a time. Further ones are permits of unknown
    /// clients.
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
