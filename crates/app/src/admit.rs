//! Admitting a call: the plan's rate, then one query of its month. The proof is a [`Grant`].

use std::sync::Arc;

use kuraka_ports::{Clock, StoreError};

use crate::Caller;
use crate::calendar;
use crate::quota::NotSpent;
use crate::rate::RateState;

/// Proof that a call is authenticated and charged; no use case runs without one. Only [`Admit`] makes it.
pub struct Grant {
    /// Who calls.
    pub caller: Arc<Caller>,
    /// Where the caller stands now.
    pub standing: Standing,
}

/// Where a caller stands in its plan after a call, as the answer's headers tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The rate.
    pub rate: RateState,
    /// Queries left in the period; `None` where it was not asked (a call refused for its rate).
    pub left: Option<u64>,
    /// Whole seconds of the period.
    pub period_seconds: u64,
    /// Whole seconds to the next period.
    pub seconds_left: u64,
}

/// Why a recognised caller was not admitted. Nothing was charged.
#[derive(Debug)]
pub enum Refusal {
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
    Store(StoreError),
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
    /// [`Refusal`].
    pub async fn run(&self, caller: Arc<Caller>) -> Result<Grant, Refusal> {
        let now = self.clock.now();
        let period = calendar::period(now);
        let standing = |rate, left| Standing {
            rate,
            left,
            period_seconds: calendar::seconds_in(period),
            seconds_left: calendar::seconds_left(now),
        };
        let rate = caller.rate.take().map_err(|early| Refusal::TooFast {
            retry_after: early.retry_after,
            standing: standing(caller.rate.empty(), None),
        })?;
        match caller.meter.spend(&caller.plan, period, self.clock.monotonic()).await {
            Ok(left) => Ok(Grant { standing: standing(rate, Some(left)), caller }),
            Err(NotSpent::Exhausted) => Err(Refusal::Exhausted { standing: standing(rate, Some(0)) }),
            Err(NotSpent::Store(error)) => Err(Refusal::Store(error)),
        }
    }
}
