//! Signing up, in and out, changing a password, and deleting an account.
//!
//! Signing in does not reveal whether an address has an account: a wrong password and an unknown address take equally
//! long and return the same error. Only sign-up does, which is throttled by client address.

mod attempts;
mod chosen;
mod error;
mod hasher_limit;

use std::net::IpAddr;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{
    Account, AccountId, AccountStatus, Accounts, Audit, Clock, Email, PasswordHasher, PlanName, SecretDigest, Sessions,
    StoreError, StoreErrorKind,
};
use tokio::sync::Semaphore;

use self::attempts::{Attempts, Origin};
pub use self::error::SignInError;
use self::hasher_limit::HasherLimit;
use super::device::{Device, PresentedProof};
use super::password_rules;
use super::session_secret;
use crate::access::{CheckKey, Refusals};
use crate::client_network::ClientNetwork;
use crate::secret::{Secret, digest_of};

/// A session ends after this long without a request.
pub const IDLE: SignedDuration = SignedDuration::from_mins(30);
/// A session ends this long after it began.
pub const ABSOLUTE: SignedDuration = SignedDuration::from_hours(12);
/// Between two writes of a session's last-seen time.
const NOTE_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// Proofs checked at once for clients above the rate of forms. Each check reads the store twice.
const PROOFS_AT_ONCE: usize = 4;

/// Sessions looked up at once: a client may request any number of pages.
const LOOKUPS_AT_ONCE: usize = 4;

/// Read for an unknown address, for equal time.
const NO_ACCOUNT: AccountId = AccountId(0);

/// Fills a buffer with random bytes.
pub type RandomSource = fn(&mut [u8]) -> Result<(), getrandom::Error>;

/// A new number for the store.
pub(crate) fn random_id(random: RandomSource) -> Result<[u8; 16], StoreError> {
    let mut id = [0; 16];
    random(&mut id).map_err(|error| StoreError::new(StoreErrorKind::Unavailable).with_cause(error))?;
    Ok(id)
}

pub struct SignIn {
    pub accounts: Arc<dyn Accounts>,
    sessions: Arc<dyn Sessions>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    key: CheckKey,
    random: RandomSource,
    /// Checked without an account or password, for equal time.
    attempts: Attempts,
    hashing: HasherLimit,
    proofs: Semaphore,
    lookups: Semaphore,
    refusals: Refusals,
}

#[derive(Debug)]
pub struct LoggedIn {
    pub session: Secret,
    /// The proof of the device.
    pub device: Secret,
}

struct Owner {
    account: Account,
    hash: String,
}

impl SignIn {
    /// `key` is for the sessions' checksums.
    pub fn new(
        accounts: Arc<dyn Accounts>,
        sessions: Arc<dyn Sessions>,
        hasher: Arc<dyn PasswordHasher>,
        clock: Arc<dyn Clock>,
        key: impl Into<CheckKey>,
        random: RandomSource,
    ) -> Self {
        Self {
            accounts,
            sessions,
            hashing: HasherLimit::new(hasher.capacity()),
            hasher,
            key: key.into(),
            random,
            attempts: Attempts::new(&clock),
            proofs: Semaphore::new(PROOFS_AT_ONCE),
            lookups: Semaphore::new(LOOKUPS_AT_ONCE),
            refusals: Refusals::default(),
            clock,
        }
    }

