//! The rate of the panel's forms and suggestions: above what a person needs, far below a program.

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{AccountId, Clock};

use super::throttle::{Allowance, Throttle, ThrottledError};
use crate::client_network::ClientNetwork;

const RATE: Allowance = Allowance::per(60, Duration::from_secs(60));
/// Too few to collect the names of all companies.
const SUGGESTIONS: Allowance = Allowance::per(600, Duration::from_secs(3_600));

/// Counts forms: with a session by account, so that other clients of a network do not matter, all others by network.
pub struct FormRate {
    /// The forms of signed-in owners.
    pub accounts: Throttle<AccountId>,
    /// The forms without a session.
    pub networks: Throttle<Option<ClientNetwork>>,
    /// Requests for what a code opens.
    pub codes: Throttle<Option<ClientNetwork>>,
    suggestions: [Throttle<AccountId>; 2],
}

impl FormRate {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: Throttle::new(RATE, Arc::clone(&clock)),
            networks: Throttle::new(RATE, Arc::clone(&clock)),
            codes: Throttle::new(RATE, Arc::clone(&clock)),
            suggestions: [RATE, SUGGESTIONS].map(|rate| Throttle::new(rate, Arc::clone(&clock))),
        }
    }

    /// Counts a request for suggestions, which costs no query.
    ///
    /// # Errors
    /// [`ThrottledError`].
    pub fn take_suggestions(&self, account: AccountId) -> Result<(), ThrottledError> {
        self.suggestions.iter().try_for_each(|throttle| throttle.take(&account))
    }
}
