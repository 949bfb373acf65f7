//! Places in the queue of the password hasher. A flood of log-ins and sign-ups cannot take all of them, nor can one
//! account.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use kuraka_ports::{AccountId, PasswordError};
use tokio::sync::{Semaphore, SemaphorePermit};

/// The part of the places that unknown clients may take together: a flood of them leaves a quarter to owners on known
/// devices and to signed-in owners.
const STRANGERS: (usize, usize) = (3, 4);

/// The places of one hasher.
pub(super) struct HasherPlaces {
    strangers: Semaphore,
    /// Accounts whose owner has one of the other places.
    owners: Mutex<HashSet<AccountId>>,
}

/// A place, given back when dropped.
pub(super) enum HasherPlace<'a> {
    Stranger { _permit: SemaphorePermit<'a> },
    Owner(&'a HasherPlaces, AccountId),
}

impl HasherPlaces {
    /// `places` is the number of all places.
    pub(super) fn new(places: usize) -> Self {
        Self { strangers: Semaphore::new((places * STRANGERS.0 / STRANGERS.1).max(1)), owners: Mutex::default() }
    }

    /// A place of an unknown client.
    pub(super) fn of_stranger(&self) -> Result<HasherPlace<'_>, PasswordError> {
        let permit = self.strangers.try_acquire().map_err(|_| PasswordError::Busy)?;
        Ok(HasherPlace::Stranger { _permit: permit })
    }

    /// A place of an owner on a known device or with a session: one at a time, further ones are those of unknown
    /// clients.
    pub(super) fn of_owner(&self, account: AccountId) -> Result<HasherPlace<'_>, PasswordError> {
        if self.owners().insert(account) { Ok(HasherPlace::Owner(self, account)) } else { self.of_stranger() }
    }

    fn owners(&self) -> MutexGuard<'_, HashSet<AccountId>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HasherPlace<'_> {
    fn drop(&mut self) {
        if let Self::Owner(places, account) = self {
            places.owners().remove(account);
        }
    }
}
