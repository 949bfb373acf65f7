//! Admitting a call: the plan's rate, then one query of its month. The proof is a [`Grant`].

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_ports::{Clock, Period, StoreError};

use crate::Caller;
use crate::calendar;
use crate::quota::ChargeError;
use crate::rate::{RateState, TooFast};

/// Proof that a call is authenticated and charged; no use case runs without one. Only [`Admit`] makes it.
pub struct Grant {
    /// Who calls.
    pub caller: Arc<Caller>,
    /// The month that was charged.
    pub period: Period,
    /// Where the caller stands now.
    pub standing: Standing,
}

/// Where a caller stands in its plan after a call, as the answer's headers tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The rate.
    pub rate: RateState,
    /// Queries left in the period, as far as this process knows; `None` before it has asked the ledger.
    pub left: Option<u64>,
    /// Whole seconds of the period.
    pub period_seconds: u64,
    /// Whole seconds to the next period.
    pub seconds_left: u64,
}

/// Why a recognised caller was not admitted. Nothing was charged.
#[derive(Debug)]
pub enum AdmitError {
    /// Over the plan's rate.
    TooFast {
        /// Whole seconds after which a call is admitted.
        retry_after: u64,
        /// Where the caller stands.
        standing: Standing,
    },
    /// The plan's queries of this period are used.
    Exhausted {
        /// Where the caller stands.
        standing: Standing,
    },
    /// The ledger could not be asked.
    Store {
        /// Why.
        error: StoreError,
        /// Where the caller stands.
        standing: Standing,
    },
}

/// Admits and charges calls.
pub struct Admit {
    clock: Arc<dyn Clock>,
}

impl Admit {
    /// Admits by this clock.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock }
    }

    /// Admits one call and charges one query for it, whatever its outcome will be.
    ///
    /// A caller who goes away meanwhile may have been charged.
    ///
    /// # Errors
    /// [`AdmitError`].
    pub async fn run(&self, caller: Arc<Caller>) -> Result<Grant, AdmitError> {
        let rate = caller
            .rate
            .take()
            .map_err(|TooFast { retry_after }| AdmitError::TooFast { retry_after, standing: self.standing(&caller) })?;
        let now = self.clock.now();
        let period = calendar::period(now);
        match caller.meter.spend(&caller.plan, period, self.clock.monotonic()).await {
            Ok(left) => {
                caller.note_use(now);
                Ok(Grant { standing: standing(now, rate, Some(left)), period, caller })
            }
            Err(ChargeError::Exhausted) => Err(AdmitError::Exhausted { standing: standing(now, rate, Some(0)) }),
            Err(ChargeError::Store(error)) => Err(AdmitError::Store { error, standing: self.standing(&caller) }),
        }
    }

    /// Takes the charge of a call back that failed by our own fault, to the month that was charged.
    pub fn refund(&self, caller: &Caller, period: Period) {
        caller.meter.take_back(period);
    }

    /// Where a caller stands whose call is refused before it is admitted; nothing is taken or asked.
    #[must_use]
    pub fn standing(&self, caller: &Caller) -> Standing {
        let now = self.clock.now();
        standing(now, caller.rate.peek(), caller.meter.peek(&caller.plan, calendar::period(now)))
    }
}

fn standing(now: Timestamp, rate: RateState, left: Option<u64>) -> Standing {
    Standing {
        rate,
        left,
        period_seconds: calendar::seconds_in(calendar::period(now)),
        seconds_left: calendar::seconds_left(now),
    }
}
