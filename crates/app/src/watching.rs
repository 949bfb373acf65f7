//! Watching RUCs: an account's list, and the changes of its RUCs.

mod cursor;
mod mail_changes;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_ports::{
    ChangeFeed, ChangedDatum, FeedChange, FeedCursor, FeedError, FeedPage, FeedQuery, FeedRucs, RegistrySnapshot,
    StoreError, StoreErrorKind, UnpaidRucsError, WatchCode, WatchEntry, WatchLimits, WatchListChange, WatchListId,
    WatchLists, WatchedRuc, WatchedSet,
};
use thiserror::Error;

use crate::access::{Admission, AdmitError, ChargedCall};
use crate::lookup::changes;

pub use mail_changes::MailChanges;

/// The most RUCs of a page or a change of a list.
pub const MAX_RUCS: usize = 1_000;
/// The most changes of a page.
pub const MAX_CHANGES: usize = 1_000;
/// Blocks of change lists that a page may read for free to find nothing.
const FREE_BLOCKS: usize = 16;
/// How long a natural person must be watched to be shown for free.
const PERSONS_AFTER: SignedDuration = SignedDuration::from_hours(24);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WatchedPage {
    /// Of the whole list.
    pub total: u64,
    /// Ascending.
    pub rucs: Vec<WatchEntry>,
    /// The cursor of the next page, if any.
    pub next: Option<String>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ChangesQuery<'a> {
    /// A cursor or a date; `None` = only later ones.
    pub from: Option<&'a str>,
    /// The most changes; `None` = the default.
    pub limit: Option<&'a str>,
    /// `true`: changes of all companies; `false`: only of the watched RUCs.
    pub all: bool,
    /// The names of the data; `None` = all.
    pub data: Option<&'a [&'a str]>,
}

#[derive(Clone, Debug)]
pub struct ChangesPage {
    pub page: FeedPage,
    /// The account's list, if the page needed it.
    pub watched: Option<Arc<WatchedSet>>,
    pub next: String,
}

