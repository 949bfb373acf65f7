//! What changed in a store, as far as a cache of credentials must know.

use crate::{AccountId, TokenId};

/// What changed in a store since a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The store's revision now: the next question begins here.
    pub latest: u64,
    /// What makes a cached credential wrong.
    pub what: Changed,
}

/// The accounts and tokens whose cached credentials are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Exactly these, the oldest change first; none if both are empty.
    Named {
        /// Accounts with a new plan or status, and deleted ones.
        accounts: Vec<AccountId>,
        /// Revoked tokens.
        tokens: Vec<TokenId>,
    },
    /// The store does not know which: it keeps the latest few thousand changes, and an older version names none.
    Everything,
}

impl Changed {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Named { accounts, tokens } if accounts.is_empty() && tokens.is_empty())
    }
}
