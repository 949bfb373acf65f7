//! Password hashes with argon2id, a few at a time, on threads that do not serve requests. A hash takes 46 MiB and tens
//! of milliseconds by design, so further ones queue.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{Error as HashError, PasswordHasher as _, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;
use kuraka_ports::{PasswordError, PasswordHasher};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::Semaphore;
use tokio::task;

/// In KiB: OWASP's first recommended parameters, with one pass.
const MEMORY: u32 = 46 * 1024;
const PASSES: u32 = 1;
const LANES: u32 = 1;

/// Waiting callers: a few seconds of work.
const QUEUE: usize = 16;
/// The start of every hash with these parameters.
const CURRENT: &str = "$argon2id$v=19$m=47104,t=1,p=1$";
/// A hash of 32 random bytes, which were not stored.
const PLACEHOLDER: &str =
    "$argon2id$v=19$m=47104,t=1,p=1$IVjiaU1tAP0FwZSXDIFV8g$Qx7vMJ1IrvJ7wBWrFhJ4bE7VbAA4TP3sarlk09hmJpc";

#[derive(Clone, Debug)]
pub struct Passwords {
    permits: Arc<Semaphore>,
    /// For running and waiting hashes.
    places: Arc<Semaphore>,
}

impl Passwords {
    /// Uses half of the machine's cores.
    pub fn new() -> Self {
        let at_once = at_once();
        Self { permits: Arc::new(Semaphore::new(at_once)), places: Arc::new(Semaphore::new(at_once + QUEUE)) }
    }

    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, PasswordError> + Send + 'static,
    ) -> Result<T, PasswordError> {
        let _place = self.places.try_acquire().map_err(|_| PasswordError::Busy)?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| PasswordError::Busy)?;
        let worker = task::spawn_blocking(move || {
            let outcome = work();
            drop(permit);
            outcome
        });
        // The process is stopping.
        worker.await.map_err(|_| PasswordError::Busy)?
    }
}

/// Bounds their memory; the other cores serve requests.
fn at_once() -> usize {
    (thread::available_parallelism().map_or(1, NonZeroUsize::get) / 2).max(1)
}

#[async_trait]
impl PasswordHasher for Passwords {
    /// Queues. A hash that has begun keeps its permit even if the future is dropped.
    async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        let password = SecretString::from(password);
        self.in_turn(move || {
            let parameters = Params::new(MEMORY, PASSES, LANES, None).map_err(|error| failed(error.into()))?;
            Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
                .hash_password(password.expose_secret().as_bytes())
                .map(|hash| hash.to_string())
                .map_err(failed)
        })
        .await
    }

    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError> {
        let hash = PasswordHash::new(hash).map_err(|error| unreadable(error.into()))?;
        let password = SecretString::from(password);
        self.in_turn(move || match Argon2::default().verify_password(password.expose_secret().as_bytes(), &hash) {
            Ok(()) => Ok(true),
            Err(HashError::PasswordInvalid) => Ok(false),
            Err(error @ HashError::OutOfMemory) => Err(failed(error)),
            Err(error) => Err(unreadable(error)),
        })
        .await
    }

    fn capacity(&self) -> usize {
        at_once() + QUEUE
    }

    fn is_current(&self, hash: &str) -> bool {
        hash.starts_with(CURRENT)
    }

    fn placeholder(&self) -> &'static str {
        PLACEHOLDER
    }
}

/// The machine lacks memory or randomness.
fn failed(error: HashError) -> PasswordError {
    PasswordError::Failed(format!("{error}: check the machine's free memory").into())
}

/// This version cannot read the stored hash.
fn unreadable(error: HashError) -> PasswordError {
    PasswordError::Failed(format!("the stored hash cannot be read ({error}): set the password again").into())
}

impl Default for Passwords {
    fn default() -> Self {
        Self::new()
    }
}
