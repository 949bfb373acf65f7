//! The feed of a server that fetches editions: the builder's change lists replace its own.

use std::fs;

use jiff::Timestamp;
use kuraka_domain::Date;
use kuraka_ports::{ChangeFeed, FeedError};
use kuraka_registry::changes::{BuilderLists, FetchedList, list_files};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Accepts, Import, NoProgress, SourceFile, editions, import, rollback};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::{companies, company, feed, page, publish, query, texts, watched};

fn lists_of(folder: &TempDir) -> Vec<FetchedList> {
    let list = |file: std::path::PathBuf| FetchedList {
        name: file.file_name().unwrap().to_str().unwrap().to_owned(),
        file,
        written: None,
    };
    list_files(folder.path(), &PADRON).unwrap().into_iter().map(list).collect()
}

/// The lists of another folder, with their checksums.
fn builder_lists(builder: &TempDir) -> BuilderLists {
    let fetched = lists_of(builder);
    let sum = |list: &FetchedList| (list.name.clone(), Sha256::digest(fs::read(&list.file).unwrap()).into());
    let names = fetched.iter().map(|list| list.name.clone()).collect();
    BuilderLists { names, sha256: Some(fetched.iter().map(sum).collect()), fetched }
}

/// Publishes the current edition of another folder, with its lists.
fn fetch(folder: &TempDir, builder: &TempDir) {
    let edition = editions(builder.path(), &PADRON).unwrap().into_iter().find(|kept| kept.current).unwrap();
    let of = Import::new(SourceFile::local(edition.path), Date::new(2026, 11, 30).unwrap());
    let request = Import { accepts: Accepts::Edition, force: true, lists: Some(builder_lists(builder)), ..of };
    import(folder.path(), &PADRON, &request, &NoProgress).unwrap();
}

#[tokio::test]
async fn a_server_that_fetches_editions_has_the_builders_record() {
    let [builder, replica] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    publish(&builder, &PADRON, 1, &companies(9, 0));
    fetch(&replica, &builder);
    let all = watched((0..9).map(company));
    let start = feed(&replica).newest().await.unwrap();
    assert_eq!(start, feed(&builder).newest().await.unwrap());
    (2..=4_u8).for_each(|day| drop(publish(&builder, &PADRON, day, &companies(9, day.into()))));
    // A list of its own, which the builder does not have.
    publish(&replica, &PADRON, 2, &companies(9, 5));
    rollback(replica.path(), &PADRON).unwrap();
    let lists = builder_lists(&builder);
    assert_eq!(lists.missing(replica.path(), &PADRON).unwrap(), lists.names);
    fetch(&replica, &builder);
    assert_eq!(page(&feed(&replica), &start, &all).await, page(&feed(&builder), &start, &all).await);
    assert_eq!(page(&feed(&replica), &start, &all).await.changes.len(), 4);
    assert_eq!(feed(&replica).newest().await.unwrap(), feed(&builder).newest().await.unwrap());
    assert_eq!(lists_of(&replica).iter().map(|list| list.name.clone()).collect::<Vec<_>>(), lists.names);
}

/// A builder that has published days 1 to 3, and a server that has published days 2 and 3 itself and then `own`.
fn two_records(own: impl FnOnce(&TempDir)) -> [TempDir; 2] {
    let [builder, replica] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    (1..=3_u8).for_each(|day| drop(publish(&builder, &PADRON, day, &companies(9, 2 * u32::from(day)))));
    (2..=3_u8).for_each(|day| drop(publish(&replica, &PADRON, day, &companies(9, 2 * u32::from(day)))));
    own(&replica);
    [builder, replica]
}

/// The builder publishes days 4 and 5, and its record replaces the server's own one.
fn replace(replica: &TempDir, builder: &TempDir) {
    (4..=5_u8).for_each(|day| drop(publish(builder, &PADRON, day, &companies(9, 2 * u32::from(day)))));
    fetch(replica, builder);
}

#[tokio::test]
async fn a_cursor_goes_on_in_the_builders_record_that_replaces_its_own() {
    let all = watched((0..9).map(company));
    let [builder, replica] = two_records(|_| ());
    let start = feed(&replica).since(Date::new(2026, 11, 2).unwrap()).await.unwrap();
    let end = feed(&replica).newest().await.unwrap();
    let inside = feed(&replica).page(query(&start, &all, 1)).await.unwrap().next;
    assert!(inside.within.is_some());
    replace(&replica, &builder);
    let rest = ["4 1", "4 2", "5 0"].map(|told| format!("{told} condicion HABIDO>NO HABIDO"));
    assert_eq!(texts(&page(&feed(&replica), &end, &all).await), rest);
    assert_eq!(page(&feed(&replica), &start, &all).await.changes.len(), 5);
    assert_eq!(page(&feed(&replica), &inside, &all).await.changes.len(), 4);
    // The numbers of its own record were higher than the builder's.
    let mut cursor = end.clone();
    cursor.positions[0].number = 99;
    assert_eq!(texts(&page(&feed(&replica), &cursor, &all).await), rest);
    // A rollback that this server does not have yet returned to the builder's edition.
    cursor = feed(&builder).since(Date::new(2026, 11, 4).unwrap()).await.unwrap();
    let behind = texts(&page(&feed(&replica), &cursor, &all).await);
    let last = feed(&builder).newest().await.unwrap().positions[0].number;
    cursor.positions[0].number = last + 8;
    assert_eq!(page(&feed(&replica), &cursor, &all).await.changes, []);
    // A number that this server will not have is of another record.
    cursor.positions[0].number = last + 9;
    assert_eq!(texts(&page(&feed(&replica), &cursor, &all).await), behind);
    cursor.positions[0].label = "2026-11-06-00000000".to_owned();
    let refused = feed(&replica).page(query(&cursor, &all, 9)).await;
    assert!(matches!(refused, Err(FeedError::NotRecorded { .. })), "{refused:?}");
    cursor.positions[0].number = last + 8;
    assert_eq!(page(&feed(&replica), &cursor, &all).await.changes, []);
}

#[tokio::test]
async fn a_cursor_in_an_edition_that_no_record_has_any_more_is_refused() {
    let all = watched((0..9).map(company));
    let [builder, replica] = two_records(|folder| drop(publish(folder, &PADRON, 4, &companies(9, 9))));
    let own = feed(&replica).newest().await.unwrap();
    let before = feed(&replica).since(Date::new(2026, 11, 4).unwrap()).await.unwrap();
    let inside = feed(&replica).page(query(&before, &all, 1)).await.unwrap().next;
    assert!(inside.within.is_some());
    replace(&replica, &builder);
    for cursor in [own, inside] {
        let refused = feed(&replica).page(query(&cursor, &all, 9)).await;
        assert!(matches!(refused, Err(FeedError::NotRecorded { .. })), "{refused:?}");
        // A webhook is told what the builder published on that day and later.
        let recovered = feed(&replica).recover(cursor, Timestamp::MIN).await.unwrap();
        assert_eq!(page(&feed(&replica), &recovered, &all).await.changes.len(), 3);
    }
    assert_eq!(page(&feed(&replica), &before, &all).await.changes.len(), 3);
}