#[derive(Debug, Error)]
pub enum ChangesError {
    /// The limit is not a number from 1 to [`MAX_CHANGES`].
    #[error("the limit is out of range")]
    Limit,
    #[error("{found:?} is not a known field")]
    Datum { found: String, known: Vec<&'static str> },
    /// Neither a date nor a cursor of this account.
    #[error("the cursor cannot be read")]
    Cursor {
        /// The first possible date; `None` = there is no edition.
        since: Option<Date>,
    },
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a list was not changed. Nothing was charged.
#[derive(Debug, Error)]
pub enum ChangeListError {
    #[error("the list would have more RUCs than the plan allows")]
    Full,
    /// The RUCs that are not free could not be charged.
    #[error(transparent)]
    NotCharged(#[from] AdmitError),
    #[error(transparent)]
    Store(StoreError),
}

pub struct Watching {
    lists: Arc<dyn WatchLists>,
    feed: Arc<dyn ChangeFeed>,
    admission: Arc<Admission>,
}

impl Watching {
    pub fn new(lists: Arc<dyn WatchLists>, feed: Arc<dyn ChangeFeed>, admission: Arc<Admission>) -> Self {
        Self { lists, feed, admission }
    }

    /// Adds RUCs to the account's list, then removes others, all or none. Charges a query for each RUC beyond the
    /// month's free ones.
    ///
    /// # Errors
    /// [`ChangeListError`]; nothing was changed then.
    pub async fn change(
        &self,
        call: &ChargedCall,
        add: &[WatchedRuc],
        remove: &[Ruc],
    ) -> Result<WatchListChange, ChangeListError> {
        let plan = &call.caller.plan;
        loop {
            let (paid, now) = (call.queries(), self.admission.now());
            let (most, free) = (plan.watched, plan.free_additions());
            let limits = WatchLimits { most, free, paid, now, month: call.period };
            match self.lists.change(call.caller.watch_list(), add, remove, limits).await {
                Ok(Ok(change)) => return Ok(change),
                Ok(Err(UnpaidRucsError { queries })) => {
                    self.admission.charge(call, queries - paid).await.inspect_err(|_| call.refund())?;
                }
                Err(error) => {
                    call.refund();
                    let is_full = error.kind == StoreErrorKind::LimitReached;
                    return Err(if is_full { ChangeListError::Full } else { ChangeListError::Store(error) });
                }
            }
        }
    }

    /// Whether a watched RUC's data is shown for free. Otherwise a number made from a DNI would be turned into a name
    /// at once.
    pub fn is_shown(&self, entry: &WatchEntry) -> bool {
        is_shown(entry, self.admission.now())
    }

    /// A taxpayer's last recorded change.
    pub fn last_change(&self, snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> Option<FeedChange> {
        let history = snapshot.history(ruc).ok()??;
        changes(&history, ruc, Date::MIN).0.into_iter().next()
    }

    /// A page of the account's list. The inner `None` = a foreign cursor.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn watched(
        &self,
        call: &ChargedCall,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<Option<WatchedPage>, StoreError> {
        let list = call.caller.watch_list();
        let after = match cursor {
            None => None,
            Some(cursor) => match cursor::open(list, cursor).and_then(|ruc| Ruc::parse(&ruc).ok()) {
                Some(after) => Some(after),
                None => return Ok(None),
            },
        };
        let (mut rucs, total) = self.lists.watched(list, after, limit as u32 + 1).await?;
        let has_more = rucs.len() > limit;
        rucs.truncate(limit);
        let last = rucs.last().filter(|_| has_more);
        let next = last.map(|last| cursor::bind(list, &last.watched.ruc.to_string()));
        Ok(Some(WatchedPage { total, rucs, next }))
    }

    /// The account's own code of a RUC; `None` = it has none, or is not watched.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn code(&self, call: &ChargedCall, ruc: Ruc) -> Result<Option<WatchCode>, StoreError> {
        let watched = self.lists.watched_set(call.caller.watch_list()).await?;
        Ok(watched.code(ruc).and_then(|code| WatchCode::parse(code).ok()).flatten())
    }

    /// # Errors
    /// [`ChangesError`].
    pub async fn changes(&self, call: &ChargedCall, query: ChangesQuery<'_>) -> Result<ChangesPage, ChangesError> {
        let list = call.caller.watch_list();
        let ChangesQuery { from, limit, all, data } = query;
        // The JSON number 100 may be `100.0`.
        let number = |limit: &str| limit.strip_suffix(".0").unwrap_or(limit).parse();
        let limit = limit.map_or(Ok(100), number).map_err(|_| ChangesError::Limit)?;
        if !(1..=MAX_CHANGES).contains(&limit) {
            return Err(ChangesError::Limit);
        }
        let data = data.map(|names| names.iter().map(|name| self.datum(name)).collect()).transpose()?;
        let new_since = Timestamp::MIN;
        let (after, empty) = match from {
            None => {
                let next = self.feed.newest().await?;
                (next.clone(), Some(FeedPage { changes: Vec::new(), next, is_last: true, blocks: 0 }))
            }
            Some(from) => {
                let after = self.cursor(list, from).await?;
                let empty = self.feed.empty_page(&after, new_since).await?;
                (after, empty)
            }
        };
        let (page, watched) = match empty {
            // The account's list may be long and is not read.
            Some(page) => (page, None),
            None => {
                // Companies have the account's codes too.
                let watched = Arc::new(self.lists.watched_set(list).await?);
                let rucs = if all { FeedRucs::Companies } else { FeedRucs::Watched(Arc::clone(&watched)) };
                let query = FeedQuery { after, new_since, rucs, data, limit, one_publication: false };
                (self.feed.page(query).await?, Some(watched))
            }
        };
        Ok(ChangesPage { next: cursor::bind(list, &page.next.to_string()), page, watched })
    }

    fn datum(&self, name: &str) -> Result<ChangedDatum, ChangesError> {
        let known = self.feed.data();
        let found = known.iter().find(|datum| datum.name() == name).copied();
        let names = || known.iter().map(|datum| datum.name()).collect();
        found.ok_or_else(|| ChangesError::Datum { found: name.to_owned(), known: names() })
    }

    /// The position of a date or a cursor.
    async fn cursor(&self, list: WatchListId, from: &str) -> Result<FeedCursor, ChangesError> {
        if let Ok(date) = Date::parse(from) {
            return Ok(self.feed.since(date).await?);
        }
        let read = || cursor::open(list, from)?.parse().ok();
        match read() {
            Some(cursor) => Ok(cursor),
            None => Err(match self.feed.since(Date::MIN).await {
                Err(FeedError::NotRecorded { since }) => ChangesError::Cursor { since },
                Err(error) => error.into(),
                Ok(_) => ChangesError::Cursor { since: Some(Date::MIN) },
            }),
        }
    }
}

fn is_shown(entry: &WatchEntry, now: Timestamp) -> bool {
    entry.watched.ruc.kind() == RucKind::LegalPerson || now.duration_since(entry.added) >= PERSONS_AFTER
}

impl ChangesPage {
    /// Whether the page costs a query: it has changes, or much was read to find none.
    pub const fn is_charged(&self) -> bool {
        !self.page.changes.is_empty() || self.page.blocks > FREE_BLOCKS
    }
}
