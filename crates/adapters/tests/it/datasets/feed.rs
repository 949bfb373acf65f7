//! The feed of changes: every change of the requested taxpayers once and in order, none else.

mod builders;
mod model;

use std::fs;
use std::sync::Arc;
use std::time::SystemTime;

use jiff::Timestamp;

use kuraka_adapters::datasets::FolderFeed;
use kuraka_domain::{Date, Ruc};
use kuraka_ports::{ChangeFeed, FeedCursor, FeedError, FeedPage, FeedQuery, FeedRucs, WatchedRuc, WatchedSet};
use kuraka_registry::changes::remove_old_changes;
use kuraka_registry::dataset::{ALL, Dataset, PADRON, RETENCION};
use kuraka_registry::{Import, NoProgress, SourceFile, import, rollback};
use tempfile::TempDir;

use super::files::{company, list_of, padron};

kuraka_ports::contract!(feed, FolderFeed, published());

fn published() -> (Arc<FolderFeed>, TempDir) {
    let folder = TempDir::new().unwrap();
    (1..=2).for_each(|day| drop(publish(&folder, &PADRON, day, &companies(3, day.into()))));
    (Arc::new(feed(&folder)), folder)
}

fn feed(folder: &TempDir) -> FolderFeed {
    FolderFeed::new(folder.path(), ALL)
}

fn watched(rucs: impl IntoIterator<Item = Ruc>) -> FeedRucs {
    let set: WatchedSet = rucs.into_iter().map(|ruc| WatchedRuc { ruc, code: None }).collect();
    FeedRucs::Watched(Arc::new(set))
}

fn query(after: &FeedCursor, rucs: &FeedRucs, limit: usize) -> FeedQuery {
    let new_since = Timestamp::MIN;
    FeedQuery { after: after.clone(), new_since, rucs: rucs.clone(), data: None, limit, one_publication: false }
}

async fn page(feed: &FolderFeed, after: &FeedCursor, rucs: &FeedRucs) -> FeedPage {
    feed.page(query(after, rucs, 1_000)).await.unwrap()
}

/// Publishes a file of a day of November 2026, whatever the guards say, and returns the edition's label.
fn publish(folder: &TempDir, dataset: &'static Dataset, day: u8, content: &[u8]) -> String {
    let file = folder.path().join("source");
    fs::write(&file, content).unwrap();
    let date = Some(Date::new(2026, 11, day).unwrap());
    let request =
        Import { date, force: true, ..Import::new(SourceFile::local(&file), Date::new(2026, 11, 30).unwrap()) };
    import(folder.path(), dataset, &request, &NoProgress).unwrap().label
}

/// A padrón of these companies, of which the last ones are not found.
fn companies(count: u32, lost: u32) -> Vec<u8> {
    let line = |n: u32| {
        let condition = if n + lost < count { "HABIDO" } else { "NO HABIDO" };
        format!("{}|EMPRESA {n} {}|ACTIVO|{condition}|150101|-|-|-|-|-|-|-|-|-|-|", company(n), "X".repeat(90))
    };
    padron(&(0..count).map(line).collect::<Vec<_>>())
}

fn list(companies: std::ops::Range<u32>) -> Vec<u8> {
    list_of(&companies.map(|n| format!("{}|EMPRESA|01/06/2002|RS|", company(n))).collect::<Vec<_>>(), "\r")
}

fn texts(page: &FeedPage) -> Vec<String> {
    let text = |change: &kuraka_ports::FeedChange| {
        let (what, day) = (&change.what, change.date.day());
        format!("{day} {} {} {}>{}", u64::from(change.ruc.body()) % 100, what.datum.name(), what.before, what.after)
    };
    page.changes.iter().map(text).collect()
}

#[tokio::test]
async fn a_rollback_is_told_as_the_reverse() {
    // From a damaged edition, the change list that led to it is read once more, in reverse.
    for is_damaged in [false, true] {
        let folder = TempDir::new().unwrap();
        publish(&folder, &PADRON, 1, &companies(3, 0));
        let (feed, all) = (feed(&folder), watched((0..3).map(company)));
        let start = feed.newest().await.unwrap();
        let label = publish(&folder, &PADRON, 2, &companies(3, 1));
        let first = page(&feed, &start, &all).await;
        assert_eq!(texts(&first), ["2 2 condicion HABIDO>NO HABIDO"]);
        if is_damaged {
            let edition = folder.path().join(format!("padron/editions/{label}.kuraka"));
            assert!(edition.exists());
            fs::write(edition, "damaged").unwrap();
        }
        rollback(folder.path(), &PADRON).unwrap();
        let second = page(&feed, &first.next, &all).await;
        assert_eq!(texts(&second), ["1 2 condicion NO HABIDO>HABIDO"]);
        publish(&folder, &PADRON, 3, &companies(3, 2));
        let third = page(&feed, &second.next, &all).await;
        assert_eq!(texts(&third), ["3 1 condicion HABIDO>NO HABIDO", "3 2 condicion HABIDO>NO HABIDO"]);
        let whole = [texts(&first), texts(&second), texts(&third)].concat();
        assert_eq!(texts(&page(&feed, &start, &all).await), whole);
        // All of one edition, although the page has room for more.
        let one = FeedQuery { one_publication: true, ..query(&start, &all, 1_000) };
        let one = feed.page(one).await.unwrap();
        assert_eq!((texts(&one), &one.next, one.is_last), (texts(&first), &first.next, false));
    }
}

