//! Callers that were recognised before, by the digest of their token.
//!
//! On the way of every call, so it is a map and a lock and nothing else: a cache that keeps track of use costs more
//! than the rest of recognising a caller. What was remembered in another generation is not known.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use kuraka_ports::TokenDigest;

use crate::Caller;

/// Callers remembered in one part; a part that is full is emptied, and whoever still calls is looked up once more.
const PER_PART: usize = 8_192;
/// Parts, so that threads that remember do not wait for each other.
const PARTS: usize = 16;

/// A map in parts.
#[derive(Default)]
pub(crate) struct KnownCallers([RwLock<HashMap<TokenDigest, Known, BuildHasherDefault<DigestHasher>>>; PARTS]);

struct Known {
    generation: u64,
    caller: Arc<Caller>,
}

impl KnownCallers {
    /// The caller remembered in this generation.
    pub(crate) fn find(&self, digest: &TokenDigest, generation: u64) -> Option<Arc<Caller>> {
        let part = self.part(digest)?.read().unwrap_or_else(PoisonError::into_inner);
        part.get(digest).filter(|known| known.generation == generation).map(|known| Arc::clone(&known.caller))
    }

    pub(crate) fn remember(&self, digest: TokenDigest, generation: u64, caller: Arc<Caller>) {
        let Some(part) = self.part(&digest) else { return };
        let mut part = part.write().unwrap_or_else(PoisonError::into_inner);
        if part.len() >= PER_PART {
            part.clear();
        }
        part.insert(digest, Known { generation, caller });
    }

    /// Everybody who is remembered, in whatever generation.
    pub(crate) fn all(&self) -> Vec<Arc<Caller>> {
        let of = |part: &RwLock<HashMap<TokenDigest, Known, _>>| {
            let part = part.read().unwrap_or_else(PoisonError::into_inner);
            part.values().map(|known| Arc::clone(&known.caller)).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(of).collect()
    }

    fn part(
        &self,
        digest: &TokenDigest,
    ) -> Option<&RwLock<HashMap<TokenDigest, Known, BuildHasherDefault<DigestHasher>>>> {
        // The last byte: the hash takes the first eight.
        self.0.get(usize::from(*digest.0.last()?) % PARTS)
    }
}

/// A SHA-256 is its own hash.
#[derive(Default)]
struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk::<8>() {
            self.0 = u64::from_le_bytes(*first);
        }
    }

    fn write_usize(&mut self, _length: usize) {}
}
