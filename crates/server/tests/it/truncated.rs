//! Editions that are truncated, extended or emptied under a running server: it never exits and never answers wrong.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use kuraka_sandbox::sample;

use super::files::{NEW_COMPANY, next_day};
use super::http::{get, lookup};
use super::program::{DEADLINE, Home, Serving, eventually};
use super::reliability::figure;

fn resize(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

/// Makes calls about both companies until told to stop. The first edition does not have the new company. Returns how
/// many calls were answered and how many were refused with 503.
fn call(serving: &Serving, token: &str, first: &str, stop: &Arc<AtomicBool>) -> JoinHandle<[u64; 2]> {
    let (api, token, first, stop) = (serving.api, token.to_owned(), first.to_owned(), Arc::clone(stop));
    thread::spawn(move || {
        let mut counts = [0, 0];
        while !stop.load(Ordering::Relaxed) {
            for ruc in [sample::COMPANY, sample::PERSON, NEW_COMPANY] {
                let answer = lookup(api, &token, ruc).unwrap();
                let is_first = answer.header("x-registry-edition") == Some(&first);
                match answer.status {
                    503 => counts[1] += 1,
                    404 => assert!(ruc == NEW_COMPANY && is_first, "{answer:?}"),
                    200 => assert!(answer.body.contains(ruc) && (ruc != NEW_COMPANY || !is_first), "{answer:?}"),
                    _ => panic!("{answer:?}"),
                }
                counts[0] += u64::from(answer.status != 503);
            }
        }
        counts
    })
}

fn state(serving: &Serving) -> (u16, String) {
    let ready = get(serving.admin, "/readyz");
    let json: serde_json::Value = serde_json::from_str(&ready.body).unwrap();
    (ready.status, json["registry"]["state"].as_str().unwrap().to_owned())
}

fn is_state(serving: &Serving, status: u16, name: &str) -> Option<()> {
    (state(serving) == (status, name.to_owned())).then_some(())
}

#[tokio::test]
async fn a_truncated_edition_is_replaced_by_the_one_before_without_a_wrong_answer() {
    let home = Home::new().plan(1_000_000, 1_000_000);
    let token = home.token("ana@example.pe");
    let first = home.import(sample::PADRON);
    let second = home.import(&next_day());
    let file = home.data(&format!("registry/editions/{second}.kuraka"));
    let length = std::fs::metadata(&file).unwrap().len();
    let mut serving = home.serve();
    let (mut answered, mut refused) = (0, 0);
    let lengths = [0, length / 2, length - 4_096, length + 4_096];
    for (round, new) in lengths.into_iter().enumerate() {
        assert_eq!(state(&serving), (200, "loaded".to_owned()));
        let stop = Arc::new(AtomicBool::new(false));
        let caller = call(&serving, &token, &first, &stop);
        assert_eq!(lookup(serving.api, &token, NEW_COMPANY).unwrap().status, 200);
        resize(&file, new);
        eventually("the edition before", || is_state(&serving, 200, "fallback")).await;
        assert_eq!(lookup(serving.api, &token, NEW_COMPANY).unwrap().status, 404);
        let line = serving.log("the file of the edition that answered was damaged");
        assert!(line.contains(&second) && line.contains(&first) && line.contains("ERROR"), "{line}");
        let metrics = get(serving.admin, "/metrics").body;
        assert!(metrics.contains(&format!("kuraka_registry_damaged_total {}", round + 1)), "{metrics}");
        assert!(metrics.contains("kuraka_registry_fallback 1"), "{metrics}");
        // The same padrón is imported again, because its edition is unusable.
        assert_eq!(home.import(&next_day()), second);
        eventually("the imported edition", || is_state(&serving, 200, "loaded")).await;
        stop.store(true, Ordering::Relaxed);
        let [more_answered, more_refused] = caller.join().unwrap();
        (answered, refused) = (answered + more_answered, refused + more_refused);
    }
    let tried = "an edition truncated to 0, to half, by a page, and extended, under calls";
    figure("C8", tried, &format!("no exit; {answered} calls answered right, {refused} with 503, 0 wrong"));
    serving.stop();
}

#[tokio::test]
async fn without_another_edition_a_server_is_unready_until_one_is_published() {
    let home = Home::new().plan(1_000_000, 1_000_000);
    let token = home.token("ana@example.pe");
    let serving = home.serve();
    assert_eq!(state(&serving), (200, "never imported".to_owned()));
    let only = home.import(sample::PADRON);
    eventually("the first edition", || is_state(&serving, 200, "loaded")).await;
    resize(&home.data(&format!("registry/editions/{only}.kuraka")), 0);
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert!(answer.status == 503 && answer.body.contains("upstream_unavailable"), "{answer:?}");
    eventually("not ready", || is_state(&serving, 503, "unusable")).await;
    assert_eq!(lookup(serving.api, &token, sample::ABSENT).unwrap().status, 503, "an absence needs an edition");
    let metrics = get(serving.admin, "/metrics").body;
    assert!(metrics.contains("kuraka_registry_rows 0") && !metrics.contains(&only), "{metrics}");

    for command in [&["registry", "info"][..], &["registry", "lookup", sample::COMPANY], &["registry", "rollback"]] {
        let done = home.run(command);
        assert!(done.code.is_some_and(|code| code <= 1), "{command:?}: {done:?}");
    }
    assert_eq!(home.import(sample::PADRON), only);
    eventually("ready again", || is_state(&serving, 200, "loaded")).await;
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    serving.stop();
}

#[test]
fn an_edition_truncated_during_its_download_ends_the_download() {
    let home = Home::new();
    let file = home.import(sample::PADRON);
    let file = home.data(&format!("registry/editions/{file}.kuraka"));
    let length = std::fs::metadata(&file).unwrap().len();
    let serving = home.serve();
    // Longer than the buffers of a connection, so that the server is still reading it.
    let long = 256 << 20;
    resize(&file, long);
    let mut stream = TcpStream::connect(serving.admin).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(b"GET /edition HTTP/1.1\r\nHost: kuraka\r\n\r\n").unwrap();
    let mut begin = [0; 4_096];
    stream.read_exact(&mut begin).unwrap();
    assert!(begin.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&begin));
    resize(&file, length / 2);
    let received = std::io::copy(&mut stream, &mut std::io::sink()).map_or(0, |received| received);
    assert!(received < long / 2, "{received} bytes");
    assert_eq!(get(serving.admin, "/healthz").status, 200);
    serving.stop();
}

#[test]
fn a_bus_error_that_a_process_sends_ends_the_server() {
    let home = Home::new();
    home.import(sample::PADRON);
    let serving = home.serve();
    serving.signal("BUS");
    let (status, _, log) = serving.ended();
    assert_eq!(status.signal(), Some(7), "{log:?}");
}
