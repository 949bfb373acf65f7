//! Signing up, in and out, changing a password, and deleting an account.
//!
//! Signing in does not reveal whether an e-mail address has an account: a wrong password and an unknown address take
//! equally long and return the same error. Only sign-up reports a taken address, and it is throttled by client address.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{
    Account, AccountId, Accounts, Clock, Email, PasswordError, PasswordHasher, PlanName, Sessions, StoreError,
    StoreErrorKind,
};
use thiserror::Error;
use tokio::sync::OnceCell;

use super::password_rules::{self, WeakPassword};
use super::session_secret::{self, SessionSecret};
use super::throttle::{Allowance, Throttle, Throttled};

/// A session ends after this long without a request.
pub const IDLE: SignedDuration = SignedDuration::from_mins(30);
/// A session ends this long after it began.
pub const ABSOLUTE: SignedDuration = SignedDuration::from_hours(12);
/// A session's last-seen time is written at most this often, so that not every page causes a write.
const NOTE_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// Tries for one account from one address: a few typing errors cost no wait, many guesses up to 15 minutes.
const FROM_HERE: Allowance = Allowance {
    free: 5,
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(15 * 60),
    memory: Duration::from_secs(3_600),
};
/// Tries for one account from all addresses: slows down distributed guessing. The owner waits 30 seconds at most.
const FROM_ANYWHERE: Allowance = Allowance {
    free: 20,
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(30),
    memory: Duration::from_secs(3_600),
};
/// Tries from one address for all accounts: slows down one password tried on many accounts.
const FROM_ADDRESS: Allowance = Allowance {
    free: 20,
    first_wait: Duration::from_secs(3),
    longest_wait: Duration::from_secs(60),
    memory: Duration::from_secs(600),
};
/// Sign-ups from one address.
const SIGN_UPS: Allowance = Allowance {
    free: 5,
    first_wait: Duration::from_secs(60),
    longest_wait: Duration::from_secs(3_600),
    memory: Duration::from_secs(3_600),
};

/// Fills a buffer with random bytes.
pub type Fill = fn(&mut [u8]) -> Result<(), getrandom::Error>;

