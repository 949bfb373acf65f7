//! Known devices: a browser that has logged in keeps a proof of it, which survives the log-out. Its log-ins have their
//! own throttle, so that the attempts of others do not lock its owner out.
//!
//! A proof is a random number and its HMAC under the stored password hash, which only the server has. So the server
//! stores nothing, servers that share a store accept each other's proofs, and a new hash, of the same password too,
//! makes all proofs invalid.

use std::fmt;

use hex::FromHex;
use hmac::{Hmac, KeyInit, Mac};
use kuraka_ports::AccountId;
use sha2::Sha256;

/// Bytes.
const RANDOM: usize = 16;
/// Bytes of the HMAC.
const CODE: usize = 32;

/// A known device of one account; its random number is the key of its throttle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Device {
    pub(super) account: AccountId,
    random: [u8; RANDOM],
}

/// The proof that a device has logged in. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct DeviceProof(String);

/// A presented proof, not verified yet.
pub(super) struct PresentedProof([u8; RANDOM + CODE]);

impl Device {
    pub(super) fn generate<E>(account: AccountId, fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Self, E> {
        let mut random = [0; RANDOM];
        fill(&mut random)?;
        Ok(Self { account, random })
    }

    /// The proof of the device for an account with this password hash.
    pub(super) fn proof(&self, hash: &str) -> Option<DeviceProof> {
        let code = self.code(hash)?.finalize().into_bytes();
        Some(DeviceProof(hex::encode(self.random) + &hex::encode(code)))
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

impl DeviceProof {
    /// The proof's text, for the browser: hexadecimal digits.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl PresentedProof {
    /// `None` if the text does not have the form of a proof.
    pub(super) fn read(text: &str) -> Option<Self> {
        <[u8; RANDOM + CODE]>::from_hex(text).ok().map(Self)
    }

    /// The device, if the proof is valid for the account and its password hash.
    pub(super) fn device(&self, account: AccountId, hash: &str) -> Option<Device> {
        let (random, code) = self.0.split_first_chunk::<RANDOM>()?;
        let device = Device { account, random: *random };
        // Compared in constant time.
        device.code(hash)?.verify_slice(code).ok().map(|()| device)
    }
}

impl fmt::Debug for DeviceProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeviceProof(…)")
    }
}
