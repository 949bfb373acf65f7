//! Credentials that were looked up before, by the digest of their token.
//!
//! A known digest is answered from memory; a new one costs a question to the store. The store names what changes, and
//! exactly that is dropped. A credential that was read while a change was noticed may be the old one, so it is not kept.
//!
//! Every call passes here, so it is a map behind a lock and nothing else: a cache that keeps track of use costs more
//! than the rest of recognising a caller.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use kuraka_ports::{
    AccountId, AccountStatus, Changed, Changes, Clock, Credential, StoreError, TokenDigest, TokenId, Tokens,
};
use thiserror::Error;

use super::{Caller, token};
use crate::metering::{AccountMeters, ActiveList};
use crate::{Plan, Plans};

/// Callers in one part. A full part is emptied, and each caller that still calls is looked up once more.
const PER_PART: usize = 8_192;
/// Parts, so that threads that add callers do not wait for each other.
const PARTS: usize = 16;

/// A caller whose account has spent nothing for this long is dropped: longer than clients pause between two calls of
/// one job, and short enough that memory follows the accounts that call.
const IDLE: Duration = Duration::from_secs(600);

/// Why no caller was recognised.
#[derive(Debug, Error)]
pub enum AuthenticateError {
    /// The token is malformed, unknown, revoked or has expired.
    #[error("the token is malformed, unknown, revoked or expired")]
    Unknown,
    /// The account is suspended.
    #[error("the account is suspended")]
    Suspended,
    /// The token may not be used from this address.
    #[error("a token of account {0} was used from an address that is not on its list")]
    Elsewhere(AccountId),
    /// The account's plan is in no settings: the operator's mistake.
    #[error("the plan of account {0} is not in the settings")]
    NoSuchPlan(AccountId),
    /// The store could not be asked.
    #[error("the store could not be asked for the token")]
    Store(#[source] StoreError),
}

/// Recognised callers, and the store behind them.
pub struct CredentialCache {
    tokens: Arc<dyn Tokens>,
    clock: Arc<dyn Clock>,
    plans: Plans,
    meters: Arc<AccountMeters>,
    parts: [RwLock<Part>; PARTS],
    /// The store's revision up to which changes have been applied.
    revision: AtomicU64,
    /// Grows before changed credentials are dropped.
    epoch: AtomicU64,
    used: ActiveList<Caller>,
}

type Part = HashMap<TokenDigest, Known, BuildHasherDefault<DigestHasher>>;

/// A caller, and what a change may name of it: beside the pointer, so that a search for it reads the map alone.
struct Known {
    token: TokenId,
    account: AccountId,
    caller: Arc<Caller>,
}

impl CredentialCache {
    /// An empty cache.
    #[must_use]
    pub fn new(tokens: Arc<dyn Tokens>, clock: Arc<dyn Clock>, plans: Plans, meters: Arc<AccountMeters>) -> Self {
        Self {
            tokens,
            clock,
            plans,
            meters,
            parts: Default::default(),
            // The first question is about all changes ever: what is cached before its answer is then dropped.
            revision: AtomicU64::new(0),
            epoch: AtomicU64::new(0),
            used: ActiveList::default(),
        }
    }

    /// The caller of a token. Its end and its networks are not looked at.
    ///
    /// # Errors
    /// [`AuthenticateError`]: `Unknown`, `Suspended`, `NoSuchPlan` or `Store`.
    pub(super) async fn find(&self, presented: &[u8]) -> Result<Arc<Caller>, AuthenticateError> {
        let digest = token::digest_of(presented).map_err(|_| AuthenticateError::Unknown)?;
        if let Some(caller) = self.cached(&digest) {
            return Ok(caller);
        }
        // Once more if a change was noticed meanwhile: the credential may be from before it.
        for _ in 0..2 {
            let epoch = self.epoch.load(Ordering::SeqCst);
            let (credential, plan) = self.read(&digest).await?;
            if let Some(caller) = self.add(digest, epoch, &credential, plan) {
                return Ok(caller);
            }
        }
        let (credential, plan) = self.read(&digest).await?;
        Ok(self.caller(&credential, plan))
    }

    /// Drops what has changed since the last time. To be called several times a second.
    ///
    /// # Errors
    /// Those of the store; what is cached stays in use until the store can be asked again.
    pub async fn watch(&self) -> Result<(), StoreError> {
        let changes = self.tokens.changes(self.revision.load(Ordering::Acquire)).await;
        self.meters.note_answer(changes.is_ok());
        let Changes { latest, what } = changes?;
        match what {
            Changed::Named { accounts, tokens } if accounts.is_empty() && tokens.is_empty() => {}
            Changed::Named { mut accounts, mut tokens } => {
                self.epoch.fetch_add(1, Ordering::SeqCst);
                accounts.sort();
                tokens.sort();
                self.drop_if(|known| {
                    tokens.binary_search(&known.token).is_ok() || accounts.binary_search(&known.account).is_ok()
                });
            }
            Changed::Everything => {
                self.epoch.fetch_add(1, Ordering::SeqCst);
                self.drop_if(|_| true);
            }
        }
        // Last: if this future is dropped on the way, the same changes are applied again.
        self.revision.store(latest, Ordering::Release);
        Ok(())
    }

