//! Admits a call: authenticates the caller, applies the plan's rate, then charges the call's queries.

use std::net::IpAddr;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::ResultCode;
use kuraka_ports::{Account, Clock, Period, StoreError, TokenKind};
use parking_lot::Mutex;
use thiserror::Error;

use super::charged_call::CallState;
use super::token::PresentedToken;
use super::{
    AuthenticateError, CalledOperation, Caller, ChargedCall, ConcurrencyLimit, CredentialCache, LimitStatus, Permit,
};
use crate::calendar;
use crate::metering::quota::ChargeError;
use crate::metering::rate::RateState;

/// Nothing was charged.
#[derive(Debug, Error)]
pub enum AdmitError {
    #[error("the plan's rate is exceeded: the next call is admitted in {retry_after} s")]
    TooFast {
        /// Whole seconds until a call is admitted.
        retry_after: u64,
        limits: LimitStatus,
    },
    #[error("the plan has {left} queries left in this period, fewer than the call costs")]
    Exhausted {
        /// Queries that the call costs.
        queries: u64,
        /// Queries left in the period.
        left: u64,
        limits: LimitStatus,
    },
    #[error("the ledger could not be asked for queries")]
    Store {
        #[source]
        error: StoreError,
        limits: LimitStatus,
    },
}

pub struct Admission {
    credentials: Arc<CredentialCache>,
    clock: Arc<dyn Clock>,
}

impl Admission {
    /// `clock` decides which tokens have expired and which month is charged.
    pub const fn new(credentials: Arc<CredentialCache>, clock: Arc<dyn Clock>) -> Self {
        Self { credentials, clock }
    }

    /// The caller of this token, and a permit of `limit`. `from` returns the client's address; it is called only if the
    /// token is restricted to networks.
    ///
    /// The permit is taken after the token's checksum is verified and before the store is read, so an invented token
    /// takes no permit, and a call without a permit costs no lookup.
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
            None => self.credentials.find(digest, token.kind).await?,
        };
        if caller.has_expired(|| self.clock.now()) {
            return Err(AuthenticateError::Unknown);
        }
        if !caller.may_call(from) {
            return Err(AuthenticateError::AddressNotAllowed(caller.account));
        }
        Ok((caller, permit))
    }

    /// The caller of a session's owner, and a permit of `limit`. `account` is the session's account as stored now.
    ///
    /// # Errors
    /// [`AuthenticateError`]: `Overloaded`, `Inactive` or `NoSuchPlan`.
    pub async fn owner<'a>(
        &self,
        account: &Account,
        limit: &'a ConcurrencyLimit,
    ) -> Result<(Arc<Caller>, Permit<'a>), AuthenticateError> {
        let permit = limit.acquire().await.ok_or(AuthenticateError::Overloaded)?;
        Ok((self.credentials.owner(account)?, permit))
    }

    /// Admits one call and charges its cost in queries, whatever its result. A batch is one call for the rate; a free
    /// call counts for the rate only. `cost` is called once the rate allows the call. A refused call is counted. If the
    /// future is dropped, the caller may have been charged.
    ///
    /// # Errors
    /// [`AdmitError`]; nothing was charged.
    pub async fn admit(
        &self,
        caller: Arc<Caller>,
        operation: CalledOperation,
        cost: impl FnOnce() -> u64,
    ) -> Result<ChargedCall, AdmitError> {
        let rate = caller.meter.rate.take(self.clock.monotonic()).map_err(|retry_after| {
            caller.count(operation, ResultCode::RateLimited);
            AdmitError::TooFast { retry_after, limits: self.limit_status(&caller) }
        })?;
        let now = self.clock.now();
        let period = calendar::period(now);
        let state = CallState { queries: 0, limits: limit_status(now, period, rate, None), result: None, cause: None };
        let call = ChargedCall { operation, period, state: Mutex::new(state), caller };
        match cost() {
            0 => call.state.lock().limits.left = call.caller.left(period),
            queries => self.charge(&call, queries).await?,
        }
        self.credentials.note_use(&call.caller, now);
        Ok(call)
    }

    /// Charges an admitted call more queries, whose number was not known before; a test call nothing. If that fails, the
    /// call has ended.
    ///
    /// # Errors
    /// [`AdmitError`]; nothing was charged.
    pub async fn charge(&self, call: &ChargedCall, queries: u64) -> Result<(), AdmitError> {
        if call.caller.kind == TokenKind::Test {
            call.state.lock().limits.left = call.caller.left(call.period);
            return Ok(());
        }
        let (quota, plan) = (&call.caller.meter.quota, &call.caller.plan);
        let spent = quota.spend(queries, plan, call.period, self.clock.monotonic()).await;
        let mut state = call.state.lock();
        match spent {
            Ok(left) => {
                state.queries += queries;
                state.limits.left = Some(left);
                Ok(())
            }
            Err(ChargeError::Exhausted { left }) => {
                state.result = Some(ResultCode::QuotaExceeded);
                Err(AdmitError::Exhausted { queries, left, limits: LimitStatus { left: Some(left), ..state.limits } })
            }
            Err(ChargeError::Store(error)) => {
                state.result = Some(ResultCode::ServiceUnavailable);
                let left = call.caller.left(call.period);
                Err(AdmitError::Store { error, limits: LimitStatus { left, ..state.limits } })
            }
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// A caller's rate and quota. Charges nothing and does not read the store.
    pub fn limit_status(&self, caller: &Caller) -> LimitStatus {
        let now = self.clock.now();
        let period = calendar::period(now);
        let left = caller.left(period);
        limit_status(now, period, caller.meter.rate.peek(self.clock.monotonic()), left)
    }
}

fn limit_status(now: Timestamp, period: Period, rate: RateState, left: Option<u64>) -> LimitStatus {
    LimitStatus { rate, left, period_seconds: calendar::seconds_in(period), seconds_left: calendar::seconds_left(now) }
}