/// Why a sign-in failed.
#[derive(Debug, Error)]
pub enum SignInError {
    /// Unknown address, or wrong password.
    #[error("the address and the password do not belong together")]
    Wrong,
    /// Too many tries.
    #[error(transparent)]
    Throttled(Throttled),
    /// Passwords cannot be hashed now, or the system provides no randomness.
    #[error("passwords cannot be checked now")]
    Busy,
    /// The store failed.
    #[error("the store could not be asked for the account")]
    Store(#[source] StoreError),
}

/// Why an account was not created, or a new password was refused.
#[derive(Debug, Error)]
pub enum SignUpError {
    /// The text is no e-mail address.
    #[error("the text is no e-mail address")]
    Email,
    /// The address already has an account.
    #[error("the address has an account")]
    Taken,
    /// The password is too easy to guess.
    #[error("the password is refused")]
    Weak(#[source] WeakPassword),
    /// Too many tries.
    #[error(transparent)]
    Throttled(Throttled),
    /// Passwords cannot be hashed now, or the system provides no randomness.
    #[error("passwords cannot be checked now")]
    Busy,
    /// The store failed.
    #[error("the store could not be asked for the account")]
    Store(#[source] StoreError),
}

/// Why a password was not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// The current password is wrong, or could not be checked.
    #[error("the current password is not confirmed")]
    Current(#[source] SignInError),
    /// The new password is refused.
    #[error("the new password is not taken")]
    New(#[from] SignUpError),
}

/// Signs users up, in and out.
pub struct SignIn {
    accounts: Arc<dyn Accounts>,
    sessions: Arc<dyn Sessions>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    fill: Fill,
    /// Checked if there is no account or no password, so that the check takes the same time.
    placeholder: OnceCell<String>,
    from_here: Throttle<(Email, Option<IpAddr>)>,
    from_anywhere: Throttle<Email>,
    from_address: Throttle<Option<IpAddr>>,
    sign_ups: Throttle<Option<IpAddr>>,
}

impl SignIn {
    /// Starts with no counted tries.
    #[must_use]
    pub fn new(
        accounts: Arc<dyn Accounts>,
        sessions: Arc<dyn Sessions>,
        hasher: Arc<dyn PasswordHasher>,
        clock: Arc<dyn Clock>,
        fill: Fill,
    ) -> Self {
        Self {
            accounts,
            sessions,
            hasher,
            fill,
            placeholder: OnceCell::new(),
            from_here: Throttle::new(FROM_HERE, Arc::clone(&clock)),
            from_anywhere: Throttle::new(FROM_ANYWHERE, Arc::clone(&clock)),
            from_address: Throttle::new(FROM_ADDRESS, Arc::clone(&clock)),
            sign_ups: Throttle::new(SIGN_UPS, Arc::clone(&clock)),
            clock,
        }
    }

    /// Creates an account on a plan and signs its owner in.
    ///
    /// # Errors
    /// [`SignUpError`].
    pub async fn sign_up(
        &self,
        email: &str,
        password: &str,
        plan: &PlanName,
        from: Option<IpAddr>,
    ) -> Result<SessionSecret, SignUpError> {
        self.sign_ups.check(&from).map_err(SignUpError::Throttled)?;
        let email = Email::parse(email).map_err(|_| SignUpError::Email)?;
        password_rules::check(password, email.as_str()).map_err(SignUpError::Weak)?;
        self.sign_ups.count(&from);
        // Hashed before the address is looked up, so that a taken address takes the same time.
        let hash = self.hasher.hash(password).await.map_err(SignInError::from)?;
        let account = self.accounts.create(&email, plan, self.clock.now()).await.map_err(|error| match error.kind {
            StoreErrorKind::Conflict => SignUpError::Taken,
            StoreErrorKind::Unavailable
            | StoreErrorKind::Unwritable
            | StoreErrorKind::Missing
            | StoreErrorKind::Unreadable => SignUpError::Store(error),
        })?;
        if let Err(error) = self.accounts.set_password_hash(account.id, &hash).await {
            // The owner could not sign in to an account without a password, and the address would stay taken.
            if let Err(stays) = self.accounts.delete(account.id).await {
                tracing::error!(account = account.id.0, cause = %stays, "an account without a password could not be undone");
            }
            return Err(SignUpError::Store(error));
        }
        self.begin(account.id).await.map_err(SignUpError::from)
    }

    /// Signs an owner in; the session has a new secret.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn log_in(
        &self,
        email: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<SessionSecret, SignInError> {
        self.from_address.check(&from).map_err(SignInError::Throttled)?;
        let Ok(email) = Email::parse(email) else {
            self.from_address.count(&from);
            return Err(SignInError::Wrong);
        };
        let here = (email.clone(), from);
        self.from_here.check(&here).map_err(SignInError::Throttled)?;
        self.from_anywhere.check(&email).map_err(SignInError::Throttled)?;
        // Counted before the slow password check, so that concurrent tries all count.
        self.from_here.count(&here);
        self.from_anywhere.count(&email);
        self.from_address.count(&from);
        let account = self.accounts.find(&email).await.map_err(SignInError::Store)?;
        let account = self.verified(account, password).await?.ok_or(SignInError::Wrong)?;
        self.from_here.forgive(&here);
        self.from_anywhere.uncount(&email);
        self.from_address.uncount(&from);
        self.begin(account.id).await
    }

    /// Computes the placeholder hash in advance. Otherwise the first unknown address would take longer.
    ///
    /// # Errors
    /// Those of the hasher.
    pub async fn prepare(&self) -> Result<(), PasswordError> {
        self.placeholder_hash().await.map(drop)
    }

    /// The account of a presented secret, if its session has not ended.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(&self, presented: &str) -> Result<Option<Account>, StoreError> {
        let (digest, now) = (session_secret::digest_of(presented), self.clock.now());
        let Some(session) = self.sessions.find(&digest).await? else { return Ok(None) };
        if is_past(session.begun, ABSOLUTE, now) || is_past(session.seen, IDLE, now) {
            self.sessions.end(&digest).await?;
            return Ok(None);
        }
        if is_past(session.seen, NOTE_EVERY, now) {
            self.sessions.note_seen(&digest, now).await?;
        }
        self.accounts.by_id(session.account).await
    }

    /// Ends the session with this secret.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn log_out(&self, presented: &str) -> Result<(), StoreError> {
        self.sessions.end(&session_secret::digest_of(presented)).await
    }

    /// Changes a password, given the current one. Every session of the account ends, and a new one begins.
    ///
    /// # Errors
    /// [`ChangePasswordError`].
    pub async fn change_password(
        &self,
        account: &Account,
        current: &str,
        new: &str,
        from: Option<IpAddr>,
    ) -> Result<SessionSecret, ChangePasswordError> {
        self.confirm(account, current, from).await.map_err(ChangePasswordError::Current)?;
        password_rules::check(new, account.email.as_str()).map_err(SignUpError::Weak)?;
        let hash = self.hasher.hash(new).await.map_err(|error| SignUpError::from(SignInError::from(error)))?;
        self.accounts.set_password_hash(account.id, &hash).await.map_err(SignUpError::Store)?;
        self.sessions.end_all(account.id).await.map_err(SignUpError::Store)?;
        Ok(self.begin(account.id).await.map_err(SignUpError::from)?)
    }

    /// Deletes an account and all its data, given its password.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn delete(&self, account: &Account, password: &str, from: Option<IpAddr>) -> Result<(), SignInError> {
        self.confirm(account, password, from).await?;
        self.accounts.delete(account.id).await.map_err(SignInError::Store)?;
        Ok(())
    }

