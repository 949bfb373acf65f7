//! The feed of test tokens: a change a minute of one company, from the clock alone.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::MinuteFeed;
use kuraka_domain::{Date, Ruc};
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{ChangeFeed, ChangedDatum, FeedCursor, FeedError, FeedPage, FeedQuery, FeedRucs, WatchedRuc};

use super::files::ruc;

const CHANGING: &str = "20999990038";
/// 22:30:30 of 19 November in Lima.
const NOW: &str = "2026-11-20T03:30:30Z";

kuraka_ports::contract!(feed, MinuteFeed, (Arc::new(feed(&clock())), ()));

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(NOW.parse().unwrap()))
}

fn feed(clock: &Arc<ManualClock>) -> MinuteFeed {
    MinuteFeed::new(ruc(CHANGING), clock.clone())
}

fn watched(ruc: Ruc) -> FeedRucs {
    FeedRucs::Watched(Arc::new([WatchedRuc { ruc, code: None }].into_iter().collect()))
}

async fn page(feed: &MinuteFeed, after: &FeedCursor, rucs: FeedRucs, limit: usize) -> FeedPage {
    let (after, new_since) = (after.clone(), jiff::Timestamp::MIN);
    feed.page(FeedQuery { after, new_since, rucs, data: None, limit, one_publication: false }).await.unwrap()
}

#[tokio::test]
async fn each_minute_has_one_change_on_every_server() {
    let clock = clock();
    let (feed, other) = (feed(&clock), feed(&clock));
    let begin = feed.newest().await.unwrap();
    clock.advance(Duration::from_secs(29));
    assert_eq!(feed.newest().await.unwrap(), begin, "the minute is not over");
    clock.advance(Duration::from_secs(3 * 60));
    let whole = page(&feed, &begin, watched(ruc(CHANGING)), 100).await;
    let texts: Vec<_> = whole.changes.iter().map(|it| (&*it.what.before, &*it.what.after)).collect();
    assert_eq!((texts.len(), whole.is_last), (3, true));
    assert_eq!(texts[0], (texts[1].1, texts[1].0), "the condition changes back and forth");
    assert_eq!(whole.changes[0].date, Date::new(2026, 11, 19).unwrap(), "Lima's day");
    let first = page(&other, &begin, FeedRucs::Companies, 2).await;
    let second = page(&other, &first.next, FeedRucs::Companies, 2).await;
    assert_eq!((first.is_last, second.is_last), (false, true));
    assert_eq!([first.changes, second.changes].concat(), whole.changes);
    assert_eq!(second.next, whole.next);
    let nothing = page(&feed, &begin, watched(ruc("20131312955")), 100).await;
    assert_eq!((nothing.changes.len(), nothing.next, nothing.is_last), (0, whole.next, true));
}

#[tokio::test]
async fn the_feed_reaches_back_to_yesterday() {
    let feed = feed(&clock());
    let day = |day| Date::new(2026, 11, day).unwrap();
    let since = page(&feed, &feed.since(day(18)).await.unwrap(), watched(ruc(CHANGING)), 5_000).await;
    assert_eq!(since.changes.len(), 24 * 60 + 22 * 60 + 31, "the minute that has begun, too");
    assert_eq!(since.changes[0].date, day(18));
    let refused = feed.since(day(17)).await;
    assert!(matches!(refused, Err(FeedError::NotRecorded { since: Some(date) }) if date == day(18)), "{refused:?}");
    let tomorrow = feed.since(day(21)).await.unwrap();
    assert_eq!(tomorrow, feed.newest().await.unwrap());
    let other = FeedCursor::default();
    assert!(matches!(feed.empty_page(&other, jiff::Timestamp::MIN).await, Err(FeedError::NotRecorded { .. })));
    let recovered = feed.recover(other, jiff::Timestamp::MIN).await.unwrap();
    assert_eq!(recovered, feed.since(day(18)).await.unwrap());
}

#[tokio::test]
async fn other_data_do_not_change() {
    let feed = feed(&clock());
    let after = feed.since(Date::new(2026, 11, 19).unwrap()).await.unwrap();
    for (datum, count) in [(ChangedDatum::Condition, 5), (ChangedDatum::Name, 0)] {
        let (after, data) = (after.clone(), Some(vec![datum]));
        let (new_since, rucs) = (jiff::Timestamp::MIN, FeedRucs::Companies);
        let found = feed.page(FeedQuery { after, new_since, rucs, data, limit: 5, one_publication: false }).await;
        assert_eq!(found.unwrap().changes.len(), count, "{datum:?}");
    }
}
