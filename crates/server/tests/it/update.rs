//! `kuraka registry update` against a file server.

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::program::Home;
use super::publisher::Publisher;

fn home(publisher: &Publisher) -> Home {
    Home::new()
        .with("KURAKA__REGISTRY__PADRON_URL", &publisher.url)
        .with("KURAKA__REGISTRY__WITHHOLDING_URL", "")
        .with("KURAKA__REGISTRY__GOOD_TAXPAYERS_URL", "")
}

#[test]
fn what_is_published_is_fetched_once_and_again_when_it_changes() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home = home(&publisher);
    let out = home.run(&["registry", "update"]).succeeded();
    assert!(out.starts_with("published edition 2026-11-18-"), "the day it was published: {out}");
    assert!(publisher.asked()[0].contains("mozilla"), "{:?}", publisher.asked());

    let out = home.run(&["registry", "update"]).succeeded();
    assert_eq!(out, "unchanged: the edition that answers was made from what is published now\n");
    assert!(publisher.asked()[1].contains("if-none-match: \"v1\""), "{:?}", publisher.asked());

    publisher.publish(&next_day(), "\"v2\"");
    let out = home.run(&["registry", "update"]).succeeded();
    assert!(out.starts_with("published edition ") && out.contains("556 taxpayers"), "{out}");
    home.run(&["registry", "lookup", NEW_COMPANY]).succeeded();
}

#[test]
fn a_page_in_place_of_the_file_is_refused_and_the_edition_stays() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home = home(&publisher);
    home.run(&["registry", "update"]).succeeded();
    publisher.publish(b"<html><body>Mantenimiento</body></html>", "\"page\"");
    let line = home.run(&["registry", "update"]).failed();
    assert!(line.contains("HTML page"), "{line}");
    home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    // The next good file is published as if nothing had been.
    publisher.publish(&next_day(), "\"v2\"");
    home.run(&["registry", "update"]).succeeded();
    home.run(&["registry", "lookup", NEW_COMPANY]).succeeded();
}

#[test]
fn a_transfer_that_breaks_goes_on_where_it_broke() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    publisher.break_after(1_000);
    let home = home(&publisher);
    home.run(&["registry", "update"]).succeeded();
    let asked = publisher.asked();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[1].contains("range: bytes=1000-") && asked[1].contains("if-range: \"v1\""), "{asked:?}");
    home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
}

#[test]
fn without_an_address_there_is_nothing_to_update_from() {
    let line = Home::new().with("KURAKA__REGISTRY__PADRON_URL", "").run(&["registry", "update"]).failed();
    assert!(line.contains("registry.padron_url"), "{line}");
}

#[test]
fn a_server_updates_itself_when_it_is_told_to() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home = home(&publisher).with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let token = home.token("ana@example.pe");
    let mut serving = home.serve();
    serving.log("a new edition answers");
    assert_eq!(super::http::lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    serving.stop();
}
