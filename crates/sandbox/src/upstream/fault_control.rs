//! The pending faults and the received requests. Tests set and read them while the server runs.

use std::collections::{HashMap, VecDeque};

use kuraka_domain::Ruc;
use parking_lot::Mutex;

use super::fault::Fault;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    Official,
    Provider(String),
    /// The endpoint that issues tokens for the voucher service.
    Token,
    Vouchers,
    /// The tax authority's text of the exchange rate.
    RateText,
    /// The central bank's series of exchange rates.
    RateSeries,
}

impl Target {
    pub fn provider(name: &str) -> Self {
        Self::Provider(name.to_owned())
    }
}

/// RUCs whose requests are counted.
const MAX_SEEN: usize = 100_000;

#[derive(Debug, Default)]
pub(super) struct FaultControl(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// In order, each with the number of its remaining requests.
    faults: HashMap<Target, VecDeque<(Fault, usize)>>,
    seen: HashMap<(Target, Option<Ruc>), u64>,
}

impl FaultControl {
    pub(super) fn add(&self, target: Target, fault: Fault, times: usize) {
        if times > 0 {
            self.0.lock().faults.entry(target).or_default().push_back((fault, times));
        }
    }

    pub(super) fn heal(&self) {
        self.0.lock().faults.clear();
    }

    pub(super) fn next(&self, target: &Target, ruc: Option<Ruc>) -> Option<Fault> {
        let mut state = self.0.lock();
        let key = (target.clone(), ruc);
        // A server that answers test tokens lives long.
        if state.seen.len() < MAX_SEEN || state.seen.contains_key(&key) {
            *state.seen.entry(key).or_default() += 1;
        }
        let faults = state.faults.get_mut(target)?;
        let (fault, times) = faults.front_mut()?;
        let fault = *fault;
        *times -= 1;
        if *times == 0 {
            faults.pop_front();
        }
        Some(fault)
    }

    pub(super) fn seen(&self, target: &Target, ruc: Ruc) -> u64 {
        self.0.lock().seen.get(&(target.clone(), Some(ruc))).copied().unwrap_or(0)
    }

    pub(super) fn seen_in_all(&self, target: &Target) -> u64 {
        self.0.lock().seen.iter().filter(|((of, _), _)| of == target).map(|(_, count)| count).sum()
    }
}