    /// Creates an account on a plan and signs its owner in. `replaced` is the browser's present session, which ends.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn sign_up(
        &self,
        email: &str,
        password: &str,
        plan: &PlanName,
        from: Option<IpAddr>,
        replaced: Option<&str>,
    ) -> Result<LoggedIn, SignInError> {
        // Hashed first, so that a taken address takes the same time.
        let (email, hash) = self.hash_for_sign_up(email, password, from).await?;
        let made = self.accounts.create(&email, plan, Some(&hash), self.clock.now()).await;
        let made = made.map_err(SignInError::from_new_address);
        if let Err(SignInError::Store(_)) = made {
            self.attempts.sign_ups.uncount(&from.map(ClientNetwork::from));
        }
        self.begin(made?.id, &hash, replaced).await.map_err(SignInError::after_new_password)
    }

    /// Signs an owner in with a new session. `device` is the browser's proof, `replaced` its present session, which
    /// ends in the same step.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn log_in(
        &self,
        email: &str,
        password: &str,
        from: Option<IpAddr>,
        device: Option<&str>,
        replaced: Option<&str>,
    ) -> Result<LoggedIn, SignInError> {
        let mut known = None;
        let logged_in = self.log_in_as(email, password, from, device, replaced, &mut known).await;
        if let Err(SignInError::Wrong | SignInError::Throttled(_) | SignInError::Suspended) = logged_in {
            self.refusals.count(known, from);
        }
        logged_in
    }

    /// `known` becomes the account, whether the password is its own or not.
    async fn log_in_as(
        &self,
        email: &str,
        password: &str,
        from: Option<IpAddr>,
        device: Option<&str>,
        replaced: Option<&str>,
        known: &mut Option<AccountId>,
    ) -> Result<LoggedIn, SignInError> {
        let network = from.map(ClientNetwork::from);
        let Ok(email) = Email::parse(email) else {
            self.attempts.network.take(&network)?;
            return Err(SignInError::Wrong);
        };
        let origin = self.attempts.origin(self.device(&email, device).await?, network);
        self.attempts.check_log_in(&email, origin)?;
        let _permit = match origin {
            Origin::Device(device) => self.hashing.for_owner(device.account)?,
            Origin::Network(_) => self.hashing.for_unknown_client()?,
        };
        self.attempts.count_log_in(&email, origin);
        let checked = async {
            let owner = self.owner(&email).await?;
            *known = owner.as_ref().map(|owner| owner.account.id);
            self.verified(owner, password).await
        };
        let checked = checked.await;
        let checked = checked.inspect_err(|_| self.attempts.uncount_log_in(&email, origin))?;
        // Whoever has signed up with an address must not learn from a log-in whether it had an account.
        let confirmed = checked.filter(|owner| owner.account.status != AccountStatus::Unconfirmed);
        let owner = confirmed.ok_or(SignInError::Wrong)?;
        self.attempts.logged_in(&email, origin);
        if owner.account.status != AccountStatus::Active {
            return Err(SignInError::Suspended);
        }
        self.begin(owner.account.id, &owner.hash, replaced).await
    }

    /// The account of this address, if a proof shows that the browser has logged in to it. `None` also while too many
    /// proofs are being checked.
    ///
    /// # Errors
    /// Any error of the store and the hasher.
    pub async fn known_owner(&self, email: &str, presented: &str) -> Result<Option<AccountId>, SignInError> {
        let (Ok(email), Ok(_permit)) = (Email::parse(email), self.proofs.try_acquire()) else { return Ok(None) };
        Ok(self.device(&email, Some(presented)).await?.map(|device| device.account))
    }

    /// The account of a presented secret, if its session lasts. An invented secret costs no store query.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn find(&self, presented: &str) -> Result<Option<Account>, StoreError> {
        if !session_secret::is_genuine(presented, &self.key.get()) {
            return Ok(None);
        }
        let _permit = self.lookups.acquire().await;
        let (digest, now) = (digest_of(presented), self.clock.now());
        let Some(session) = self.sessions.find(&digest).await? else { return Ok(None) };
        if is_past(session.begun, ABSOLUTE, now) || is_past(session.seen, IDLE, now) {
            even_if_unwritable(self.sessions.end(&digest).await)?;
            return Ok(None);
        }
        if is_past(session.seen, NOTE_EVERY, now) {
            even_if_unwritable(self.sessions.note_seen(&digest, now).await)?;
        }
        let account = self.accounts.by_id(session.account).await?;
        Ok(account.filter(|account| account.status == AccountStatus::Active))
    }

    /// # Errors
    /// [`StoreError`].
    pub async fn log_out(&self, presented: &str) -> Result<(), StoreError> {
        self.sessions.end(&digest_of(presented)).await
    }

    /// Changes a password, given the current one. All sessions end, all devices become unknown, and a new session
    /// begins. `session` is the owner's.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn change_password(
        &self,
        account: &Account,
        session: &str,
        current: &str,
        new: &str,
    ) -> Result<LoggedIn, SignInError> {
        let _permit = self.hashing.for_owner(account.id)?;
        let checked = self.confirm(account, &digest_of(session), current).await?;
        password_rules::check(new, account.email.as_str())?;
        let hash = self.hasher.hash(new).await?;
        if !self.accounts.replace_password(account.id, &checked, &hash).await? {
            return Err(SignInError::Wrong);
        }
        self.begin(account.id, &hash, None).await.map_err(SignInError::after_new_password)
    }

    /// Deletes an account and its data, given its password. `session` is the owner's.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn delete(&self, account: &Account, session: &str, password: &str) -> Result<(), SignInError> {
        let checked = self.check_password(account, session, password).await?;
        let deleted = self.accounts.delete_with_password(account.id, &checked).await?;
        deleted.then_some(()).ok_or(SignInError::Wrong)
    }

    /// Writes the sums of refused log-ins to the audit log. Call it every second.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn write_refusals(&self, audit: &dyn Audit) -> Result<(), StoreError> {
        self.refusals.write(audit, "session.refuse", 1).await
    }

    /// Returns the stored hash that was checked. `by`, a session or a code, counts the attempts.
    async fn confirm(&self, account: &Account, by: &SecretDigest, password: &str) -> Result<String, SignInError> {
        let confirmed = async {
            self.attempts.signed_in.take(by)?;
            let checked = self.checked_owner(account, password).await;
            let checked = checked.inspect_err(|_| self.attempts.signed_in.uncount(by))?;
            let owner = checked.ok_or(SignInError::Wrong)?;
            self.attempts.signed_in.forgive(by);
            Ok(owner.hash)
        };
        let confirmed = confirmed.await;
        if let Err(SignInError::Wrong | SignInError::Throttled(_)) = confirmed {
            self.refusals.count(Some(account.id), kuraka_ports::Origin::current().address);
        }
        confirmed
    }

    /// `None` = wrong password.
    async fn checked_owner(&self, account: &Account, password: &str) -> Result<Option<Owner>, SignInError> {
        let hash = self.accounts.password_hash(account.id).await?;
        self.verified(hash.map(|hash| Owner { account: account.clone(), hash }), password).await
    }

    /// The account with this address and a password. An unknown address costs as many queries.
    async fn owner(&self, email: &Email) -> Result<Option<Owner>, SignInError> {
        let account = self.accounts.find(email).await?;
        let id = account.as_ref().map_or(NO_ACCOUNT, |account| account.id);
        let hash = self.accounts.password_hash(id).await?;
        Ok(account.zip(hash).map(|(account, hash)| Owner { account, hash }))
    }

    /// A proof's known device. Takes the same time without an account.
    async fn device(&self, email: &Email, presented: Option<&str>) -> Result<Option<Device>, SignInError> {
        let Some(proof) = presented.and_then(PresentedProof::read) else { return Ok(None) };
        match self.owner(email).await? {
            Some(owner) => Ok(proof.device(owner.account.id, &owner.hash)),
            None => Ok(proof.device(NO_ACCOUNT, self.hasher.placeholder()).and(None)),
        }
    }

    /// `None` = wrong password. Takes the same time without an owner.
    async fn verified(&self, owner: Option<Owner>, password: &str) -> Result<Option<Owner>, SignInError> {
        let Some(Owner { account, hash }) = owner else {
            self.hasher.verify(password, self.hasher.placeholder()).await?;
            return Ok(None);
        };
        if !self.hasher.verify(password, &hash).await? {
            return Ok(None);
        }
        if self.hasher.is_current(&hash) {
            return Ok(Some(Owner { account, hash }));
        }
        let current = self.hasher.hash(password).await?;
        let is_same = self.accounts.rehash_password(account.id, &hash, &current).await?;
        // Otherwise it was changed meanwhile.
        Ok(is_same.then_some(Owner { account, hash: current }))
    }

    /// Begins a session in place of `replaced`, if `hash` is still current.
    pub(crate) async fn begin(
        &self,
        account: AccountId,
        hash: &str,
        replaced: Option<&str>,
    ) -> Result<LoggedIn, SignInError> {
        let session = session_secret::generate(&self.key.get(), self.random).map_err(|_| SignInError::Busy)?;
        let device = Device::generate(account, self.random).ok().and_then(|device| device.proof(hash));
        let device = device.ok_or(SignInError::Busy)?;
        let (now, replaced) = (self.clock.now(), replaced.map(digest_of));
        let begun = self.sessions.begin(&digest_of(session.reveal()), account, hash, now, replaced.as_ref()).await;
        begun.map_err(|error| {
            if error.kind == StoreErrorKind::Missing { SignInError::Wrong } else { SignInError::Store(error) }
        })?;
        Ok(LoggedIn { session, device })
    }
}

/// `false` if the clock went back.
fn is_past(since: Timestamp, age: SignedDuration, now: Timestamp) -> bool {
    now.duration_since(since) >= age
}

/// A page that only reads is shown while the store takes no writes: the session's times are not essential.
fn even_if_unwritable(written: Result<(), StoreError>) -> Result<(), StoreError> {
    written.or_else(|error| if error.kind == StoreErrorKind::Unwritable { Ok(()) } else { Err(error) })
}
