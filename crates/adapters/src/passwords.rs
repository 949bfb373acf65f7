//! Password hashes with argon2id, a few at a time, on threads that do not serve requests.
//!
//! A hash takes 46 MiB and tens of milliseconds by design. Many concurrent hashes queue here and block nothing else.

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

/// In KiB. 46 MiB with one pass is the first parameter set that OWASP recommends for argon2id.
const MEMORY: u32 = 46 * 1024;
const PASSES: u32 = 1;
const LANES: u32 = 1;

/// Callers that may wait for their turn: work for a few seconds.
const QUEUE: usize = 16;
/// The beginning of every hash with the current parameters.
const CURRENT: &str = "$argon2id$v=19$m=47104,t=1,p=1$";

/// Makes and checks password hashes.
#[derive(Clone, Debug)]
pub struct Passwords {
    permits: Arc<Semaphore>,
    /// Places in the queue, including those of the hashes under way.
    places: Arc<Semaphore>,
}

/// Why a password could be neither hashed nor checked.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// This version cannot read the stored hash.
    #[error("the stored password hash cannot be read: set the password again")]
    Unreadable(#[source] HashError),
    /// The machine lacks memory or randomness.
    #[error("cannot compute a password hash: check the machine's free memory")]
    Failed(#[source] HashError),
    /// Too many callers are waiting.
    #[error("too many passwords are being checked: try again in a moment")]
    Busy,
    /// The process is stopping.
    #[error("the process is stopping: try again when it is back")]
    Stopping,
}

impl Passwords {
    /// A hasher that uses half of the machine's cores.
    #[must_use]
    pub fn new() -> Self {
        let at_once = at_once();
        Self { permits: Arc::new(Semaphore::new(at_once)), places: Arc::new(Semaphore::new(at_once + QUEUE)) }
    }

    /// The PHC string (`$argon2id$v=19$m=47104,t=1,p=1$…`) of a password, with its own salt.
    ///
    /// Waits for its turn. If the future is dropped, a hash that has begun keeps its turn until it is done.
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

    /// Whether `hash`, a PHC string, was made from this password. A wrong password takes as long as the right one.
    ///
    /// Waits, and can be dropped, as [`Passwords::hash`].
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

/// Hashes computed at the same time. This bounds their memory; the other half of the cores serves requests.
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

    fn capacity(&self) -> usize {
        at_once() + QUEUE
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
