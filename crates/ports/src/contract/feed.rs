//! What [`ChangeFeed`] promises of any feed. Its content is tested against a model.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::Ruc;

use super::is_word;
use crate::{ChangeFeed, FeedQuery, FeedRucs, WatchedRuc};

pub async fn nothing_is_left_behind_the_newest_cursor<S: ChangeFeed>(feed: Arc<S>) {
    let newest = feed.newest().await.expect("a feed that answers");
    let ruc = Ruc::parse("20100119227").expect("a RUC");
    let watched = Arc::new([WatchedRuc { ruc, code: None }].into_iter().collect());
    for rucs in [FeedRucs::Companies, FeedRucs::Watched(watched)] {
        let (after, new_since) = (newest.clone(), Timestamp::MIN);
        let query = FeedQuery { after, new_since, rucs, data: None, limit: 1, one_publication: false };
        let page = feed.page(query).await.expect("a feed that answers");
        assert_eq!((&*page.changes, &page.next, page.is_last), (&[][..], &newest, true));
        assert_eq!(feed.empty_page(&newest, new_since).await.expect("a feed that answers"), Some(page));
    }
    assert_eq!(newest.to_string().parse(), Ok(newest));
}

pub async fn every_datum_has_a_name_of_its_own<S: ChangeFeed>(feed: Arc<S>) {
    let mut names: Vec<_> = feed.data().into_iter().map(|datum| datum.name()).collect();
    let count = names.len();
    assert!(names.iter().all(|name| is_word(name)));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
