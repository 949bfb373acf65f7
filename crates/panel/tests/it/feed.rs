//! A change feed of the changes that a test publishes.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_domain::Date;
use kuraka_ports::{
    ChangeFeed, ChangedDatum, FeedChange, FeedCursor, FeedError, FeedPage, FeedPosition, FeedQuery, FeedRucs,
};

/// No edition was published.
#[derive(Default)]
pub(crate) struct ScriptedFeed(pub(crate) Mutex<Vec<FeedChange>>);

kuraka_ports::contract!(feed, ScriptedFeed, (Arc::new(ScriptedFeed::default()), ()));

impl ScriptedFeed {
    fn cursor(&self, changes: usize) -> FeedCursor {
        let [dataset, label, identity] = ["padron", "e", "e"].map(str::to_owned);
        let position = FeedPosition { dataset, number: changes as u64, label, identity };
        FeedCursor { positions: if changes == 0 { vec![] } else { vec![position] }, within: None }
    }
}

#[async_trait]
impl ChangeFeed for ScriptedFeed {
    fn data(&self) -> Vec<ChangedDatum> {
        Vec::new()
    }

    async fn newest(&self) -> Result<FeedCursor, FeedError> {
        Ok(self.cursor(self.0.lock().unwrap().len()))
    }

    async fn since(&self, _date: Date) -> Result<FeedCursor, FeedError> {
        if self.0.lock().unwrap().is_empty() { Err(FeedError::NotRecorded { since: None }) } else { Ok(self.cursor(0)) }
    }

    async fn recover(&self, cursor: FeedCursor, _: Timestamp) -> Result<FeedCursor, FeedError> {
        Ok(cursor)
    }

    async fn empty_page(&self, after: &FeedCursor, _: Timestamp) -> Result<Option<FeedPage>, FeedError> {
        if *after != self.newest().await? {
            return Ok(None);
        }
        Ok(Some(FeedPage { changes: Vec::new(), next: after.clone(), is_last: true, blocks: 0 }))
    }

    async fn page(&self, query: FeedQuery) -> Result<FeedPage, FeedError> {
        let FeedRucs::Watched(watched) = query.rucs else {
            return Ok(self.empty_page(&query.after, query.new_since).await?.unwrap());
        };
        let from = query.after.position("padron").map_or(0, |position| position.number as usize);
        let mut changes = self.0.lock().unwrap().clone();
        changes.drain(..from);
        changes.retain(|change| watched.rucs().contains(&change.ruc));
        Ok(FeedPage { changes, next: self.newest().await?, is_last: true, blocks: 0 })
    }
}
