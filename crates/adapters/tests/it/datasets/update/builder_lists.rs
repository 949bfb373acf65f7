//! A builder's lists of changes, which say nothing before its edition has passed.

use std::fs;

use kuraka_adapters::datasets::update::{UpdateError, UpdateSource};
use kuraka_registry::Accepts;
use kuraka_registry::ImportError;
use kuraka_registry::changes::list_files;
use kuraka_registry::dataset::PADRON;

use super::{Home, published};
use crate::script::{Server, answer};

const INVENTED: &str = "000001-2026-11-01-00000000..2026-11-02-00000000.kuraka-changes";

/// A server with a list of its own.
fn home() -> Home {
    let home = Home { accepts: Accepts::Edition, ..Home::new(&PADRON) };
    for companies in [3, 4] {
        super::import_file(home.folder.path(), &PADRON, &super::file_of(&PADRON, 0..companies));
    }
    assert_eq!(list_files(home.folder.path(), &PADRON).unwrap().len(), 1);
    home
}

fn source(home: &Home, server: &Server, lists: &Server) -> UpdateSource {
    UpdateSource { changes_url: Some(lists.url.clone()), ..home.source(&server.url) }
}

fn text(body: &str) -> crate::script::Answer {
    answer("200 OK", &[&format!("Content-Length: {}", body.len())], body)
}

#[tokio::test]
async fn lists_are_not_used_before_the_edition_has_passed() {
    let home = home();
    let own = list_files(home.folder.path(), &PADRON).unwrap();
    let server = Server::start([published("a", "evil edition")]);
    let lists = Server::start([text(&format!("{INVENTED}\n")), text("garbage")]);
    let error = home.run(source(&home, &server, &lists), false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Import(ImportError::NoEdition { .. })), "{error:?}");
    assert_eq!(list_files(home.folder.path(), &PADRON).unwrap(), own);
    assert_eq!(fs::read_dir(home.folder.path().join("padron/changes")).unwrap().count(), 1, "nothing else is left");
    // With the right edition, an invented list is refused too.
    let server = Server::start([published("b", home.file(5))]);
    let lists = Server::start([text(&format!("{INVENTED}\n")), text("garbage")]);
    assert!(home.run(source(&home, &server, &lists), true).await.unwrap().is_some());
    assert!(list_files(home.folder.path(), &PADRON).unwrap().starts_with(&own));
}

#[tokio::test]
async fn an_index_of_lists_has_a_bound() {
    let home = home();
    let own = list_files(home.folder.path(), &PADRON).unwrap();
    let server = Server::start([published("a", home.file(5))]);
    let lists = Server::start([text(&format!("{INVENTED}\n").repeat(100_000))]);
    assert!(home.run(source(&home, &server, &lists), true).await.unwrap().is_some(), "the editions are compared here");
    assert_eq!(lists.asked().len(), 1);
    assert!(list_files(home.folder.path(), &PADRON).unwrap().starts_with(&own));
}
