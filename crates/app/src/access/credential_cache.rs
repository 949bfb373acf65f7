//! A cache of credentials, by the digests of tokens.
//!
//! A cached digest is answered from memory; another token with a valid checksum costs one store query. The store
//! reports changed accounts and tokens, which are dropped. A credential read during a change is not cached, because it
//! may be outdated. A refused token is remembered: until the next change if its account is not active, for good if the
//! store lacks it, because a revoked token stays revoked.
//!
//! Every call reads this cache, so it is a plain map behind a lock: an LRU list would cost more than the rest of
//! authentication.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use foldhash::fast::RandomState;
use jiff::Timestamp;
use kuraka_ports::{
    Account, AccountId, AccountStatus, Changed, Changes, Clock, Credential, Revision, SecretDigest, StoreError,
    TokenId, TokenKind, Tokens,
};
use parking_lot::{Mutex, RwLock};
use thiserror::Error;

use super::token::PresentedToken;
use super::{Caller, CheckKey};
use crate::metering::AccountMeters;
use crate::{Plan, Plans};

/// A full part is emptied, and its callers are looked up again.
const PER_PART: usize = 8_192;
/// Parts keep threads that add callers from waiting for each other.
const PARTS: usize = 16;

/// Of one kind; if there are more, all are looked up again.
const MAX_REFUSED_TOKENS: usize = 50_000;

/// Longer than the usual pause between a job's calls, and short enough to free memory soon.
const IDLE: Duration = Duration::from_secs(600);

/// Last-used times in one transaction, which must end before a waiting lease gives up.
const NOTED_AT_ONCE: usize = 1_000;

#[derive(Debug, Error)]
pub enum AuthenticateError {
    /// Malformed: no token of this store has its checksum.
    #[error("the token is malformed")]
    NotGenuine,
    /// The token is unknown, revoked or has expired.
    #[error("the token is unknown, revoked or expired")]
    Unknown,
    #[error("too many calls of the operation are in progress")]
    Overloaded,
    #[error("the account is {}", .0.as_str())]
    Inactive(AccountStatus),
    #[error("a token of account {0} was used from an address that is not on its list")]
    AddressNotAllowed(AccountId),
    #[error("the plan of account {0} is not in the settings")]
    NoSuchPlan(AccountId),
    #[error("the store could not be asked for the token")]
    Store(#[source] StoreError),
}

/// Cached callers, and the store for lookups.
pub struct CredentialCache {
    tokens: Arc<dyn Tokens>,
    clock: Arc<dyn Clock>,
    plans: Plans,
    meters: Arc<AccountMeters>,
    parts: [RwLock<CacheShard>; PARTS],
    /// The store's revision up to which changes are applied.
    revision: Mutex<Revision>,
    /// Increased before changed credentials are dropped.
    epoch: AtomicU64,
    /// Last uses that are not written yet.
    used: Mutex<HashMap<TokenId, Timestamp, RandomState>>,
    key: CheckKey,
    refused: Mutex<RefusedTokens>,
}

/// Tokens with a valid checksum that are refused without a store query.
#[derive(Default)]
struct RefusedTokens {
    /// Tokens that were revoked or deleted.
    unknown: HashSet<SecretDigest>,
    /// Tokens of accounts that are not active, of this epoch.
    inactive: HashMap<SecretDigest, AccountStatus>,
}

impl RefusedTokens {
    fn add(&mut self, digest: SecretDigest, error: &AuthenticateError) {
        if self.unknown.len().max(self.inactive.len()) >= MAX_REFUSED_TOKENS {
            *self = Self::default();
        }
        if let AuthenticateError::Inactive(status) = error {
            self.inactive.insert(digest, *status);
        } else {
            self.unknown.insert(digest);
        }
    }
}

type CacheShard = HashMap<SecretDigest, Arc<Caller>, RandomState>;

impl CredentialCache {
    pub fn new(
        tokens: Arc<dyn Tokens>,
        key: impl Into<CheckKey>,
        clock: Arc<dyn Clock>,
        plans: Plans,
        meters: Arc<AccountMeters>,
    ) -> Self {
        Self {
            tokens,
            key: key.into(),
            clock,
            plans,
            meters,
            parts: Default::default(),
            // The first request is for all changes, so it drops what was cached before.
            revision: Mutex::default(),
            epoch: AtomicU64::new(0),
            used: Mutex::default(),
            refused: Mutex::default(),
        }
    }

