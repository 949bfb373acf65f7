//! Monthly files: the newest month is found by trying backwards.

use std::sync::Arc;

use kuraka_adapters::datasets::update::{MonthOutcome, UpdateError};
use kuraka_adapters::download::DownloadError;
use kuraka_domain::Date;
use kuraka_registry::dataset::DATOS_ABIERTOS;
use kuraka_registry::{Import, NoProgress, SourceFile, import};

use super::super::files::file_of;
use super::{Home, Ticking, conditions, missing, page, published, tag, unchanged};
use crate::script::{Answer, Server, answer};

/// The open data in the version `a`.
fn month() -> Answer {
    published("a", file_of(&DATOS_ABIERTOS, 0..3))
}

/// The address of the months on a server.
fn months(server: &Server) -> String {
    server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip")
}

#[tokio::test]
async fn months_are_tried_backwards_until_one_is_published() {
    let server = Server::start([missing(), missing(), month(), missing(), missing(), unchanged()]);
    let home = Home::new(&DATOS_ABIERTOS);
    let report = home.update(&months(&server)).await.unwrap().unwrap();
    assert_eq!(report.date, Date::new(2026, 9, 1).unwrap(), "the month of the rows, not the day of the download");
    home.assert_no_download();
    assert!(home.update(&months(&server)).await.unwrap().is_none());
    let asked = server.asked();
    let paths: Vec<_> = asked.iter().map(|head| head.split(' ').nth(1).unwrap()).collect();
    let wanted = ["202611", "202610", "202609", "202611", "202610", "202609"];
    assert_eq!(paths, wanted.map(|month| format!("/padronruc_{month}.zip")));
    assert_eq!(conditions(&server)[5], tag("a"));
}

#[tokio::test]
async fn a_month_that_is_not_newer_is_not_fetched_again() {
    let bytes = file_of(&DATOS_ABIERTOS, 0..3);
    let unversioned = answer("200 OK", &[&format!("Content-Length: {}", bytes.len())], &bytes);
    let server = Server::start([missing(), missing(), unversioned, missing(), missing()]);
    let home = Home::new(&DATOS_ABIERTOS);
    home.update(&months(&server)).await.unwrap().unwrap();
    assert!(home.update(&months(&server)).await.unwrap().is_none());
    assert_eq!(server.asked().len(), 5, "a server without versions would send the whole file");
    // A month that was imported from a file is not fetched either.
    let (by_hand, silent) = (Home::new(&DATOS_ABIERTOS), Server::start([]));
    let path = by_hand.folder.path().join("PadronRUC_202611.zip");
    std::fs::write(&path, bytes).unwrap();
    let request = Import::new(SourceFile::local(&path), Date::new(2026, 11, 21).unwrap());
    import(by_hand.folder.path(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
    assert!(by_hand.update(&months(&silent)).await.unwrap().is_none());
    assert_eq!(silent.asked().len(), 0);
}

#[tokio::test]
async fn a_month_that_is_gone_or_a_web_page_is_a_missing_month() {
    let gone = || answer("410 Gone", &["Content-Length: 0"], "");
    let server = Server::start([gone(), page(), month(), page(), gone(), unchanged()]);
    let home = Home::new(&DATOS_ABIERTOS);
    assert!(home.update(&months(&server)).await.unwrap().is_some());
    assert!(home.update(&months(&server)).await.unwrap().is_none());
    assert!(!home.has_stored("mantenimiento"));
    assert_eq!(conditions(&server)[5], tag("a"), "the note is of the month that was imported");
    // Nothing but pages tells nothing about the months.
    let (server, home) = (Server::start((0..6).map(|_| page())), Home::new(&DATOS_ABIERTOS));
    let error = home.update(&months(&server)).await.unwrap_err();
    assert!(matches!(error, UpdateError::WebPage { .. }) && error.may_pass(), "{error:?}");
    assert!(!home.has_stored("mantenimiento"));
}

#[tokio::test]
async fn a_refused_past_month_is_fetched_once_until_it_is_forced() {
    // A file of another month.
    let server = Server::start([month(), unchanged(), month(), unchanged()]);
    let (home, mut refused) = (Home::new(&DATOS_ABIERTOS), Vec::new());
    let address = months(&server);
    for force in [false, false, true, false] {
        let (update, _) = home.updater(home.source(""), 1);
        let from = ("2026-11".parse().unwrap(), force);
        let each = |_, outcome: &MonthOutcome| refused.push(outcome.clone());
        update.backfill(&address, from, &Ticking::default(), Arc::new(NoProgress), each).await.unwrap();
    }
    let MonthOutcome::Refused(cause) = &refused[0] else { panic!("{refused:?}") };
    assert!(cause.contains("the file is not of 2026-11"), "{cause}");
    assert!(refused.iter().all(|other| *other == refused[0]), "{refused:?}");
    assert_eq!(conditions(&server), [None, tag("a"), None, tag("a")]);
}

#[tokio::test]
async fn no_month_at_all_is_an_error() {
    let (server, home) = (Server::start((0..6).map(|_| missing())), Home::new(&DATOS_ABIERTOS));
    let error = home.update(&months(&server)).await.unwrap_err();
    assert!(matches!(error, UpdateError::Download { source: DownloadError::Status { .. }, .. }), "{error:?}");
    assert_eq!(server.asked().len(), 6);
}

#[tokio::test]
async fn a_server_that_refuses_the_client_is_asked_once() {
    for status in ["418 I'm a teapot", "403 Forbidden"] {
        let server = Server::start([answer(status, &["Content-Length: 0"], "")]);
        let home = Home::new(&DATOS_ABIERTOS);
        assert!(!home.update(&months(&server)).await.unwrap_err().may_pass());
        assert!(home.failure().starts_with("datos_abiertos could not be fetched: "), "{}", home.failure());
        assert!(home.failure().contains("the server refused this client"), "{}", home.failure());
        assert_eq!(server.asked().len(), 1, "{status}: no other month");
    }
}
