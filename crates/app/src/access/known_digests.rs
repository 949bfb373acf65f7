//! A Bloom filter of the active tokens: it tells that a token is unknown without a query for that token.
//!
//! It exists only while a client's network presents too many unknown tokens. It takes 8 MiB, is filled from the store
//! page by page, and reads new tokens at most once a second, whatever the number of presented ones. A token that it has
//! is looked up in the store as usual. So an active token is refused only in the second after it was created, or if its
//! transaction was committed after a thousand later ones, for ten minutes at most. Of the unknown tokens it lets 2 in
//! 100 million pass with a million active tokens, and a quarter with sixteen million.

use std::collections::HashSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kuraka_ports::{Clock, StoreError, StoreErrorKind, TokenDigest, TokenId, Tokens};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Words of 64 bits: 8 MiB.
const WORDS: usize = 1 << 20;
/// Tokens that are read from the store at a time.
const PAGE: u32 = 10_000;
/// New tokens are read at most this often.
pub(super) const READ_EVERY: Duration = Duration::from_secs(1);
/// The latest numbers are read again: a transaction with a smaller number may be committed after one with a larger.
const OVERLAP: i64 = 1_000;
/// All tokens are read again at most this often, for a transaction that is committed after more than [`OVERLAP`]
/// others.
const READ_WHOLE_EVERY: Duration = Duration::from_secs(600);
/// The longest wait for a read of the tokens: enough for a hundred thousand. A caller that waits has no place.
const WAIT: Duration = Duration::from_millis(250);
/// The filter is dropped when it was not needed for this long.
const IDLE: Duration = Duration::from_secs(600);
/// The most digests that passed the filter and were unknown to the store; if there are more, all are forgotten.
const MOST_REFUTED: usize = 10_000;

/// The filter, while it is needed.
pub(super) struct KnownDigests {
    clock: Arc<dyn Clock>,
    /// Locked for moments only, never while the store is asked.
    filter: Arc<Mutex<Option<Filter>>>,
    /// Notified when a read of the tokens ends.
    read_ended: Arc<Notify>,
}

struct Filter {
    bits: Vec<u64>,
    /// Digests of revoked tokens and false positives.
    refuted: HashSet<TokenDigest>,
    /// The largest number of a token that was read.
    latest: Option<TokenId>,
    is_being_read: bool,
    next_read: Duration,
    next_whole_read: Duration,
    last_read_failed: bool,
    last_needed: Duration,
}

impl KnownDigests {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, filter: Arc::default(), read_ended: Arc::default() }
    }

    /// `false` = the store has no active token with this digest, except one that was created within the last second.
    ///
    /// # Errors
    /// `Unavailable` for a digest that the filter does not have, if the tokens are being read for longer than [`WAIT`],
    /// or could not be read within the last second.
    pub(super) async fn may_know(&self, tokens: &Arc<dyn Tokens>, digest: &TokenDigest) -> Result<bool, StoreError> {
        let answer = async {
            loop {
                let mut ended = pin!(self.read_ended.notified());
                // From before the look at the filter, so that no end is missed.
                ended.as_mut().enable();
                if let Some(answer) = self.answer(tokens, digest) {
                    return answer;
                }
                ended.await;
            }
        };
        timeout(WAIT, answer).await.unwrap_or_else(|_| Err(StoreError::new(StoreErrorKind::Unavailable)))
    }

    /// The answer, if the filter has it now. `None` = the tokens are being read.
    fn answer(&self, tokens: &Arc<dyn Tokens>, digest: &TokenDigest) -> Option<Result<bool, StoreError>> {
        let mut filter = lock(&self.filter);
        let filter = filter.get_or_insert_with(Filter::empty);
        let now = self.clock.monotonic();
        filter.last_needed = now;
        if filter.has(digest) {
            return Some(Ok(true));
        }
        if filter.is_being_read {
            return None;
        }
        if now < filter.next_read {
            let failed = filter.last_read_failed;
            return Some(if failed { Err(StoreError::new(StoreErrorKind::Unavailable)) } else { Ok(false) });
        }
        filter.is_being_read = true;
        let is_whole = now >= filter.next_whole_read;
        let after = filter.latest.filter(|_| !is_whole).map(|latest| TokenId(latest.0.saturating_sub(OVERLAP)));
        // A separate task: a caller that leaves does not end it.
        let (tokens, clock) = (Arc::clone(tokens), Arc::clone(&self.clock));
        let (filter, ended) = (Arc::clone(&self.filter), Arc::clone(&self.read_ended));
        tokio::spawn(async move {
            let succeeded = read(&filter, &*tokens, after).await.is_ok();
            if let Some(filter) = &mut *lock(&filter) {
                filter.end_read(clock.monotonic(), is_whole, succeeded);
            }
            ended.notify_waiters();
        });
        None
    }

    /// Notes that the store does not know a digest, though the filter has it.
    pub(super) fn refute(&self, digest: TokenDigest) {
        if let Some(filter) = &mut *lock(&self.filter) {
            if filter.refuted.len() >= MOST_REFUTED {
                filter.refuted.clear();
            }
            filter.refuted.insert(digest);
        }
    }

    /// Frees the memory of a filter that is no longer needed.
    pub(super) fn drop_idle(&self) {
        let now = self.clock.monotonic();
        lock(&self.filter).take_if(|filter| !filter.is_being_read && now.saturating_sub(filter.last_needed) >= IDLE);
    }
}

/// Adds the tokens after `after`, page by page.
async fn read(
    filter: &Mutex<Option<Filter>>,
    tokens: &dyn Tokens,
    mut after: Option<TokenId>,
) -> Result<(), StoreError> {
    loop {
        let page = tokens.active(after, PAGE).await?;
        let last = page.last().map(|(id, _)| *id);
        if let Some(filter) = &mut *lock(filter) {
            page.iter().for_each(|(_, digest)| filter.add(digest));
            filter.latest = filter.latest.max(last);
        }
        if page.len() < PAGE as usize {
            return Ok(());
        }
        after = last;
    }
}

fn lock(filter: &Mutex<Option<Filter>>) -> MutexGuard<'_, Option<Filter>> {
    filter.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Filter {
    fn empty() -> Self {
        Self {
            bits: vec![0; WORDS],
            refuted: HashSet::new(),
            latest: None,
            is_being_read: false,
            next_read: Duration::ZERO,
            next_whole_read: Duration::ZERO,
            last_read_failed: false,
            last_needed: Duration::ZERO,
        }
    }

    fn add(&mut self, digest: &TokenDigest) {
        for (word, bit) in positions(digest) {
            if let Some(word) = self.bits.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Notes the end of a read.
    fn end_read(&mut self, now: Duration, is_whole: bool, succeeded: bool) {
        self.is_being_read = false;
        self.last_read_failed = !succeeded;
        self.next_read = now + READ_EVERY;
        if is_whole && succeeded {
            self.next_whole_read = now + READ_WHOLE_EVERY;
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