    /// The caller of a token, from memory; `None` = it must be looked up. Checks neither expiry nor networks.
    /// [`AuthenticateError`]: `NotGenuine`, `Unknown` or `Inactive`.
    pub(super) fn cached(
        &self,
        token: &PresentedToken<'_>,
        digest: &SecretDigest,
    ) -> Result<Option<Arc<Caller>>, AuthenticateError> {
        let part = self.part(digest).map(|part| part.read());
        if let Some(known) = part.as_ref().and_then(|part| part.get(digest)) {
            return Ok(Some(Arc::clone(known)));
        }
        drop(part);
        if !token.is_genuine(&self.key.get()) {
            return Err(AuthenticateError::NotGenuine);
        }
        let refused = self.refused.lock();
        if refused.unknown.contains(digest) {
            return Err(AuthenticateError::Unknown);
        }
        refused.inactive.get(digest).map_or(Ok(None), |status| Err(AuthenticateError::Inactive(*status)))
    }

    /// Looks up a token that is not cached, and caches its caller. Checks neither expiry nor networks.
    /// [`AuthenticateError`]: `Unknown`, `Inactive`, `NoSuchPlan` or `Store`.
    pub(super) async fn find(&self, digest: SecretDigest, kind: TokenKind) -> Result<Arc<Caller>, AuthenticateError> {
        let epoch = self.epoch.load(Ordering::SeqCst);
        let found = self.read(&digest).await;
        if let Err(error @ (AuthenticateError::Unknown | AuthenticateError::Inactive(_))) = &found {
            let mut refused = self.refused.lock();
            // Read under the lock, as in `add`.
            if self.epoch.load(Ordering::SeqCst) == epoch {
                refused.add(digest, error);
            }
        }
        let (credential, plan) = found?;
        if let Some(caller) = self.add((digest, kind), epoch, &credential, &plan) {
            return Ok(caller);
        }
        // A change was applied meanwhile, and the credential may be older.
        let (credential, plan) = self.read(&digest).await?;
        Ok(self.caller(&credential, kind, &plan))
    }

    /// The `Caller` of this account's owner in the panel. Not cached: the account is read for each page.
    /// [`AuthenticateError`]: `Inactive` or `NoSuchPlan`.
    pub(super) fn owner(&self, account: &Account) -> Result<Arc<Caller>, AuthenticateError> {
        let plan = self.plan(account)?;
        let meter = self.meters.meter(account.id, TokenKind::Live, &plan);
        Ok(Arc::new(Caller::from_session(account, plan, meter)))
    }

    /// Drops changed credentials. Call it several times a second.
    ///
    /// # Errors
    /// [`StoreError`]; cached credentials stay in use meanwhile.
    pub async fn watch(&self) -> Result<(), StoreError> {
        let since = *self.revision.lock();
        let changes = self.tokens.changes(since).await;
        self.meters.note_answer(changes.is_ok());
        let Changes { latest, what } = changes?;
        match what {
            nothing if nothing.is_nothing() => {}
            Changed::Named { mut accounts, mut tokens } => {
                self.begin_epoch();
                accounts.sort();
                tokens.sort();
                self.drop_if(|known| {
                    known.token.is_some_and(|token| tokens.binary_search(&token).is_ok())
                        || accounts.binary_search(&known.account).is_ok()
                });
            }
            Changed::Everything => {
                self.key.replace(self.tokens.token_key().await?);
                self.begin_epoch();
                self.refused.lock().unknown.clear();
                self.drop_if(|_| true);
            }
        }
        // Last: if this future is dropped before, the next call applies the changes again.
        *self.revision.lock() = latest;
        Ok(())
    }

