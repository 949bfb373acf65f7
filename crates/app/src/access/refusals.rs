//! Sums refused log-ins and tokens in memory for the audit log: an attacker can neither fill the log nor slow the store.

use std::collections::HashMap;
use std::mem;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use kuraka_ports::{AccountId, Actor, Audit, NewAuditLine, Origin, StoreError};
use parking_lot::Mutex;

use crate::client_network::ClientNetwork;

/// Pairs of account and network that are kept apart between two writes. Others are summed as one.
const MAX_PAIRS: usize = 60;

type Pair = (Option<AccountId>, Option<IpAddr>);

/// Refusals since the last write, by account and network.
#[derive(Default)]
pub struct Refusals {
    counts: Mutex<HashMap<Pair, u64>>,
    /// Calls of `write` that are skipped.
    skipped: AtomicUsize,
}

impl Refusals {
    /// Counts a refusal. `account` = `None` if it is unknown.
    pub fn count(&self, account: Option<AccountId>, from: Option<IpAddr>) {
        let mut counts = self.counts.lock();
        let pair = (account, from.map(|from| ClientNetwork::from(from).address()));
        let pair = if counts.len() < MAX_PAIRS || counts.contains_key(&pair) { pair } else { (None, None) };
        *counts.entry(pair).or_default() += 1;
    }

    /// Writes a line for each pair with at least `least` refusals since the last write, and skips as many of the next
    /// calls: a line a call on average.
    ///
    /// # Errors
    /// [`StoreError`]; the lines that are not written are lost.
    pub async fn write(&self, audit: &dyn Audit, action: &'static str, least: u64) -> Result<(), StoreError> {
        let skipped = self.skipped.load(Ordering::Relaxed);
        if skipped > 0 {
            self.skipped.store(skipped - 1, Ordering::Relaxed);
            return Ok(());
        }
        let mut counts = mem::take(&mut *self.counts.lock());
        counts.retain(|_, count| *count >= least);
        self.skipped.store(counts.len().saturating_sub(1), Ordering::Relaxed);
        for ((account, address), count) in counts {
            // Who tried is not known, even if the account is.
            let actor = Actor::System;
            let (object, after) = ("attempts".to_owned(), Some(count.to_string()));
            let line = NewAuditLine { action, account, object, before: None, after };
            audit.add_line(&line, &Origin { actor, address, ..Origin::default() }).await?;
        }
        Ok(())
    }
}