    /// Tells the store when tokens were last used, as far as it does not know. To be called every few seconds.
    ///
    /// # Errors
    /// Those of the store; what it was not told, it is told the next time.
    pub async fn note_uses(&self) -> Result<(), StoreError> {
        let callers = self.used.take();
        if callers.is_empty() {
            return Ok(());
        }
        let uses: Vec<_> = callers.iter().map(|caller| (caller.token, caller.latest_use())).collect();
        let noted = self.tokens.note_uses(&uses).await;
        if noted.is_err() {
            for caller in &callers {
                self.used.add(caller);
            }
        }
        noted
    }

    /// Drops callers whose account has spent nothing for ten minutes, so that the account can be evicted. To be called
    /// every minute or so: it looks at every caller, of which there are at most 131,072.
    pub fn drop_idle(&self) {
        let now = self.clock.monotonic();
        self.drop_if(|known| known.caller.meter.quota.idle_for(now) >= IDLE);
    }

    /// How many callers are cached.
    #[must_use]
    pub fn callers_held(&self) -> usize {
        self.parts.iter().map(|part| part.read().unwrap_or_else(PoisonError::into_inner).len()).sum()
    }

    /// Notes that a call of this caller was admitted.
    pub(super) fn note_use(&self, caller: &Arc<Caller>, now: jiff::Timestamp) {
        caller.note_use(now);
        self.used.add(caller);
    }

    async fn read(&self, digest: &TokenDigest) -> Result<(Credential, &Arc<Plan>), AuthenticateError> {
        let credential = self.tokens.find(digest).await.map_err(AuthenticateError::Store)?;
        let credential = credential.ok_or(AuthenticateError::Unknown)?;
        match credential.account.status {
            AccountStatus::Active => {}
            AccountStatus::Suspended => return Err(AuthenticateError::Suspended),
        }
        let plan = self.plans.find(&credential.account.plan);
        let plan = plan.ok_or(AuthenticateError::NoSuchPlan(credential.account.id))?;
        Ok((credential, plan))
    }

    fn caller(&self, credential: &Credential, plan: &Arc<Plan>) -> Arc<Caller> {
        Arc::new(Caller::new(credential, Arc::clone(plan), self.meters.of(credential.account.id, plan)))
    }

    fn cached(&self, digest: &TokenDigest) -> Option<Arc<Caller>> {
        self.part(digest)?
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(digest)
            .map(|known| Arc::clone(&known.caller))
    }

    /// Caches a credential that was read in this epoch; `None` = the epoch is over.
    fn add(&self, digest: TokenDigest, epoch: u64, credential: &Credential, plan: &Arc<Plan>) -> Option<Arc<Caller>> {
        let mut part = self.part(&digest)?.write().unwrap_or_else(PoisonError::into_inner);
        // Under the lock: a change that begins a new epoch after this look finds the caller in the map.
        if self.epoch.load(Ordering::SeqCst) != epoch {
            return None;
        }
        let caller = self.caller(credential, plan);
        let full = if part.len() >= PER_PART { mem::take(&mut *part) } else { Part::default() };
        let known = Known { token: caller.token, account: caller.account, caller: Arc::clone(&caller) };
        let replaced = part.insert(digest, known);
        drop(part);
        // Let go of outside the lock.
        drop((full, replaced));
        Some(caller)
    }

    /// Drops the callers for which this holds, without keeping calls from finding theirs.
    fn drop_if(&self, is_wrong: impl Fn(&Known) -> bool) {
        for part in &self.parts {
            let wrong: Vec<TokenDigest> = {
                let part = part.read().unwrap_or_else(PoisonError::into_inner);
                part.iter().filter(|(_, known)| is_wrong(known)).map(|(digest, _)| *digest).collect()
            };
            if !wrong.is_empty() {
                let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
                let dropped: Vec<_> = wrong.iter().filter_map(|digest| part.remove(digest)).collect();
                drop(part);
                drop(dropped);
            }
        }
    }

    fn part(&self, digest: &TokenDigest) -> Option<&RwLock<Part>> {
        // The last byte: the hash takes the first eight.
        self.parts.get(usize::from(*digest.0.last()?) % PARTS)
    }
}

/// A SHA-256 is its own hash.
#[derive(Default)]
struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk::<8>() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn write_usize(&mut self, _length: usize) {}
}