    /// Replaces the plans, from each caller's next call on.
    pub fn replace_plans(&self, plans: &Plans) {
        self.plans.replace(plans);
        self.begin_epoch();
        self.drop_if(|_| true);
    }

    /// Writes new last-used times. Call it every few seconds.
    ///
    /// # Errors
    /// [`StoreError`]; the next call writes the rest.
    pub async fn note_uses(&self) -> Result<(), StoreError> {
        let used = mem::take(&mut *self.used.lock());
        let uses: Vec<_> = used.into_iter().collect();
        let mut parts = uses.chunks(NOTED_AT_ONCE);
        while let Some(part) = parts.next() {
            if let Err(error) = self.tokens.note_uses(part).await {
                let mut used = self.used.lock();
                for &(token, at) in part.iter().chain(parts.flatten()) {
                    // A later use stays.
                    used.entry(token).or_insert(at);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Drops callers whose account has spent nothing for ten minutes, so that it can be evicted. Call it about once a
    /// minute: it visits every cached caller, at most 131,072.
    pub fn drop_idle(&self) {
        let now = self.clock.monotonic();
        self.drop_if(|known| known.meter.quota.idle_for(now) >= IDLE);
    }

    pub fn callers_held(&self) -> usize {
        self.parts.iter().map(|part| part.read().len()).sum()
    }

    /// Records an admitted call as the token's last use.
    pub(super) fn note_use(&self, caller: &Caller, now: Timestamp) {
        if let Some(token) = caller.token {
            self.used.lock().insert(token, now);
        }
    }

    async fn read(&self, digest: &SecretDigest) -> Result<(Credential, Arc<Plan>), AuthenticateError> {
        let credential = self.tokens.find(digest).await.map_err(AuthenticateError::Store)?;
        let credential = credential.ok_or(AuthenticateError::Unknown)?;
        let plan = self.plan(&credential.account)?;
        Ok((credential, plan))
    }

    fn plan(&self, account: &Account) -> Result<Arc<Plan>, AuthenticateError> {
        match account.status {
            AccountStatus::Active => self.plans.find(&account.plan).ok_or(AuthenticateError::NoSuchPlan(account.id)),
            status @ (AccountStatus::Suspended | AccountStatus::Unconfirmed) => {
                Err(AuthenticateError::Inactive(status))
            }
        }
    }

    fn caller(&self, credential: &Credential, kind: TokenKind, plan: &Arc<Plan>) -> Arc<Caller> {
        let meter = self.meters.meter(credential.account.id, kind, plan);
        Arc::new(Caller::new(credential, kind, Arc::clone(plan), meter))
    }

    /// Caches a credential read in this epoch; `None` = the epoch has ended.
    fn add(
        &self,
        (digest, kind): (SecretDigest, TokenKind),
        epoch: u64,
        credential: &Credential,
        plan: &Arc<Plan>,
    ) -> Option<Arc<Caller>> {
        let mut part = self.part(&digest)?.write();
        // Read under the lock, so that a change after this read finds the caller in the map.
        if self.epoch.load(Ordering::SeqCst) != epoch {
            return None;
        }
        if part.len() >= PER_PART {
            part.clear();
        }
        let caller = self.caller(credential, kind, plan);
        part.insert(digest, Arc::clone(&caller));
        Some(caller)
    }

    /// Later, callers and refused tokens read before are not added.
    fn begin_epoch(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        self.refused.lock().inactive.clear();
    }

    /// Drops callers by `is_wrong`. Calls wait for one part at a time.
    fn drop_if(&self, is_wrong: impl Fn(&Caller) -> bool) {
        self.parts.iter().for_each(|part| part.write().retain(|_, known| !is_wrong(known)));
    }

    fn part(&self, digest: &SecretDigest) -> Option<&RwLock<CacheShard>> {
        self.parts.get(usize::from(*digest.0.last()?) % PARTS)
    }
}
