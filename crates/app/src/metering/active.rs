//! The members used since the last sweep, which visits only these.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

pub(crate) trait Listed {
    /// Set while the list holds it.
    fn is_listed(&self) -> &AtomicBool;
}

pub(crate) struct ActiveList<T>(Mutex<Vec<Arc<T>>>);

impl<T> Default for ActiveList<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Listed> ActiveList<T> {
    /// Lists a member. The caller must first record the use with a `SeqCst` read-modify-write: [`ActiveList::take`]
    /// clears the flag, also with `SeqCst`, before the member is read, so either the use is seen, or the cleared flag
    /// is, and the member is listed again.
    pub(crate) fn add(&self, member: &Arc<T>) {
        let is_listed = member.is_listed();
        if !is_listed.load(Ordering::SeqCst) && !is_listed.swap(true, Ordering::SeqCst) {
            self.0.lock().push(Arc::clone(member));
        }
    }

    /// Removes and returns all members, each listed again at its next use.
    pub(crate) fn take(&self) -> Vec<Arc<T>> {
        let taken = mem::take(&mut *self.0.lock());
        for member in &taken {
            member.is_listed().store(false, Ordering::SeqCst);
        }
        taken
    }
}
