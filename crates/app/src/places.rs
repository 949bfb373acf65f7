//! Bounds what an account and all accounts do at once by places: the memory of uploads and large answers, and attempts to
//! deliver to webhooks. A place is held until its answer has been read.
//!
//! An account takes a place of its own before its form is read, so that forms that never arrive are in no other account's
//! way, and one of the places of all accounts when the form has arrived.

use std::collections::HashMap;
use std::sync::Arc;

use kuraka_ports::AccountId;
use parking_lot::Mutex;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, TryAcquireError};

/// The places of all accounts, and how many each account has taken.
pub struct Places {
    all: Arc<Semaphore>,
    of_account: usize,
    taken: Mutex<HashMap<AccountId, usize>>,
}

impl Places {
    /// As many places for each account, and for all accounts together.
    pub fn new(of_account: usize, all: usize) -> Arc<Self> {
        Arc::new(Self { all: Arc::new(Semaphore::new(all)), of_account, taken: Mutex::default() })
    }

    /// A place of this account; `None` if it has taken all.
    pub fn take(self: &Arc<Self>, account: AccountId) -> Option<Place> {
        let mut taken = self.taken.lock();
        let count = taken.entry(account).or_default();
        if *count == self.of_account {
            return None;
        }
        *count += 1;
        Some(Place { places: Arc::clone(self), account, of_all: None })
    }

    /// One of the places of all accounts, in the order of the requests.
    ///
    /// # Errors
    /// Never: the semaphore is not closed.
    pub async fn permit(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        Arc::clone(&self.all).acquire_owned().await
    }

    /// One of the places of all accounts, if one is free and nothing waits for it.
    ///
    /// # Errors
    /// [`TryAcquireError::NoPermits`].
    pub fn try_permit(&self) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        Arc::clone(&self.all).try_acquire_owned()
    }
}

/// A place of an account, released when dropped.
pub struct Place {
    places: Arc<Places>,
    account: AccountId,
    of_all: Option<OwnedSemaphorePermit>,
}

impl Place {
    /// The same place, also among those of all accounts.
    ///
    /// # Errors
    /// [`TryAcquireError::NoPermits`].
    pub fn of_all(mut self) -> Result<Self, TryAcquireError> {
        self.of_all = Some(self.places.try_permit()?);
        Ok(self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock();
        match taken.get_mut(&self.account) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) | None => drop(taken.remove(&self.account)),
        }
    }
}