    /// Deletes expired sessions. Call it about every ten minutes.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn sweep(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let before = |age: SignedDuration| now.checked_sub(age).unwrap_or(Timestamp::MIN);
        self.sessions.sweep(before(ABSOLUTE), before(IDLE)).await
    }

    /// Checks the password of a signed-in owner. Tries count like those of signing in.
    async fn confirm(&self, account: &Account, password: &str, from: Option<IpAddr>) -> Result<(), SignInError> {
        let here = (account.email.clone(), from);
        self.from_here.check(&here).map_err(SignInError::Throttled)?;
        self.from_here.count(&here);
        self.verified(Some(account.clone()), password).await?.ok_or(SignInError::Wrong)?;
        self.from_here.forgive(&here);
        Ok(())
    }

    async fn placeholder_hash(&self) -> Result<&String, PasswordError> {
        self.placeholder.get_or_try_init(|| self.hasher.hash("no account has this password")).await
    }

    /// The account, if the password is right. Takes the same time if there is no account.
    async fn verified(&self, account: Option<Account>, password: &str) -> Result<Option<Account>, SignInError> {
        let stored = match &account {
            Some(account) => self.accounts.password_hash(account.id).await.map_err(SignInError::Store)?,
            None => None,
        };
        let (Some(account), Some(hash)) = (account, stored) else {
            self.hasher.verify(password, self.placeholder_hash().await?).await?;
            return Ok(None);
        };
        if !self.hasher.verify(password, &hash).await? {
            return Ok(None);
        }
        if !self.hasher.is_current(&hash) {
            let hash = self.hasher.hash(password).await?;
            self.accounts.set_password_hash(account.id, &hash).await.map_err(SignInError::Store)?;
        }
        Ok(Some(account))
    }

    async fn begin(&self, account: AccountId) -> Result<SessionSecret, SignInError> {
        let secret = SessionSecret::generate(self.fill).map_err(|_| SignInError::Busy)?;
        self.sessions.begin(&secret.digest(), account, self.clock.now()).await.map_err(SignInError::Store)?;
        Ok(secret)
    }
}

/// Whether `age` has passed since an instant; `false` if the clock went back.
fn is_past(since: Timestamp, age: SignedDuration, now: Timestamp) -> bool {
    now.duration_since(since) >= age
}

impl From<PasswordError> for SignInError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => tracing::warn!("the queue of passwords to check is full: a sign-in is refused"),
            PasswordError::Failed(cause) => tracing::error!(%cause, "a password could not be hashed or checked"),
        }
        Self::Busy
    }
}

impl From<SignInError> for SignUpError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Wrong | SignInError::Busy => Self::Busy,
            SignInError::Throttled(throttled) => Self::Throttled(throttled),
            SignInError::Store(error) => Self::Store(error),
        }
    }
}
