//! Admits a call: authenticates the caller, applies the plan's rate, then charges the queries that the call costs. A
//! [`Grant`] is the proof.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_ports::{Clock, Period, StoreError};
use thiserror::Error;

use super::{AuthenticateError, Caller, CredentialCache, Place, Places, token};
use crate::calendar;
use crate::metering::quota::ChargeError;
use crate::metering::rate::{RateState, TooFast};

/// Proof that a call is authenticated and charged; no use case runs without one. Only [`Admission`] makes it.
pub struct Grant {
    /// The caller, identified by its token.
    pub caller: Arc<Caller>,
    /// The charged month and queries.
    pub charge: Charge,
    /// The caller's rate and quota after the charge.
    pub standing: Standing,
}

/// The charge of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// The charged month.
    pub period: Period,
    /// The number of queries.
    pub queries: u64,
}

/// A caller's rate and quota after a call, as the answer's headers report them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Calls that may be made at once, and the time until the burst is full again.
    pub rate: RateState,
    /// Queries left in the period, according to this process; `None` before its first query to the ledger.
    pub left: Option<u64>,
    /// Length of the period in whole seconds.
    pub period_seconds: u64,
    /// Whole seconds until the next period.
    pub seconds_left: u64,
}

/// Why a call was not admitted. Nothing was charged.
#[derive(Debug, Error)]
pub enum AdmitError {
    /// Over the plan's rate.
    #[error("the plan's rate is exceeded: the next call is admitted in {retry_after} s")]
    TooFast {
        /// Whole seconds until a call is admitted.
        retry_after: u64,
        /// The caller's rate and quota.
        standing: Standing,
    },
    /// The plan has fewer queries left in this period than the call costs.
    #[error("the plan has {left} queries left in this period, fewer than the call costs")]
    Exhausted {
        /// Queries left in the period.
        left: u64,
        /// The caller's rate and quota.
        standing: Standing,
    },
    /// The ledger did not answer.
    #[error("the ledger could not be asked for queries")]
    Store {
        /// The store's error.
        #[source]
        error: StoreError,
        /// The caller's rate and quota.
        standing: Standing,
    },
}

/// Authenticates callers, and admits and charges their calls.
pub struct Admission {
    credentials: Arc<CredentialCache>,
    clock: Arc<dyn Clock>,
}

impl Admission {
    /// `clock` decides which tokens have expired and which month is charged.
    #[must_use]
    pub const fn new(credentials: Arc<CredentialCache>, clock: Arc<dyn Clock>) -> Self {
        Self { credentials, clock }
    }

    /// The caller of this token, and one of `places` for the call. `from` gives the client's address; it is called only
    /// if the token is restricted to networks or is not cached.
    ///
    /// The place is taken after the token's checksum is verified and the limit of unknown tokens is checked, and before
    /// the store is asked for the token: neither malformed nor too many unknown tokens take places, and a call without
    /// a place costs no lookup.
    ///
    /// # Errors
    /// [`AuthenticateError`].
    pub async fn authenticate<'a>(
        &self,
        token: &[u8],
        places: &'a Places,
        from: impl Fn() -> Option<IpAddr>,
    ) -> Result<(Arc<Caller>, Place<'a>), AuthenticateError> {
        let digest = token::digest_of(token).map_err(|_| AuthenticateError::Unknown)?;
        let (caller, place) = match self.credentials.cached(&digest) {
            Some(caller) => (caller, places.take().await.ok_or(AuthenticateError::Overloaded)?),
            None => {
                // May wait for a read of the known tokens, so it has no place yet.
                let lookup = self.credentials.admit(&digest, from()).await?;
                let Some(place) = places.take().await else {
                    self.credentials.give_up(lookup, digest);
                    return Err(AuthenticateError::Overloaded);
                };
                (self.credentials.find(digest, lookup).await?, place)
            }
        };
        if caller.has_expired(|| self.clock.now()) {
            return Err(AuthenticateError::Unknown);
        }
        if !caller.may_call(from) {
            return Err(AuthenticateError::Elsewhere(caller.account));
        }
        Ok((caller, place))
    }

    /// Admits one call and charges its cost in queries, whatever the call's result will be. A batch is one call for the
    /// rate. A call that costs nothing counts only for the rate.
    ///
    /// If the future is dropped, the caller may have been charged.
    ///
    /// # Errors
    /// [`AdmitError`]; nothing was charged then.
    pub async fn admit(&self, caller: Arc<Caller>, cost: u64) -> Result<Grant, AdmitError> {
        let meter = &caller.meter;
        let elapsed = self.clock.monotonic();
        let rate = meter
            .rate
            .take(elapsed)
            .map_err(|TooFast { retry_after }| AdmitError::TooFast { retry_after, standing: self.standing(&caller) })?;
        let now = self.clock.now();
        let period = calendar::period(now);
        let spent = match cost {
            0 => Ok(meter.quota.peek(&caller.plan, period)),
            _ => meter.quota.spend(cost, &caller.plan, period, elapsed).await.map(Some),
        };
        match spent {
            Ok(left) => {
                self.credentials.note_use(&caller, now);
                let charge = Charge { period, queries: cost };
                Ok(Grant { standing: standing(now, period, rate, left), charge, caller })
            }
            Err(ChargeError::Exhausted { left }) => {
                Err(AdmitError::Exhausted { left, standing: standing(now, period, rate, Some(left)) })
            }
            Err(ChargeError::Store(error)) => Err(AdmitError::Store { error, standing: self.standing(&caller) }),
        }
    }

    /// Refunds a call that failed because of a server error, to the month that was charged.
    pub fn refund(&self, caller: &Caller, charge: Charge) {
        caller.meter.quota.refund(charge.period, charge.queries);
    }

    /// A caller's rate and quota now. Charges nothing and does not query the store.
    #[must_use]
    pub fn standing(&self, caller: &Caller) -> Standing {
        let now = self.clock.now();
        let period = calendar::period(now);
        let left = caller.meter.quota.peek(&caller.plan, period);
        standing(now, period, caller.meter.rate.peek(self.clock.monotonic()), left)
    }
}

fn standing(now: Timestamp, period: Period, rate: RateState, left: Option<u64>) -> Standing {
    Standing { rate, left, period_seconds: calendar::seconds_in(period), seconds_left: calendar::seconds_left(now) }
}
