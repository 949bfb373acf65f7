//! The change feed of test tokens: one company's condition changes every minute. It is computed from the clock, so that
//! servers agree and nothing is stored.

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::{Date, Ruc};
use kuraka_ports::{
    ChangeFeed, ChangedDatum, Clock, DatumChange, FeedChange, FeedCursor, FeedError, FeedPage, FeedPosition, FeedQuery,
    FeedRucs,
};

use super::feed::all_data;

const DATASET: &str = "padron";
/// Lima is this many minutes behind UTC.
const BEHIND_UTC: u64 = 5 * 60;
const DAY: u64 = 24 * 60;
/// Complete days that the feed goes back.
const DAYS: u64 = 1;

pub struct MinuteFeed {
    ruc: Ruc,
    clock: Arc<dyn Clock>,
}

impl MinuteFeed {
    /// A publication is a minute of `clock`.
    pub fn new(ruc: Ruc, clock: Arc<dyn Clock>) -> Self {
        Self { ruc, clock }
    }

    /// The change of this minute.
    pub fn newest_change(&self) -> FeedChange {
        self.change(self.minute())
    }

    /// Since 1970, of Lima.
    fn minute(&self) -> u64 {
        let minute = self.clock.now().as_second() / 60;
        u64::try_from(minute).unwrap_or_default().saturating_sub(BEHIND_UTC)
    }

    /// The first minute of the feed.
    fn first(&self) -> u64 {
        (self.minute() / DAY).saturating_sub(DAYS) * DAY
    }

    fn not_recorded(&self) -> FeedError {
        FeedError::NotRecorded { since: Some(day(self.first())) }
    }

    /// The last minute that a cursor has passed.
    fn passed(&self, cursor: &FeedCursor) -> Result<u64, FeedError> {
        let passed = cursor.position(DATASET).map(|position| position.number);
        passed.filter(|passed| passed + 1 >= self.first()).ok_or_else(|| self.not_recorded())
    }

    fn change(&self, minute: u64) -> FeedChange {
        let (mut before, mut after) = ("HABIDO", "NO HABIDO");
        if minute % 2 == 1 {
            (before, after) = (after, before);
        }
        let (datum, before, after) = (ChangedDatum::Condition, Cow::Borrowed(before), Cow::Borrowed(after));
        let what = DatumChange { datum, before, after };
        FeedChange { ruc: self.ruc, date: day(minute), edition: label(minute).into(), what }
    }
}

fn day(minute: u64) -> Date {
    i32::try_from(minute / DAY).ok().and_then(Date::from_days_since_epoch).unwrap_or(Date::MAX)
}

fn label(minute: u64) -> String {
    format!("{}-{minute:08x}", day(minute))
}

fn behind(minute: u64) -> FeedCursor {
    let position =
        FeedPosition { dataset: DATASET.to_owned(), number: minute, label: label(minute), identity: "0".to_owned() };
    FeedCursor { positions: vec![position], within: None }
}

#[async_trait]
impl ChangeFeed for MinuteFeed {
    fn data(&self) -> Vec<ChangedDatum> {
        all_data()
    }

    async fn newest(&self) -> Result<FeedCursor, FeedError> {
        Ok(behind(self.minute()))
    }

    async fn since(&self, date: Date) -> Result<FeedCursor, FeedError> {
        let first = u64::try_from(date.days_since_epoch()).unwrap_or_default() * DAY;
        if first < self.first() {
            return Err(self.not_recorded());
        }
        Ok(behind(first.saturating_sub(1).min(self.minute())))
    }

    async fn recover(&self, cursor: FeedCursor, _new_since: Timestamp) -> Result<FeedCursor, FeedError> {
        Ok(if self.passed(&cursor).is_ok() { cursor } else { behind(self.first().saturating_sub(1)) })
    }

    async fn empty_page(&self, after: &FeedCursor, _new_since: Timestamp) -> Result<Option<FeedPage>, FeedError> {
        let is_last = self.passed(after)? >= self.minute();
        let page = || FeedPage { changes: Vec::new(), next: after.clone(), is_last, blocks: 0 };
        Ok(is_last.then(page))
    }

    async fn page(&self, query: FeedQuery) -> Result<FeedPage, FeedError> {
        let (passed, now) = (self.passed(&query.after)?, self.minute());
        let is_asked = match &query.rucs {
            FeedRucs::Companies => true,
            FeedRucs::Watched(watched) => watched.rucs().contains(&self.ruc),
        } && query.data.as_ref().is_none_or(|data| data.contains(&ChangedDatum::Condition));
        let limit = if query.one_publication { 1 } else { query.limit };
        let last = if is_asked { now.min(passed + limit as u64) } else { now };
        let changes =
            if is_asked { (passed + 1..=last).map(|minute| self.change(minute)).collect() } else { Vec::new() };
        Ok(FeedPage { changes, next: behind(last.max(passed)), is_last: last >= now, blocks: 0 })
    }
}
