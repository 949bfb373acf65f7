//! The rate of the panel's forms and suggestions: above what a person submits or types, far below what a program does.

use std::net::IpAddr;
use std::sync::Arc;

use kuraka_ports::{AccountId, Clock};

use super::throttle::{Allowance, Throttle, Throttled};
use crate::client_network::ClientNetwork;

const FORMS: Allowance = Allowance::per_minute(60);
const SUGGESTIONS: Allowance = Allowance::per_minute(60);

/// Counts forms: those with a session by account, so that other clients of the same network do not matter, all others
/// by network.
pub struct FormRate {
    accounts: Throttle<AccountId>,
    networks: Throttle<Option<ClientNetwork>>,
    suggestions: Throttle<AccountId>,
}

impl FormRate {
    /// Starts with no counted forms.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            accounts: Throttle::new(FORMS, Arc::clone(&clock)),
            networks: Throttle::new(FORMS, Arc::clone(&clock)),
            suggestions: Throttle::new(SUGGESTIONS, clock),
        }
    }

    /// Counts a request for suggestions, which costs no query.
    ///
    /// # Errors
    /// [`Throttled`] above the rate; there are no suggestions then.
    pub fn take_suggestion(&self, account: AccountId) -> Result<(), Throttled> {
        self.suggestions.take(&account)
    }

    /// Counts a form of a signed-in owner.
    ///
    /// # Errors
    /// [`Throttled`] above the rate; the form is to be refused.
    pub fn take_of_account(&self, account: AccountId) -> Result<(), Throttled> {
        self.accounts.take(&account)
    }

    /// Counts a form without a session.
    ///
    /// # Errors
    /// [`Throttled`] above the rate; the form is to be refused.
    pub fn take_of_client(&self, from: Option<IpAddr>) -> Result<(), Throttled> {
        self.networks.take(&from.map(ClientNetwork::from))
    }
}
