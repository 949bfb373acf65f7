//! Plans: queries per month, rate, batch sizes. The store has only their names.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use arc_swap::ArcSwap;
use kuraka_ports::PlanName;
use thiserror::Error;

/// Maximum rate and burst of a plan, in calls per second.
pub const MAX_RATE: u32 = 1_000_000;
/// The most queries per month of a plan.
pub const MAX_QUERIES: u64 = 1_000_000_000_000;
/// RUCs and vouchers that a plan can allow in one call.
pub const MAX_BATCH_SIZES: [usize; 2] = [1_000, 100];
/// RUCs and vouchers in one call.
pub const DEFAULT_BATCH_SIZES: [usize; 2] = [100, 100];

/// RUCs that a plan can allow to watch.
pub const MAX_WATCHED_RUCS: u64 = 1_000_000;
/// The default of watched RUCs.
pub const DEFAULT_WATCHED_RUCS: u64 = 1_000;

/// An account's limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The name in the store.
    pub name: PlanName,
    /// Queries per calendar month; may be 0.
    pub queries: u64,
    /// Sustained calls per second.
    pub rate: NonZeroU32,
    /// Calls admitted at once after a pause.
    pub burst: NonZeroU32,
    pub batch: usize,
    pub batch_vouchers: usize,
    pub watched: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanError {
    #[error("{field} is {found}, it must be from 1 to {MAX_RATE}")]
    Rate { field: &'static str, found: u64 },
    #[error("queries is {found}, it must be from 0 to {MAX_QUERIES}")]
    Queries { found: u64 },
}

/// All plans by name. Clones share them, replacements included.
#[derive(Clone, Debug, Default)]
pub struct Plans(Arc<ArcSwap<BTreeMap<PlanName, Arc<Plan>>>>);

impl Plan {
    /// Checks the numbers of a plan; the other limits are the defaults.
    ///
    /// # Errors
    /// [`PlanError`].
    pub fn new(name: PlanName, queries: u64, rate: u64, burst: u64) -> Result<Self, PlanError> {
        let per_second = |field, found: u64| {
            u32::try_from(found)
                .ok()
                .filter(|number| *number <= MAX_RATE)
                .and_then(NonZeroU32::new)
                .ok_or(PlanError::Rate { field, found })
        };
        if queries > MAX_QUERIES {
            return Err(PlanError::Queries { found: queries });
        }
        let [batch, batch_vouchers] = DEFAULT_BATCH_SIZES;
        let (rate, burst) = (per_second("rate", rate)?, per_second("burst", burst)?);
        Ok(Self { name, queries, rate, burst, batch, batch_vouchers, watched: DEFAULT_WATCHED_RUCS })
    }

    /// RUCs that may be added to the watch list in a month for free. Without a limit the list would be a free lookup.
    pub const fn free_additions(&self) -> u64 {
        self.watched * 2
    }

    /// Queries to lease at once, with `left` queries left: 1 for a plan below 10,000, otherwise 1 % of `left`, so a
    /// lost block is at most 1 % of the plan.
    pub const fn block(&self, left: u64) -> u64 {
        if self.queries < 10_000 || left < 200 { 1 } else { left / 100 }
    }
}

impl Plans {
    pub fn find(&self, name: &PlanName) -> Option<Arc<Plan>> {
        self.0.load().get(name).map(Arc::clone)
    }

    /// All plans, in the order of their names.
    pub fn all(&self) -> Vec<Arc<Plan>> {
        self.0.load().values().map(Arc::clone).collect()
    }

    pub(crate) fn replace(&self, other: &Self) {
        self.0.store(other.0.load_full());
    }
}

impl FromIterator<Plan> for Plans {
    fn from_iter<I: IntoIterator<Item = Plan>>(plans: I) -> Self {
        let plans = plans.into_iter().map(|plan| (plan.name.clone(), Arc::new(plan))).collect();
        Self(Arc::new(ArcSwap::from_pointee(plans)))
    }
}
