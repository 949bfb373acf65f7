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
fn an_update_downloads_the_padron_only_when_it_changed() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home = home(&publisher);
    let out = home.run(&["registry", "update"]).succeeded();
    assert!(out.starts_with("published edition 2026-11-18-"), "the day it was published: {out}");
    assert!(publisher.requests()[0].contains("mozilla"), "{:?}", publisher.requests());

    let out = home.run(&["registry", "update"]).succeeded();
    assert_eq!(out, "unchanged: the current edition was built from these files\n");
    assert!(publisher.requests()[1].contains("if-none-match: \"v1\""), "{:?}", publisher.requests());

    publisher.publish(&next_day(), "\"v2\"");
    let out = home.run(&["registry", "update"]).succeeded();
    assert!(out.starts_with("published edition ") && out.contains("556 taxpayers"), "{out}");
    home.run(&["registry", "lookup", NEW_COMPANY]).succeeded();
}

#[test]
fn an_html_page_instead_of_the_padron_is_refused() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home = home(&publisher);
    home.run(&["registry", "update"]).succeeded();
    publisher.publish(b"<html><body>Mantenimiento</body></html>", "\"page\"");
    let line = home.run(&["registry", "update"]).failed();
    assert!(line.contains("HTML page"), "{line}");
    home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
    // The next valid file is published.
    publisher.publish(&next_day(), "\"v2\"");
    home.run(&["registry", "update"]).succeeded();
    home.run(&["registry", "lookup", NEW_COMPANY]).succeeded();
}

#[test]
fn an_interrupted_download_is_resumed() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    publisher.break_after(1_000);
    let home = home(&publisher);
    home.run(&["registry", "update"]).succeeded();
    let asked = publisher.requests();
    assert_eq!(asked.len(), 2, "{asked:?}");
    assert!(asked[1].contains("range: bytes=1000-") && asked[1].contains("if-range: \"v1\""), "{asked:?}");
    home.run(&["registry", "lookup", sample::COMPANY]).succeeded();
}

#[test]
fn an_update_without_a_padron_url_fails() {
    let line = Home::new().with("KURAKA__REGISTRY__PADRON_URL", "").run(&["registry", "update"]).failed();
    assert!(line.contains("registry.padron_url"), "{line}");
}

#[test]
fn a_server_with_update_every_updates_the_registry() {
    let publisher = Publisher::of(sample::PADRON, "\"v1\"");
    let home =
        home(&publisher).with("KURAKA__DATASETS__ENABLED", "padron").with("KURAKA__REGISTRY__UPDATE_EVERY", "24h");
    let token = home.token("ana@example.pe");
    let mut serving = home.serve();
    serving.log("serving a new edition");
    assert_eq!(super::http::lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    serving.stop();
}
