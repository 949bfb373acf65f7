//! Password hashes: argon2id, away from the threads that answer, a few at a time.
//!
//! A hash takes 46 MiB and tens of milliseconds by intent, so that a flood of them must queue here and nowhere else.
//! This module refuses to know what a good password is, and where hashes are kept.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error as HashError, PasswordHasher as _, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;
use kuraka_ports::{self as ports, PasswordHasher};
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::task;

/// KiB: 46 MiB with one pass is the first of the parameter sets that OWASP recommends for argon2id.
const MEMORY: u32 = 46 * 1024;
const PASSES: u32 = 1;
const LANES: u32 = 1;

/// Callers that may wait for their turn: a few seconds' worth.
const QUEUE: usize = 16;
/// How hashes begin that are made as they are made now.
const CURRENT: &str = "$argon2id$v=19$m=47104,t=1,p=1$";

/// Makes and checks password hashes.
#[derive(Clone, Debug)]
pub struct Passwords {
    permits: Arc<Semaphore>,
    /// Places in the queue, those whose turn it is included.
    places: Arc<Semaphore>,
}

/// Why a password could be neither hashed nor checked.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// The stored hash is not one that this version can read.
    #[error("the stored password hash cannot be read: set the password again")]
    Unreadable(#[source] HashError),
    /// There is not enough memory or randomness.
    #[error("cannot compute a password hash: check the machine's free memory")]
    Failed(#[source] HashError),
    /// Too many are waiting.
    #[error("too many passwords are being checked: try again in a moment")]
    Busy,
    /// The process is stopping.
    #[error("the process is stopping: try again when it is back")]
    Stopping,
}

impl Passwords {
    /// Ready to hash.
    #[must_use]
    pub fn new() -> Self {
        let at_once = at_once();
        Self { permits: Arc::new(Semaphore::new(at_once)), places: Arc::new(Semaphore::new(at_once + QUEUE)) }
    }

    /// The PHC string (`$argon2id$v=19$m=47104,t=1,p=1$…`) of a password, with a salt of its own.
    ///
    /// Waits for its turn. A dropped future gives its turn back when the hash that has begun is done.
    ///
    /// # Errors
    /// `Failed`, `Busy`, `Stopping`.
    pub async fn hash(&self, password: SecretString) -> Result<String, PasswordError> {
        self.in_turn(move || {
            let parameters =
                Params::new(MEMORY, PASSES, LANES, None).map_err(|error| PasswordError::Failed(error.into()))?;
            Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
                .hash_password(password.expose_secret().as_bytes())
                .map(|hash| hash.to_string())
                .map_err(PasswordError::Failed)
        })
        .await
    }

    /// Whether `hash`, a PHC string, was made from this password. Takes as long for a wrong one as for the right one.
    ///
    /// Waits and is dropped like [`Passwords::hash`].
    ///
    /// # Errors
    /// `Unreadable`, `Failed`, `Busy`, `Stopping`.
    pub async fn verify(&self, password: SecretString, hash: &str) -> Result<bool, PasswordError> {
        let hash = PasswordHash::new(hash).map_err(|error| PasswordError::Unreadable(error.into()))?;
        self.in_turn(move || match Argon2::default().verify_password(password.expose_secret().as_bytes(), &hash) {
            Ok(()) => Ok(true),
            Err(HashError::PasswordInvalid) => Ok(false),
            Err(error @ HashError::OutOfMemory) => Err(PasswordError::Failed(error)),
            Err(error) => Err(PasswordError::Unreadable(error)),
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let _place = self.places.try_acquire().map_err(|_| PasswordError::Busy)?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| PasswordError::Stopping)?;
        let worker = task::spawn_blocking(move || {
            let outcome = work();
            drop(permit);
            outcome
        });
        worker.await.map_err(|_| PasswordError::Stopping)?
    }
}

/// Hashes computed at the same time, which bounds their memory: half of the cores stay with those who answer.
fn at_once() -> usize {
    (thread::available_parallelism().map_or(1, NonZeroUsize::get) / 2).max(1)
}

#[async_trait]
impl PasswordHasher for Passwords {
    async fn hash(&self, password: &str) -> Result<String, ports::PasswordError> {
        Self::hash(self, password.into()).await.map_err(ports::PasswordError::from)
    }

    async fn verify(&self, password: &str, hash: &str) -> Result<bool, ports::PasswordError> {
        Self::verify(self, password.into(), hash).await.map_err(ports::PasswordError::from)
    }

    fn is_current(&self, hash: &str) -> bool {
        hash.starts_with(CURRENT)
    }
}

impl From<PasswordError> for ports::PasswordError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy | PasswordError::Stopping => Self::Busy,
            PasswordError::Unreadable(_) | PasswordError::Failed(_) => Self::Failed(error.into()),
        }
    }
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}
