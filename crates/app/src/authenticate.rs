//! Who is calling: from a presented token to the account behind it.
//!
//! A token's form and checksum are read before anything else; a known digest is answered from memory; only a new one
//! costs a question to the store. What is remembered is good for one generation: the store's revision is watched, and
//! any change of an account or a revocation, whoever makes it, starts a new one.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{
    AccountId, AccountStatus, Clock, Credential, DayCount, Operation, Period, StoreError, StoreErrorKind, TokenId,
    Tokens, UsageLedger,
};
use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinSet};

use crate::calls::Calls;
use crate::known_callers::KnownCallers;
use crate::quota::Meter;
use crate::rate::{Rate, Shares};
use crate::{Plan, Plans, token};

/// A recognised caller. Shared by all calls made with one token.
pub struct Caller {
    /// The token.
    pub token: TokenId,
    /// The account.
    pub account: AccountId,
    /// The account's plan.
    pub plan: Arc<Plan>,
    pub(crate) rate: Arc<Rate>,
    pub(crate) meter: Arc<Meter>,
    calls: Arc<Calls>,
    expires: Option<Timestamp>,
    allowed: Vec<IpNet>,
    /// Microseconds of the latest admitted call, and of the one that the store knows of.
    used: AtomicI64,
    noted: AtomicI64,
}

/// Why nobody was recognised.
#[derive(Debug)]
pub enum AuthenticateError {
    /// The token is malformed, unknown, revoked or has expired.
    Unknown,
    /// The account is suspended.
    Suspended,
    /// The token may not be used from this address.
    Elsewhere(AccountId),
    /// The account's plan is in no settings: the operator's mistake.
    NoSuchPlan(AccountId),
    /// The store could not be asked.
    Store(StoreError),
}

/// What an account's tokens share.
struct Shared {
    plan: Arc<Plan>,
    rate: Arc<Rate>,
    meter: Arc<Meter>,
    calls: Arc<Calls>,
}

/// Recognises callers.
pub struct Authenticate {
    tokens: Arc<dyn Tokens>,
    ledger: Arc<dyn UsageLedger>,
    clock: Arc<dyn Clock>,
    runtime: Handle,
    plans: Plans,
    shares: Shares,
    known: KnownCallers,
    accounts: Mutex<HashMap<AccountId, Shared>>,
    generation: AtomicU64,
    revision: AtomicU64,
    /// Whether the store answered when it was last asked for its revision.
    is_reachable: AtomicBool,
    /// Whether the store took what was last written to it.
    takes_writes: AtomicBool,
}

impl Authenticate {
    /// Nobody is remembered yet. Questions to the ledger are asked on `runtime`.
    #[must_use]
    pub fn new(
        tokens: Arc<dyn Tokens>,
        ledger: Arc<dyn UsageLedger>,
        clock: Arc<dyn Clock>,
        runtime: Handle,
        plans: Plans,
    ) -> Self {
        Self {
            tokens,
            ledger,
            clock,
            runtime,
            plans,
            shares: Shares::default(),
            known: KnownCallers::default(),
            accounts: Mutex::new(HashMap::new()),
            generation: AtomicU64::new(0),
            revision: AtomicU64::new(u64::MAX),
            is_reachable: AtomicBool::new(true),
            takes_writes: AtomicBool::new(true),
        }
    }

    /// The caller who presents this token; `from` tells the address, and is asked only where it matters.
    ///
    /// # Errors
    /// [`AuthenticateError`].
    pub async fn run(
        &self,
        presented: &[u8],
        from: impl FnOnce() -> Option<IpAddr>,
    ) -> Result<Arc<Caller>, AuthenticateError> {
        let caller = self.recognise(presented).await?;
        if caller.expires.is_some_and(|end| self.clock.now() >= end) {
            return Err(AuthenticateError::Unknown);
        }
        if !caller.allowed.is_empty() {
            let is_allowed = |address: IpAddr| caller.allowed.iter().any(|network| network.contains(&address));
            if !from().is_some_and(is_allowed) {
                return Err(AuthenticateError::Elsewhere(caller.account));
            }
        }
        Ok(caller)
    }

