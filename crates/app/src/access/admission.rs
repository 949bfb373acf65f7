//! Admits a call: authenticates the caller, applies the plan's rate, then charges the queries that the call costs.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::ResultCode;
use kuraka_ports::{Account, Clock, Period, StoreError};
use thiserror::Error;

use super::token::PresentedToken;
use super::{AuthenticateError, CalledOperation, Caller, ChargedCall, ConcurrencyLimit, CredentialCache, Permit};
use crate::calendar;
use crate::metering::quota::ChargeError;
use crate::metering::rate::{RateState, TooFast};

/// A caller's rate and quota after a call, as the answer's headers report them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitStatus {
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
        limits: LimitStatus,
    },
    /// The plan has fewer queries left in this period than the call costs.
    #[error("the plan has {left} queries left in this period, fewer than the call costs")]
    Exhausted {
        /// Queries that the call costs.
        queries: u64,
        /// Queries left in the period.
        left: u64,
        /// The caller's rate and quota.
        limits: LimitStatus,
    },
    /// The ledger did not answer.
    #[error("the ledger could not be asked for queries")]
    Store {
        /// The store's error.
        #[source]
        error: StoreError,
        /// The caller's rate and quota.
        limits: LimitStatus,
    },
}

impl AdmitError {
    const fn code(&self) -> ResultCode {
        match self {
            Self::TooFast { .. } => ResultCode::RateLimited,
            Self::Exhausted { .. } => ResultCode::QuotaExceeded,
            Self::Store { .. } => ResultCode::ServiceUnavailable,
        }
    }
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

    /// The caller of this token, and a permit of `limit` for the call. `from` gives the client's address; it is called only
    /// if the token is restricted to networks.
    ///
    /// The permit is taken after the token's checksum is verified, and before the store is asked for the token: an
    /// invented token takes no permit, and a call without a permit costs no lookup.
    ///
    /// # Errors
    /// [`AuthenticateError`].
    pub async fn authenticate<'a>(
        &self,
        token: &[u8],
        limit: &'a ConcurrencyLimit,
        from: impl Fn() -> Option<IpAddr>,
    ) -> Result<(Arc<Caller>, Permit<'a>), AuthenticateError> {
        let token = PresentedToken::read(token).ok_or(AuthenticateError::NotGenuine)?;
        let digest = token.digest();
        let cached = self.credentials.cached(&token, &digest)?;
        let permit = limit.acquire().await.ok_or(AuthenticateError::Overloaded)?;
        let caller = match cached {
            Some(caller) => caller,
            None => self.credentials.find(digest).await?,
        };
        if caller.has_expired(|| self.clock.now()) {
            return Err(AuthenticateError::Unknown);
        }
        if !caller.may_call(from) {
            return Err(AuthenticateError::AddressNotAllowed(caller.account));
        }
        Ok((caller, permit))
    }

    /// The caller that the owner of a session is, and a permit of `limit` for the call. `account` is the account of the
    /// session, as the store has it now.
    ///
    /// # Errors
    /// [`AuthenticateError`]: `Overloaded`, `Suspended` or `NoSuchPlan`.
    pub async fn owner<'a>(
        &self,
        account: &Account,
        limit: &'a ConcurrencyLimit,
    ) -> Result<(Arc<Caller>, Permit<'a>), AuthenticateError> {
        let permit = limit.acquire().await.ok_or(AuthenticateError::Overloaded)?;
        Ok((self.credentials.owner(account)?, permit))
    }

    /// Admits one call and charges its cost in queries, whatever the call's result will be. A batch is one call for the
    /// rate. A call that costs nothing counts only for the rate. `cost` is called once the rate allows the call. A refused
    /// call is counted.
    ///
    /// If the future is dropped, the caller may have been charged.
    ///
    /// # Errors
    /// [`AdmitError`]; nothing was charged then.
    pub async fn admit(
        &self,
        caller: Arc<Caller>,
        operation: CalledOperation,
        cost: impl FnOnce() -> u64,
    ) -> Result<ChargedCall, AdmitError> {
        let charged = self.charge(&caller, cost).await;
        let (charge, limits) = charged.inspect_err(|refusal| caller.count(operation, refusal.code()))?;
        Ok(ChargedCall::new(caller, operation, charge, limits))
    }

    async fn charge(
        &self,
        caller: &Arc<Caller>,
        cost: impl FnOnce() -> u64,
    ) -> Result<((Period, u64), LimitStatus), AdmitError> {
        let meter = &caller.meter;
        let elapsed = self.clock.monotonic();
        let rate = meter.rate.take(elapsed).map_err(|TooFast { retry_after }| AdmitError::TooFast {
            retry_after,
            limits: self.limit_status(caller),
        })?;
        let (now, cost) = (self.clock.now(), cost());
        let period = calendar::period(now);
        let spent = match cost {
            0 => Ok(meter.quota.peek(&caller.plan, period)),
            _ => meter.quota.spend(cost, &caller.plan, period, elapsed).await.map(Some),
        };
        match spent {
            Ok(left) => {
                self.credentials.note_use(caller, now);
                Ok(((period, cost), limit_status(now, period, rate, left)))
            }
            Err(ChargeError::Exhausted { left }) => {
                let limits = limit_status(now, period, rate, Some(left));
                Err(AdmitError::Exhausted { queries: cost, left, limits })
            }
            Err(ChargeError::Store(error)) => Err(AdmitError::Store { error, limits: self.limit_status(caller) }),
        }
    }

    /// Charges an admitted call more queries: their number was not known before.
    ///
    /// # Errors
    /// [`AdmitError`]; nothing was charged then.
    pub async fn charge_more(&self, call: &ChargedCall, queries: u64) -> Result<(), AdmitError> {
        let (quota, plan, limits) = (&call.caller.meter.quota, &call.caller.plan, call.limits());
        match quota.spend(queries, plan, call.period(), self.clock.monotonic()).await {
            Ok(left) => {
                call.add(queries, left);
                Ok(())
            }
            Err(ChargeError::Exhausted { left }) => {
                Err(AdmitError::Exhausted { queries, left, limits: LimitStatus { left: Some(left), ..limits } })
            }
            Err(ChargeError::Store(error)) => Err(AdmitError::Store { error, limits }),
        }
    }

    /// A caller's rate and quota now. Charges nothing and does not query the store.
    #[must_use]
    pub fn limit_status(&self, caller: &Caller) -> LimitStatus {
        let now = self.clock.now();
        let period = calendar::period(now);
        let left = caller.meter.quota.peek(&caller.plan, period);
        limit_status(now, period, caller.meter.rate.peek(self.clock.monotonic()), left)
    }
}

fn limit_status(now: Timestamp, period: Period, rate: RateState, left: Option<u64>) -> LimitStatus {
    LimitStatus { rate, left, period_seconds: calendar::seconds_in(period), seconds_left: calendar::seconds_left(now) }
}
