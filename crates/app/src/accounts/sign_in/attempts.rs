//! Counts log-ins and sign-ups, and slows guessing without locking an owner out. An attempt from a known device counts
//! for that device only, until it must wait. Any other counts three times: for the account from the network, for the
//! account from anywhere, and for the network.

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, Email, SecretDigest};

use crate::accounts::device::Device;
use crate::accounts::throttle::{Allowance, Throttle, ThrottledError, WaitBasis};
use crate::client_network::ClientNetwork;

/// For one account from one network, known device or signed-in owner: typing errors cost no wait, many guesses up to 15
/// minutes.
const ONE_CLIENT: Allowance = Allowance {
    free: 5,
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(15 * 60),
    memory: Duration::from_secs(3_600),
    since: WaitBasis::Latest,
};
/// For one account from anywhere: slows distributed guessing. A new device waits at most 30 seconds.
const FROM_ANYWHERE: Allowance = Allowance {
    free: 20,
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(30),
    memory: Duration::from_secs(3_600),
    since: WaitBasis::Latest,
};
/// From one network for all accounts: slows one password tried on many.
const FROM_NETWORK: Allowance = Allowance {
    free: 20,
    first_wait: Duration::from_secs(3),
    longest_wait: Duration::from_secs(60),
    memory: Duration::from_secs(600),
    since: WaitBasis::Latest,
};
/// Sign-ups from one network.
const SIGN_UPS: Allowance = Allowance {
    free: 5,
    first_wait: Duration::from_secs(60),
    longest_wait: Duration::from_secs(3_600),
    memory: Duration::from_secs(3_600),
    since: WaitBasis::Latest,
};

/// `None` = unknown address.
type Network = Option<ClientNetwork>;

#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// A device that has logged in to the account before.
    Device(Device),
    /// Any other client.
    Network(Network),
}

pub(super) struct Attempts {
    here: Throttle<(Email, Network)>,
    anywhere: Throttle<Email>,
    pub(super) network: Throttle<Network>,
    device: Throttle<Device>,
    /// A signed-in owner's password confirmations, by session, so that a stolen session does not keep the owner from
    /// changing the password.
    pub(super) signed_in: Throttle<SecretDigest>,
    pub(super) sign_ups: Throttle<Network>,
}

impl Attempts {
    pub(super) fn new(clock: &Arc<dyn Clock>) -> Self {
        Self {
            here: Throttle::new(ONE_CLIENT, Arc::clone(clock)),
            anywhere: Throttle::new(FROM_ANYWHERE, Arc::clone(clock)),
            network: Throttle::new(FROM_NETWORK, Arc::clone(clock)),
            device: Throttle::new(ONE_CLIENT, Arc::clone(clock)),
            signed_in: Throttle::new(ONE_CLIENT, Arc::clone(clock)),
            sign_ups: Throttle::new(SIGN_UPS, Arc::clone(clock)),
        }
    }

    /// A device that must wait counts as any client, so that a stolen proof does not lock its owner out.
    pub(super) fn origin(&self, device: Option<Device>, network: Network) -> Origin {
        match device {
            Some(device) if self.device.check(&device).is_ok() => Origin::Device(device),
            Some(_) | None => Origin::Network(network),
        }
    }

    pub(super) fn check_log_in(&self, email: &Email, origin: Origin) -> Result<(), ThrottledError> {
        match origin {
            Origin::Device(device) => self.device.check(&device),
            Origin::Network(network) => {
                self.network.check(&network)?;
                self.here.check(&(email.clone(), network))?;
                self.anywhere.check(email)
            }
        }
    }

    /// Before the slow password check, so that concurrent attempts all count.
    pub(super) fn count_log_in(&self, email: &Email, origin: Origin) {
        match origin {
            Origin::Device(device) => self.device.count(&device),
            Origin::Network(network) => {
                self.here.count(&(email.clone(), network));
                self.anywhere.count(email);
                self.network.count(&network);
            }
        }
    }

    /// The password was not checked.
    pub(super) fn uncount_log_in(&self, email: &Email, origin: Origin) {
        match origin {
            Origin::Device(device) => self.device.uncount(&device),
            Origin::Network(network) => {
                self.here.uncount(&(email.clone(), network));
                self.anywhere.uncount(email);
                self.network.uncount(&network);
            }
        }
    }

    /// The attempt was right.
    pub(super) fn logged_in(&self, email: &Email, origin: Origin) {
        match origin {
            Origin::Device(device) => self.device.forgive(&device),
            Origin::Network(network) => {
                self.here.forgive(&(email.clone(), network));
                self.anywhere.uncount(email);
                self.network.uncount(&network);
            }
        }
    }
}