    /// Tells the store when tokens were last used, as far as it does not know. To be called every few seconds.
    ///
    /// # Errors
    /// Those of the store; what it was not told, it is told the next time.
    pub async fn note_uses(&self) -> Result<(), StoreError> {
        let unnoted: Vec<_> =
            self.known.all().into_iter().filter_map(|caller| Some((caller.unnoted()?, caller))).collect();
        if unnoted.is_empty() {
            return Ok(());
        }
        let instant = |micros| Timestamp::from_microsecond(micros).unwrap_or_default();
        let uses: Vec<_> = unnoted.iter().map(|(micros, caller)| (caller.token, instant(*micros))).collect();
        self.tokens.note_uses(&uses).await?;
        for (micros, caller) in unnoted {
            caller.noted.store(micros, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn recognise(&self, presented: &[u8]) -> Result<Arc<Caller>, AuthenticateError> {
        let digest = token::digest_of(presented).map_err(|_| AuthenticateError::Unknown)?;
        // Read before the store is asked: a change that comes in between makes the answer old at once.
        let generation = self.generation.load(Ordering::Acquire);
        if let Some(caller) = self.known.find(&digest, generation) {
            return Ok(caller);
        }
        let credential = self.tokens.find(&digest).await.map_err(AuthenticateError::Store)?;
        let caller = Arc::new(self.caller(credential.ok_or(AuthenticateError::Unknown)?)?);
        self.known.remember(digest, generation, Arc::clone(&caller));
        Ok(caller)
    }

    /// Starts a new generation if the store has changed since the last time. To be called several times a second.
    ///
    /// # Errors
    /// Those of the store; what is remembered stays in use until the store can be asked again.
    pub async fn watch(&self) -> Result<(), StoreError> {
        let revision = self.tokens.revision().await;
        self.is_reachable.store(revision.is_ok(), Ordering::Release);
        let revision = revision?;
        if self.revision.swap(revision, Ordering::AcqRel) != revision {
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
        Ok(())
    }

    /// From now on, so many servers divide every plan's rate among them.
    pub fn divide_rates_among(&self, servers: NonZeroU32) {
        self.shares.set(servers);
    }

    /// Notes whether the store took a write: while it does not, idle blocks are kept.
    pub fn note_write(&self, taken: bool) {
        self.takes_writes.store(taken, Ordering::Release);
    }

    /// Whether the store took what was last written to it.
    #[must_use]
    pub fn store_takes_writes(&self) -> bool {
        self.takes_writes.load(Ordering::Acquire)
    }

    /// Gives back the blocks of accounts that have been idle. While the store is out of reach they are kept: a block
    /// that cannot be given back would be lost, one that is kept goes on answering. The first that is lost is the last.
    ///
    /// # Errors
    /// Those of the store; one block is gone then, and counts as used.
    pub async fn settle_idle(&self) -> Result<(), StoreError> {
        let elapsed = self.clock.monotonic();
        for meter in self.meters() {
            if !self.is_reachable.load(Ordering::Acquire) || !self.store_takes_writes() {
                return Ok(());
            }
            if let Err(error) = meter.settle_idle(elapsed).await {
                self.note_write(false);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Gives back every block: the process stops.
    pub async fn settle_all(&self) -> Vec<StoreError> {
        let (mut settling, mut errors) = (JoinSet::new(), Vec::new());
        for meter in self.meters() {
            if settling.len() == SETTLED_AT_ONCE {
                errors.extend(settling.join_next().await.and_then(settle_error));
            }
            settling.spawn_on(async move { meter.settle().await }, &self.runtime);
        }
        while let Some(settled) = settling.join_next().await {
            errors.extend(settle_error(settled));
        }
        errors
    }

    /// Queries of `period` that this process has leased for an account and not spent: the ledger counts them as used.
    #[must_use]
    pub fn unspent(&self, account: AccountId, period: Period) -> u64 {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.get(&account).map_or(0, |shared| shared.meter.unspent(period))
    }

    /// Takes every account's calls since the last time, as calls of this day.
    pub(crate) fn take_calls(&self, day: Date) -> Vec<(AccountId, DayCount)> {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |(id, shared): (&AccountId, &Shared)| {
            let id = *id;
            shared.calls.take(day).into_iter().map(move |count| (id, count))
        };
        accounts.iter().flat_map(of).collect()
    }

    /// Gives back what was taken and could not be written. Its day is forgotten: it is taken again with a later one.
    pub(crate) fn give_back_calls(&self, counts: &[(AccountId, DayCount)]) {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, count) in counts {
            if let Some(shared) = accounts.get(id) {
                shared.calls.add(count.operation, count.code, count.count);
            }
        }
    }

    fn meters(&self) -> Vec<Arc<Meter>> {
        let accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.values().map(|shared| Arc::clone(&shared.meter)).collect()
    }

    fn caller(&self, credential: Credential) -> Result<Caller, AuthenticateError> {
        let Credential { token, account, expires, allowed } = credential;
        match account.status {
            AccountStatus::Active => {}
            AccountStatus::Suspended => return Err(AuthenticateError::Suspended),
        }
        let plan = self.plans.find(&account.plan).ok_or(AuthenticateError::NoSuchPlan(account.id))?;
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = accounts.entry(account.id).or_insert_with(|| Shared {
            plan: Arc::clone(plan),
            rate: Arc::new(Rate::new(plan, Arc::clone(&self.clock), self.shares.clone())),
            meter: Arc::new(Meter::new(account.id, Arc::clone(&self.ledger), self.runtime.clone())),
            calls: Arc::default(),
        });
        if shared.plan != *plan {
            // Another plan is another bucket; the queries of the month go on where they were.
            shared.plan = Arc::clone(plan);
            shared.rate = Arc::new(Rate::new(plan, Arc::clone(&self.clock), self.shares.clone()));
        }
        Ok(Caller {
            token,
            account: account.id,
            plan: Arc::clone(&shared.plan),
            rate: Arc::clone(&shared.rate),
            meter: Arc::clone(&shared.meter),
            calls: Arc::clone(&shared.calls),
            expires,
            allowed,
            used: AtomicI64::new(0),
            noted: AtomicI64::new(0),
        })
    }
}

/// Blocks that are given back at once: a commit in a shared store takes some milliseconds.
const SETTLED_AT_ONCE: usize = 8;

fn settle_error(settled: Result<Result<(), StoreError>, JoinError>) -> Option<StoreError> {
    settled.unwrap_or_else(|stopped| Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(stopped))).err()
}

impl Caller {
    /// Counts how a call ended, for the account's history.
    pub fn count(&self, operation: Operation, code: ResultCode) {
        self.calls.add(operation, code, 1);
    }

    /// Notes that the token was used.
    pub(crate) fn note_use(&self, now: Timestamp) {
        self.used.store(now.as_microsecond(), Ordering::Relaxed);
    }

    /// The latest use that the store does not know of.
    fn unnoted(&self) -> Option<i64> {
        let used = self.used.load(Ordering::Relaxed);
        (used != self.noted.load(Ordering::Relaxed)).then_some(used)
    }
}
