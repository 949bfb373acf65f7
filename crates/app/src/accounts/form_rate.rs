//! The rate of the panel's forms and suggestions: above what a person submits or types, far below a program.

use std::sync::Arc;

use kuraka_ports::{AccountId, Clock};

use super::throttle::{Allowance, Throttle};
use crate::client_network::ClientNetwork;

const RATE: Allowance = Allowance::per_minute(60);

/// Counts forms: those with a session by account, so that other clients of the same network do not matter, all others
/// by network. A form above the rate is refused.
pub struct FormRate {
    /// The forms of signed-in owners.
    pub accounts: Throttle<AccountId>,
    /// The forms without a session.
    pub networks: Throttle<Option<ClientNetwork>>,
    /// The requests for suggestions, which cost no query. Above the rate there are none.
    pub suggestions: Throttle<AccountId>,
}

impl FormRate {
    /// Starts with no counted forms.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: Throttle::new(RATE, Arc::clone(&clock)),
            networks: Throttle::new(RATE, Arc::clone(&clock)),
            suggestions: Throttle::new(RATE, clock),
        }
    }
}
