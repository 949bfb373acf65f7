//! A Bloom filter of the active tokens: it tells that a token is unknown without a query for that token.
//!
//! It exists only while a client's network presents too many unknown tokens. It takes 8 MiB, is filled from the store
//! page by page, and reads new tokens at most once a second, whatever the number of presented ones. A token that it has
//! is looked up in the store as usual, so an active token is never refused. Of the unknown tokens it lets 2 in 100
//! million pass with a million active tokens, and a quarter with sixteen million.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, StoreError, StoreErrorKind, TokenDigest, TokenId, Tokens};
use tokio::sync::Mutex;

/// Words of 64 bits: 8 MiB.
const WORDS: usize = 1 << 20;
/// Tokens that are read from the store at a time.
const PAGE: u32 = 10_000;
/// New tokens are read at most this often.
const READ_EVERY: Duration = Duration::from_secs(1);
/// The latest numbers are read again: a transaction with a smaller number may be committed after one with a larger.
const OVERLAP: i64 = 1_000;
/// The filter is dropped when it was not needed for this long.
const IDLE: Duration = Duration::from_secs(600);
/// The most digests that passed the filter and were unknown to the store; if there are more, all are forgotten.
const MOST_REFUTED: usize = 10_000;

/// The filter, while it is needed.
pub(super) struct KnownDigests {
    clock: Arc<dyn Clock>,
    filter: Mutex<Option<Filter>>,
}

struct Filter {
    bits: Vec<u64>,
    /// Digests of revoked tokens and false positives.
    refuted: HashSet<TokenDigest>,
    /// The largest number of a token that was read.
    latest: Option<TokenId>,
    next_read: Duration,
    last_read_failed: bool,
    last_needed: Duration,
}

impl KnownDigests {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, filter: Mutex::default() }
    }

    /// `false` = the store has no active token with this digest, except one that was created within the last second.
    ///
    /// # Errors
    /// Those of the store; for a second after an error, every digest that the filter does not have is an error.
    pub(super) async fn may_know(&self, tokens: &dyn Tokens, digest: &TokenDigest) -> Result<bool, StoreError> {
        // Callers wait here while one of them reads the new tokens.
        let mut filter = self.filter.lock().await;
        let filter = filter.get_or_insert_with(Filter::empty);
        let now = self.clock.monotonic();
        filter.last_needed = now;
        if filter.has(digest) {
            return Ok(true);
        }
        if now < filter.next_read {
            return if filter.last_read_failed { Err(StoreError::new(StoreErrorKind::Unavailable)) } else { Ok(false) };
        }
        let read = filter.read(tokens).await;
        filter.next_read = self.clock.monotonic() + READ_EVERY;
        filter.last_read_failed = read.is_err();
        read?;
        Ok(filter.has(digest))
    }

    /// Notes that the store does not know a digest, though the filter has it.
    pub(super) async fn refute(&self, digest: TokenDigest) {
        if let Some(filter) = &mut *self.filter.lock().await {
            if filter.refuted.len() >= MOST_REFUTED {
                filter.refuted.clear();
            }
            filter.refuted.insert(digest);
        }
    }

    /// Frees the memory of a filter that is no longer needed.
    pub(super) fn drop_idle(&self) {
        let Ok(mut filter) = self.filter.try_lock() else { return };
        let now = self.clock.monotonic();
        filter.take_if(|filter| now.saturating_sub(filter.last_needed) >= IDLE);
    }
}

impl Filter {
    fn empty() -> Self {
        Self {
            bits: vec![0; WORDS],
            refuted: HashSet::new(),
            latest: None,
            next_read: Duration::ZERO,
            last_read_failed: false,
            last_needed: Duration::ZERO,
        }
    }

    /// Adds the tokens that were created since the last read.
    async fn read(&mut self, tokens: &dyn Tokens) -> Result<(), StoreError> {
        let mut after = self.latest.map(|latest| TokenId(latest.0.saturating_sub(OVERLAP)));
        loop {
            let page = tokens.active(after, PAGE).await?;
            for (_, digest) in &page {
                for (word, bit) in positions(digest) {
                    if let Some(word) = self.bits.get_mut(word) {
                        *word |= bit;
                    }
                }
            }
            after = page.last().map(|(id, _)| *id);
            self.latest = self.latest.max(after);
            if page.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    fn has(&self, digest: &TokenDigest) -> bool {
        let is_set = |(word, bit)| self.bits.get(word).is_some_and(|word| word & bit != 0);
        positions(digest).all(is_set) && !self.refuted.contains(digest)
    }
}

/// The eight bits of a digest: index of the word, and mask within the word. A digest is random, so its own bytes serve
/// as the hash functions.
fn positions(digest: &TokenDigest) -> impl Iterator<Item = (usize, u64)> {
    let (chunks, _) = digest.0.as_chunks::<4>();
    chunks.iter().map(|chunk| {
        let number = u32::from_le_bytes(*chunk);
        (number as usize / 64 % WORDS, 1 << (number % 64))
    })
}
