//! Editions that are truncated, extended or emptied under a running server: it never exits and never answers wrong.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use kuraka_registry::dataset::RETENCION;
use kuraka_sandbox::sample;

use super::files::{Versions, versions};
use super::http::{get, lookup};
use super::program::{DEADLINE, Home, Serving, eventually};
use super::reliability::figure;

fn resize(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

/// A dataset with two editions of which the second one is current: its versions and their labels.
struct Published {
    case: Versions,
    labels: [String; 2],
}

/// Makes calls that each dataset must answer, until told to stop. Returns how many were answered and how many were
/// refused with 503.
fn call(
    serving: &Serving,
    token: &str,
    published: &Arc<[Published; 3]>,
    stop: &Arc<AtomicBool>,
) -> JoinHandle<[u64; 2]> {
    let (api, token, published, stop) = (serving.api, token.to_owned(), Arc::clone(published), Arc::clone(stop));
    thread::spawn(move || {
        let mut counts = [0, 0];
        while !stop.load(Ordering::Relaxed) {
            for Published { case, labels } in &*published {
                let answer = case.ask(api, &token, sample::COMPANY);
                assert!(answer.status == 503 || answer.body.contains(case.common), "{answer:?}");
                counts[usize::from(answer.status == 503)] += 1;
                let answer = case.ask(api, &token, case.ruc);
                let version = case.version_of(&answer);
                counts[usize::from(version.is_none())] += 1;
                let header = answer.header("x-registry-edition");
                // The answers of a list name the edition of the padrón.
                if let Some(version) = version.filter(|_| case.dataset.name != RETENCION.name) {
                    assert_eq!(header, Some(&*labels[version]), "{answer:?}");
                }
            }
            let person = lookup(api, &token, sample::PERSON).unwrap();
            assert!(person.status == 503 || person.body.contains(sample::PERSON), "{person:?}");
        }
        counts
    })
}

/// The status of `/readyz`, and the state of a dataset.
fn state(serving: &Serving, dataset: &str) -> (u16, String) {
    let ready = get(serving.admin, "/readyz");
    let json = ready.json();
    let dataset = json["datasets"].as_array().unwrap().iter().find(|known| known["name"] == dataset).unwrap();
    (ready.status, dataset["state"].as_str().unwrap().to_owned())
}

async fn eventually_state(serving: &Serving, dataset: &str, status: u16, name: &str) {
    let is_state = || (state(serving, dataset) == (status, name.to_owned())).then_some(());
    eventually(&format!("{dataset}: {name}"), is_state).await;
}

#[tokio::test]
async fn a_truncated_edition_is_replaced_by_the_previous_one_without_a_wrong_answer() {
    let home = Home::new().plan(1_000_000, 1_000_000);
    let token = home.token("ana@example.pe");
    let published = versions().map(|case| {
        let labels = [0, 1].map(|version| case.import(&home, version));
        Published { case, labels }
    });
    let published = Arc::new(published);
    let mut serving = home.serve();
    let (mut answered, mut refused) = (0, 0);
    let damages: [fn(u64) -> u64; 4] =
        [|_| 0, |length| length / 2, |length| length - length.min(8_192) / 2, |length| length + 4_096];
    for (round, damaged) in damages.into_iter().enumerate() {
        let stop = Arc::new(AtomicBool::new(false));
        let caller = call(&serving, &token, &published, &stop);
        let names = published.each_ref().map(|Published { case, .. }| case.dataset.name);
        for Published { case, .. } in &*published {
            let name = case.dataset.name;
            assert_eq!(state(&serving, name), (200, "loaded".to_owned()), "{name}");
            assert_eq!(case.answering(serving.api, &token), Some(1), "{name}");
        }
        for Published { case, labels } in &*published {
            let file = home.edition(case.dataset.name, &labels[1]);
            resize(&file, damaged(std::fs::metadata(&file).unwrap().len()));
        }
        let mut logged = BTreeSet::new();
        while logged.len() < names.len() {
            let line = serving.log("the file of the active edition was damaged");
            let of = published.iter().find(|of| line.contains(&format!("\"{}\"", of.case.dataset.name))).unwrap();
            assert!(of.labels.iter().all(|label| line.contains(label)) && line.contains("ERROR"), "{line}");
            logged.insert(of.case.dataset.name);
        }
        for Published { case, .. } in &*published {
            eventually_state(&serving, case.dataset.name, 200, "fallback").await;
            assert_eq!(case.answering(serving.api, &token), Some(0));
        }
        let metrics = get(serving.admin, "/metrics").body;
        for name in names {
            let count = round + 1;
            let damaged = format!("kuraka_dataset_damaged_total{{dataset=\"{name}\"}} {count}\n");
            let fallback = format!("kuraka_dataset_state{{dataset=\"{name}\",state=\"fallback\"}} 1\n");
            assert!(metrics.contains(&damaged) && metrics.contains(&fallback), "{name}: {metrics}");
        }
        // The same file is imported again, because its edition is unusable.
        for Published { case, labels } in &*published {
            assert_eq!(case.import(&home, 1), labels[1]);
            eventually_state(&serving, case.dataset.name, 200, "loaded").await;
        }
        stop.store(true, Ordering::Relaxed);
        let [more_answered, more_refused] = caller.join().unwrap();
        (answered, refused) = (answered + more_answered, refused + more_refused);
    }
    let tried = "editions of three datasets truncated to 0, to half, by a page, and extended, under calls";
    figure("C8", tried, &format!("no exit; {answered} calls answered right, {refused} with 503, 0 wrong"));
    serving.stop();
}

#[test]
fn an_edition_truncated_during_its_download_ends_the_download() {
    let home = Home::new();
    for case in versions() {
        let name = case.dataset.name;
        let file = home.edition(name, &case.import(&home, 0));
        let length = std::fs::metadata(&file).unwrap().len();
        let serving = home.serve();
        // Longer than the buffers of a connection, so that the server is still reading it.
        let long = 256 << 20;
        resize(&file, long);
        let mut stream = TcpStream::connect(serving.admin).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        write!(stream, "GET /edition/{name} HTTP/1.1\r\nHost: kuraka\r\n\r\n").unwrap();
        let mut begin = [0; 4_096];
        stream.read_exact(&mut begin).unwrap();
        assert!(begin.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&begin));
        resize(&file, length / 2);
        let received = std::io::copy(&mut stream, &mut std::io::sink()).map_or(0, |received| received);
        assert!(received < long / 2, "{received} bytes");
        assert_eq!(get(serving.admin, "/healthz").status, 200);
        serving.stop();
    }
}
