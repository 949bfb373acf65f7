//! Known devices: a browser that has logged in keeps a proof, also after the log-out. Its log-ins have their own
//! throttle, so that others' attempts do not lock its owner out.
//!
//! A proof is a random number and its HMAC under the stored password hash. So the server stores nothing, servers with
//! one store accept each other's proofs, and a new hash invalidates all proofs.

use hex::FromHex;
use hmac::{Hmac, KeyInit, Mac};
use kuraka_ports::AccountId;
use sha2::Sha256;

use crate::secret::Secret;

/// Bytes.
const RANDOM: usize = 16;
/// Bytes of the HMAC.
const CODE: usize = 32;

/// A known device of an account; its random number is its throttle's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Device {
    pub(super) account: AccountId,
    random: [u8; RANDOM],
}

/// Not verified yet.
pub(super) struct PresentedProof([u8; RANDOM + CODE]);

impl Device {
    pub(super) fn generate<E>(account: AccountId, fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Self, E> {
        let mut random = [0; RANDOM];
        fill(&mut random)?;
        Ok(Self { account, random })
    }

    /// The device's proof under this password hash, in hexadecimal digits.
    pub(super) fn proof(&self, hash: &str) -> Option<Secret> {
        let code = self.code(hash)?.finalize().into_bytes();
        Some(Secret(hex::encode(self.random) + &hex::encode(code)))
    }

    /// Never `None`: HMAC takes keys of any length.
    fn code(&self, hash: &str) -> Option<Hmac<Sha256>> {
        let mut code = Hmac::<Sha256>::new_from_slice(hash.as_bytes()).ok()?;
        code.update(b"kuraka device\0");
        code.update(&self.account.0.to_be_bytes());
        code.update(&self.random);
        Some(code)
    }
}

impl PresentedProof {
    /// `None` = not in the form of a proof.
    pub(super) fn read(text: &str) -> Option<Self> {
        <[u8; RANDOM + CODE]>::from_hex(text).ok().map(Self)
    }

    /// The device, if the proof is valid.
    pub(super) fn device(&self, account: AccountId, hash: &str) -> Option<Device> {
        let (random, code) = self.0.split_first_chunk::<RANDOM>()?;
        let device = Device { account, random: *random };
        // Compared in constant time.
        device.code(hash)?.verify_slice(code).ok().map(|()| device)
    }
}
