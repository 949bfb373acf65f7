//! The key of the checksums of tokens and sessions, as a server's parts share it.

use std::array::from_fn;
use std::sync::Arc;

use hmac::{Hmac, KeyInit};
use kuraka_ports::TokenKey;
use parking_lot::RwLock;
use sha2::Sha256;

/// The store's key; replaced when another store is copied into the server's.
#[derive(Clone)]
pub struct CheckKey(Arc<RwLock<TokenKey>>);

impl CheckKey {
    pub(crate) fn get(&self) -> TokenKey {
        *self.0.read()
    }

    pub(super) fn replace(&self, key: TokenKey) {
        *self.0.write() = key;
    }
}

impl From<TokenKey> for CheckKey {
    fn from(key: TokenKey) -> Self {
        Self(Arc::new(RwLock::new(key)))
    }
}

pub(crate) fn hmac(key: &TokenKey) -> Hmac<Sha256> {
    // HMAC pads a key to a block with zeros.
    let block: [u8; 64] = from_fn(|at| key.0.get(at).copied().unwrap_or(0));
    Hmac::new(&block.into())
}
