//! Signing up, in and out, changing a password, and deleting an account.
//!
//! It never tells whether an address has an account: a wrong password and an unknown address take as long and read
//! alike, and only a few sign-ups an hour from one address learn that an e-mail address is taken. It knows no cookies.

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

/// A session ends when it was not seen for this long.
pub const IDLE: SignedDuration = SignedDuration::from_mins(30);
/// A session ends after this long in any case.
pub const ABSOLUTE: SignedDuration = SignedDuration::from_hours(12);
/// A session's last-seen time is written at most this often: not every page costs a write.
const NOTE_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// Of one account from one address: a few typing errors cost no wait, many guesses up to a quarter of an hour.
const FROM_HERE: Allowance = Allowance {
    free: 5,
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(15 * 60),
    memory: Duration::from_secs(3_600),
};
/// Of one account from everywhere: slows down guesses from many addresses, and keeps the owner waiting for half a minute
/// at most.
const FROM_ANYWHERE: Allowance = Allowance {
    free: 20,
    first_wait: Duration::from_secs(1),
    longest_wait: Duration::from_secs(30),
    memory: Duration::from_secs(3_600),
};
/// From one address, for all accounts together: slows down one password tried on many.
const FROM_ADDRESS: Allowance = Allowance {
    free: 20,
    first_wait: Duration::from_secs(3),
    longest_wait: Duration::from_secs(60),
    memory: Duration::from_secs(600),
};
/// New accounts from one address.
const SIGN_UPS: Allowance = Allowance {
    free: 5,
    first_wait: Duration::from_secs(60),
    longest_wait: Duration::from_secs(3_600),
    memory: Duration::from_secs(3_600),
};

/// Where random bytes come from.
pub type Fill = fn(&mut [u8]) -> Result<(), getrandom::Error>;

/// Why a sign-in failed.
#[derive(Debug, Error)]
pub enum SignInError {
    /// Address and password do not belong together.
    #[error("the address and the password do not belong together")]
    Wrong,
    /// Too many tries.
    #[error(transparent)]
    Throttled(Throttled),
    /// The machine cannot do it now.
    #[error("passwords cannot be checked now")]
    Busy,
    /// The store could not be asked.
    #[error("the store could not be asked for the account")]
    Store(#[source] StoreError),
}

/// Why an account was not made, or a new password not taken.
#[derive(Debug, Error)]
pub enum SignUpError {
    /// The text is no e-mail address.
    #[error("the text is no e-mail address")]
    Email,
    /// The address has an account.
    #[error("the address has an account")]
    Taken,
    /// The password is too easy to guess.
    #[error("the password is refused")]
    Weak(#[source] WeakPassword),
    /// Too many tries.
    #[error(transparent)]
    Throttled(Throttled),
    /// The machine cannot do it now.
    #[error("passwords cannot be checked now")]
    Busy,
    /// The store could not be asked.
    #[error("the store could not be asked for the account")]
    Store(#[source] StoreError),
}

/// Why a password was not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// The current password is wrong, or could not be checked.
    #[error("the current password is not confirmed")]
    Current(#[source] SignInError),
    /// The new password is not taken.
    #[error("the new password is not taken")]
    New(#[from] SignUpError),
}

/// Signs people up, in and out.
pub struct SignIn {
    accounts: Arc<dyn Accounts>,
    sessions: Arc<dyn Sessions>,
    hasher: Arc<dyn PasswordHasher>,
    clock: Arc<dyn Clock>,
    fill: Fill,
    /// A hash that is checked where an account has none, so that the check takes as long.
    placeholder: OnceCell<String>,
    from_here: Throttle<(Email, Option<IpAddr>)>,
    from_anywhere: Throttle<Email>,
    from_address: Throttle<Option<IpAddr>>,
    sign_ups: Throttle<Option<IpAddr>>,
}

impl SignIn {
    /// Without tries.
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

    /// Makes an account of a plan, and signs its owner in.
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
        // Before the address is looked at, so that a taken one takes as long.
        let hash = self.hasher.hash(password).await?;
        let account = self.accounts.create(&email, plan, self.clock.now()).await.map_err(|error| match error.kind {
            StoreErrorKind::Conflict => SignUpError::Taken,
            StoreErrorKind::Unavailable | StoreErrorKind::Missing | StoreErrorKind::Unreadable => {
                SignUpError::Store(error)
            }
        })?;
        if let Err(error) = self.accounts.set_password_hash(account.id, &hash).await {
            // Without a password the account could never be signed in to, and would keep its address for good.
            if let Err(stays) = self.accounts.delete(account.id).await {
                tracing::error!(account = account.id.0, cause = %stays, "an account without a password could not be undone");
            }
            return Err(SignUpError::Store(error));
        }
        self.begin(account.id).await.map_err(SignUpError::from)
    }

    /// Signs an owner in, under a new secret.
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
        // Before the password is checked, which takes long: many tries at once are many tries.
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

    /// Makes the placeholder hash, so that the first unknown address is not recognised by its wait.
    ///
    /// # Errors
    /// Those of the hasher.
    pub async fn prepare(&self) -> Result<(), PasswordError> {
        self.placeholder_hash().await.map(drop)
    }

    /// The account behind a presented secret, if its session is still good.
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

    /// Ends the session of this secret.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn log_out(&self, presented: &str) -> Result<(), StoreError> {
        self.sessions.end(&session_secret::digest_of(presented)).await
    }

    /// Changes a password, given the current one; every session ends, and a new one begins.
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
        let hash = self.hasher.hash(new).await.map_err(SignUpError::from)?;
        self.accounts.set_password_hash(account.id, &hash).await.map_err(SignUpError::Store)?;
        self.sessions.end_all(account.id).await.map_err(SignUpError::Store)?;
        Ok(self.begin(account.id).await.map_err(SignUpError::from)?)
    }

    /// Erases an account with all that is kept of it, given its password.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn delete(&self, account: &Account, password: &str, from: Option<IpAddr>) -> Result<(), SignInError> {
        self.confirm(account, password, from).await?;
        self.accounts.delete(account.id).await.map_err(SignInError::Store)?;
        Ok(())
    }

    /// Forgets sessions that are over. To be called now and then.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn sweep(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let before = |age: SignedDuration| now.checked_sub(age).unwrap_or(Timestamp::MIN);
        self.sessions.sweep(before(ABSOLUTE), before(IDLE)).await
    }

    /// Checks the password of an owner who is signed in; tries count as those of signing in.
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

    /// The account, if the password is its own. Takes as long without an account.
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

/// Whether `age` has passed since an instant. A clock that went back makes nothing older.
fn is_past(since: Timestamp, age: SignedDuration, now: Timestamp) -> bool {
    now.duration_since(since) >= age
}

impl From<PasswordError> for SignInError {
    fn from(error: PasswordError) -> Self {
        tell(&error);
        Self::Busy
    }
}

impl From<PasswordError> for SignUpError {
    fn from(error: PasswordError) -> Self {
        tell(&error);
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

fn tell(error: &PasswordError) {
    match error {
        PasswordError::Busy => tracing::warn!("the queue of passwords to check is full: a sign-in is refused"),
        PasswordError::Failed(cause) => tracing::error!(%cause, "a password could not be hashed or checked"),
    }
}