#[tokio::test]
async fn a_cursor_in_a_disabled_dataset_goes_on_in_the_others() {
    let folder = TempDir::new().unwrap();
    publish(&folder, &PADRON, 1, &companies(3, 0));
    publish(&folder, &RETENCION, 1, &list(0..1));
    let (whole, all) = (feed(&folder), watched((0..3).map(company)));
    let start = whole.newest().await.unwrap();
    publish(&folder, &RETENCION, 2, &list(0..3));
    let inside = whole.page(query(&start, &all, 1)).await.unwrap();
    publish(&folder, &PADRON, 2, &companies(3, 1));
    assert_eq!(texts(&inside), ["2 1 retencion NO>SI"]);
    let without = FolderFeed::new(folder.path(), &[&PADRON]);
    let found = page(&without, &inside.next, &all).await;
    assert_eq!((texts(&found), found.is_last), (vec!["2 2 condicion HABIDO>NO HABIDO".to_owned()], true));
    assert_eq!(page(&without, &found.next, &all).await.changes, []);
    // Enabled again, none of its changes is lost.
    let again = page(&whole, &found.next, &all).await;
    assert_eq!(texts(&again), ["2 1 retencion NO>SI", "2 2 retencion NO>SI"]);
}

#[tokio::test]
async fn a_page_reads_a_bounded_part_and_the_next_one_goes_on() {
    let folder = TempDir::new().unwrap();
    publish(&folder, &PADRON, 1, &companies(9, 0));
    let start = feed(&folder).newest().await.unwrap();
    publish(&folder, &PADRON, 2, &companies(3_000, 0));
    publish(&folder, &PADRON, 3, &companies(9, 9));
    for (rucs, expected) in [(FeedRucs::Companies, 2_991 * 2 + 9), (watched([5, 2_500].map(company)), 3)] {
        let (feed, mut cursor, mut found, mut pages) = (feed(&folder).reading_at_most(3), start.clone(), 0, 0);
        loop {
            let page = feed.page(query(&cursor, &rucs, 400)).await.unwrap();
            found += page.changes.len();
            pages += 1;
            assert!(page.is_last || page.next != cursor);
            cursor = page.next.to_string().parse().unwrap();
            if page.is_last {
                break;
            }
        }
        assert_eq!(found, expected);
        assert!(pages > found / 400 + 1);
    }
}

#[tokio::test]
async fn a_cursor_behind_a_gap_or_before_the_record_is_refused() {
    let folder = TempDir::new().unwrap();
    let feed = feed(&folder);
    assert!(matches!(feed.since(Date::MIN).await, Err(FeedError::NotRecorded { since: None })));
    let before = feed.newest().await.unwrap();
    (1..=4_u8).for_each(|day| drop(publish(&folder, &PADRON, day, &companies(9, day.into()))));
    let day = |day| Date::new(2026, 11, day).unwrap();
    let all = watched((0..9).map(company));
    // Nothing was published before: the first edition is no change.
    assert_eq!(page(&feed, &before, &all).await.changes.len(), 3);
    for (since, changes) in [(1, 3), (2, 3), (3, 2), (4, 1), (5, 0)] {
        let cursor = feed.since(day(since)).await.unwrap();
        assert_eq!(page(&feed, &cursor, &all).await.changes.len(), changes, "{since}");
    }
    let start = feed.since(day(1)).await.unwrap();
    let lists = folder.path().join("padron/changes");
    let mut lists: Vec<_> = fs::read_dir(lists).unwrap().map(|entry| entry.unwrap().path()).collect();
    lists.sort();
    fs::remove_file(&lists[1]).unwrap();
    // The changes of day 3 are lost.
    let refused = |error| matches!(error, Err(FeedError::NotRecorded { since: Some(since) }) if since == day(4));
    assert!(refused(feed.page(query(&start, &all, 9)).await.map(drop)));
    assert!(refused(feed.since(day(3)).await.map(drop)));
    assert_eq!(page(&feed, &feed.since(day(4)).await.unwrap(), &all).await.changes.len(), 1);
    let recovered = feed.recover(start.clone(), Timestamp::MIN).await.unwrap();
    assert_eq!(page(&feed, &recovered, &all).await.changes.len(), 1);
    let end = feed.newest().await.unwrap();
    assert_eq!(feed.recover(end.clone(), Timestamp::MIN).await.unwrap(), end, "the record reaches back to it");
    // A list that is damaged is a gap too.
    let mut bytes = fs::read(&lists[2]).unwrap();
    bytes[180] ^= 1;
    fs::write(&lists[2], bytes).unwrap();
    let after = feed.since(day(4)).await.unwrap();
    let error = FolderFeed::new(folder.path(), ALL).page(query(&after, &all, 9)).await;
    assert!(matches!(error, Err(FeedError::NotRecorded { since: Some(since) }) if since == day(5)));
}

