//! A list of members that were used since the last sweep, so that a sweep visits only active members.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A member of an [`ActiveList`], with a flag that says whether it is listed.
pub(crate) trait Listed {
    /// Set while the list holds it.
    fn is_listed(&self) -> &AtomicBool;
}

/// Members that were used since the list was taken last.
pub(crate) struct ActiveList<T>(Mutex<Vec<Arc<T>>>);

impl<T> Default for ActiveList<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Listed> ActiveList<T> {
    /// Puts a member on the list, after its use was noted in the member itself by a `SeqCst` read-modify-write.
    ///
    /// [`ActiveList::take`] clears the flag before the taker reads the member, also `SeqCst`: either the taker sees the
    /// use, or this function sees the cleared flag.
    pub(crate) fn add(&self, member: &Arc<T>) {
        let is_listed = member.is_listed();
        if !is_listed.load(Ordering::SeqCst) && !is_listed.swap(true, Ordering::SeqCst) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(member));
        }
    }

    /// Takes all members off the list. A later use lists them again.
    pub(crate) fn take(&self) -> Vec<Arc<T>> {
        let taken = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        for member in &taken {
            member.is_listed().store(false, Ordering::SeqCst);
        }
        taken
    }
}