#[tokio::test]
async fn the_first_date_has_all_of_its_changes_after_old_lists_were_removed() {
    let folder = TempDir::new().unwrap();
    let day = |day| Date::new(2026, 11, day).unwrap();
    (1..=4_u8).for_each(|day| drop(publish(&folder, &PADRON, day, &companies(9, day.into()))));
    (1..=3_u8).for_each(|day| drop(publish(&folder, &RETENCION, day, &list(0..day.into()))));
    let first = async || match feed(&folder).since(Date::MIN).await {
        Err(FeedError::NotRecorded { since }) => since.unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(first().await, day(1));
    let old = SystemTime::UNIX_EPOCH;
    for dataset in ["padron", "retencion"] {
        for list in fs::read_dir(folder.path().join(dataset).join("changes")).unwrap() {
            fs::File::options().write(true).open(list.unwrap().path()).unwrap().set_modified(old).unwrap();
        }
    }
    // The lists that led to the editions of days 2 and 3.
    assert_eq!(remove_old_changes(folder.path(), &PADRON, day(4), 0).unwrap(), 2);
    assert_eq!(first().await, day(4));
    // Only the last list of the other dataset is left, because it is the last one.
    assert_eq!(remove_old_changes(folder.path(), &RETENCION, day(30), 0).unwrap(), 1);
    assert_eq!(first().await, day(4));
    let told = page(&feed(&folder), &feed(&folder).since(day(4)).await.unwrap(), &watched((0..9).map(company))).await;
    assert_eq!(texts(&told), ["4 5 condicion HABIDO>NO HABIDO"]);
}

#[tokio::test]
async fn a_dataset_that_is_new_to_a_cursor_tells_what_was_published_since() {
    let folder = TempDir::new().unwrap();
    let (cursor, all) = (feed(&folder).newest().await.unwrap(), watched((0..9).map(company)));
    (1..=3_u8).for_each(|day| drop(publish(&folder, &PADRON, day, &companies(9, day.into()))));
    let written = [1, 2].map(|second| Timestamp::from_second(second).unwrap());
    let mut lists: Vec<_> =
        fs::read_dir(folder.path().join("padron/changes")).unwrap().map(|entry| entry.unwrap().path()).collect();
    lists.sort();
    for (list, written) in lists.iter().zip(written) {
        fs::File::options().write(true).open(list).unwrap().set_modified(written.into()).unwrap();
    }
    for (new_since, told) in [(written[0], 2), (written[1], 1), (Timestamp::MAX, 0)] {
        let page = feed(&folder).page(FeedQuery { new_since, ..query(&cursor, &all, 9) }).await.unwrap();
        assert_eq!((page.changes.len(), page.is_last), (told, true));
        assert_eq!(page.next, feed(&folder).newest().await.unwrap());
    }
}

#[tokio::test]
async fn a_server_without_the_cursors_edition_tells_nothing_yet() {
    let [ahead, behind] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    for folder in [&ahead, &behind] {
        publish(folder, &PADRON, 1, &companies(3, 0));
    }
    let all = watched((0..3).map(company));
    let start = feed(&behind).newest().await.unwrap();
    publish(&ahead, &PADRON, 2, &companies(3, 2));
    let page = |folder, after: &FeedCursor, limit| {
        let query = query(after, &all, limit);
        async move { feed(folder).page(query).await.unwrap() }
    };
    for limit in [1, 9] {
        let first = page(&ahead, &start, limit).await;
        assert_eq!(first.changes.len(), limit.min(2));
        let waiting = page(&behind, &first.next, limit).await;
        assert_eq!(waiting, FeedPage { changes: Vec::new(), next: first.next, is_last: false, blocks: 0 });
    }
    publish(&behind, &PADRON, 2, &companies(3, 2));
    let first = page(&ahead, &start, 1).await;
    assert_eq!(texts(&page(&behind, &first.next, 9).await), ["2 2 condicion HABIDO>NO HABIDO"]);
}

#[tokio::test]
async fn a_server_publications_behind_a_rollback_tells_nothing_yet() {
    let [ahead, behind] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let step = |folder: &TempDir, day: u8| match day {
        1..=4 => drop(publish(folder, &PADRON, day, &companies(9, day.into()))),
        _ => drop(rollback(folder.path(), &PADRON).unwrap()),
    };
    (1..=6).for_each(|day| step(&ahead, day));
    let (end, all) = (feed(&ahead).newest().await.unwrap(), watched((0..9).map(company)));
    (1..=2).for_each(|day| step(&behind, day));
    for day in 3..=6 {
        let waiting = page(&feed(&behind), &end, &all).await;
        assert_eq!(
            waiting,
            FeedPage { changes: Vec::new(), next: end.clone(), is_last: false, blocks: 0 },
            "before {day}"
        );
        step(&behind, day);
    }
    assert_eq!(
        page(&feed(&behind), &end, &all).await,
        FeedPage { changes: Vec::new(), next: end, is_last: true, blocks: 0 }
    );
}
