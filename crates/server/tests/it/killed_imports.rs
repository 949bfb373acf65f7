//! `kill -9` at random instants of an import, of a fetch, and of a server that swaps editions: what is left is the old
//! edition or the new one, whole, and the next import works.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Duration;

use kuraka_generators::padron::Padron;
use kuraka_registry::{OpenEdition, open_current};
use kuraka_sandbox::sample;
use tokio::time::Instant;

use super::files::{NEW_COMPANY, next_day};
use super::http::lookup;
use super::program::Home;
use super::publisher::Publisher;
use super::reliability::{figure, number};

/// Different padrones: more than a folder keeps editions.
const PADRONES: u64 = 5;
/// Editions that a folder keeps.
const KEPT: usize = 3;

/// Numbers by xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A digest of all answers of an edition, read by position and by RUC.
fn digest(edition: &OpenEdition) -> u64 {
    let mut hasher = DefaultHasher::new();
    for row in edition.iter() {
        let row = row.unwrap();
        let found = edition.lookup(row.ruc).unwrap().unwrap();
        assert_eq!(found, row);
        (found.ruc, &found.name, found.status.as_str(), found.condition.as_str(), &found.address).hash(&mut hasher);
    }
    hasher.finish()
}

/// The current edition of a registry that was just killed or published: its label and the digest of its answers.
fn current(registry: &Path) -> Option<(String, u64)> {
    let report = open_current(registry).unwrap();
    assert!(report.skipped.is_empty(), "{report:?}");
    report.edition.map(|edition| (edition.label().to_owned(), digest(&edition)))
}

/// Files of interrupted publications.
fn leftovers(registry: &Path) -> usize {
    ["", "editions", "rejects"]
        .iter()
        .flat_map(|folder| fs::read_dir(registry.join(folder)).unwrap())
        .filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "tmp"))
        .count()
}

/// The padrones, as files, and the answers of their editions by label.
struct Editions {
    padrones: Vec<String>,
    files: Vec<Vec<u8>>,
    labels: Vec<String>,
    answers: BTreeMap<String, u64>,
}

impl Editions {
    fn build(home: &Home) -> Self {
        let builder = Home::new();
        let mut editions =
            Self { padrones: Vec::new(), files: Vec::new(), labels: Vec::new(), answers: BTreeMap::new() };
        for nth in 0..PADRONES {
            let text = Padron::new(3_000, 7).next_edition(nth as f64 * 0.004).to_text();
            let label = builder.import(&text);
            editions.padrones.push(home.write(&format!("padron{nth}.txt"), &text));
            let file = builder.data(&format!("registry/editions/{label}.kuraka"));
            editions.files.push(fs::read(file).unwrap());
            let (current, answers) = current(&builder.data("registry")).unwrap();
            assert_eq!(current, label);
            editions.answers.insert(label.clone(), answers);
            editions.labels.push(label);
        }
        assert_eq!(editions.answers.values().collect::<std::collections::BTreeSet<_>>().len(), PADRONES as usize);
        editions
    }
}

/// Runs the command and kills it after a random part of the time that it usually takes. Returns whether it was killed
/// before its end.
pub(crate) fn kill(home: &Home, arguments: &[String], random: &mut Random, usual: Duration) -> bool {
    let began = Instant::now();
    let running = home.start(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let delay = random.below(usual.as_micros() as u64 * 11 / 10);
    running.kill_after(Duration::from_micros(delay).saturating_sub(began.elapsed()))
}

#[test]
fn a_killed_import_or_fetch_leaves_a_whole_edition() {
    let home = Home::new();
    let registry = home.data("registry");
    let editions = Editions::build(&home);
    let publisher = Publisher::of(&editions.files[0], "\"0\"");
    // `make reliability` sets a higher number.
    let kills = number("IMPORT_KILLS", 8);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut old_ones, mut new_ones, mut interrupted, mut remains) = (0, 0, 0, 0);
    let mut usual = [Duration::from_millis(100); 2];
    let mut before = None;
    // A command that ends before its instant is not counted.
    for round in 0..3 * kills {
        if interrupted == kills {
            break;
        }
        let fetches = round % 2 == 1;
        let etag: &'static str = Box::leak(format!("\"{round}\"").into_boxed_str());
        let command = |nth: u64, fetches: bool, etag| {
            publisher.publish(&editions.files[(nth % PADRONES) as usize], etag);
            let padron = &editions.padrones[(nth % PADRONES) as usize];
            match fetches {
                true => ["registry", "fetch", "--force", &publisher.url].map(str::to_owned).to_vec(),
                false => ["registry", "import", "--force", "--padron", padron].map(str::to_owned).to_vec(),
            }
        };
        let killed = command(2 * round, fetches, etag);
        interrupted += u64::from(kill(&home, &killed, &mut random, usual[usize::from(fetches)]));
        let found = registry.exists().then(|| current(&registry)).flatten();
        match &found {
            Some((label, answers)) if found != before => {
                new_ones += 1;
                assert_eq!(*label, editions.labels[(2 * round % PADRONES) as usize], "round {round}: {killed:?}");
                assert_eq!(editions.answers[label], *answers, "round {round}: {killed:?}");
            }
            _ => {
                old_ones += 1;
                assert_eq!(found, before, "round {round}: {killed:?}");
            }
        }
        remains += if registry.join("rejects").exists() { leftovers(&registry) } else { 0 };
        // The next one works, and removes what the killed one left.
        let fetches = round / 2 % 2 == 1;
        let next = command(2 * round + 1, fetches, Box::leak(format!("\"next {round}\"").into_boxed_str()));
        let began = Instant::now();
        home.run(&next.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
        usual[usize::from(fetches)] = began.elapsed();
        before = current(&registry);
        let label = editions.labels[((2 * round + 1) % PADRONES) as usize].clone();
        let answers = editions.answers[&label];
        assert_eq!(before, Some((label, answers)), "round {round}: {next:?} after {killed:?}");
        assert_eq!(leftovers(&registry), 0, "round {round}: {next:?} after {killed:?}");
        let kept = fs::read_dir(registry.join("editions")).unwrap().count();
        assert!(kept <= KEPT, "round {round}: {kept} editions");
    }
    figure(
        "C1",
        &format!("`registry import` and `registry fetch` killed at {interrupted} random instants"),
        &format!(
            "{old_ones} old and {new_ones} new editions, each whole; {remains} unfinished files, all removed by the \
             next import"
        ),
    );
    assert_eq!(interrupted, kills, "the others ended before they were killed");
}

#[test]
fn a_server_killed_while_it_swaps_serves_a_whole_edition() {
    let home = Home::new().plan(1_000_000, 1_000_000);
    let token = home.token("ana@example.pe");
    let first = home.import(sample::PADRON);
    let (older, newer) = (home.write("older.txt", sample::PADRON), home.write("newer.txt", next_day()));
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let kills = number("SWAP_KILLS", 2);
    for round in 0..kills {
        let serving = home.serve();
        let padron = if round % 2 == 0 { &newer } else { &older };
        home.run(&["registry", "import", "--padron", padron, "--force"]).succeeded();
        // The server looks at the folder once a second.
        assert!(serving.kill_after(Duration::from_millis(random.below(1_200))));
        let serving = home.serve();
        let answer = lookup(serving.api, &token, NEW_COMPANY).unwrap();
        let is_first = answer.header("x-registry-edition") == Some(&first);
        assert_eq!((answer.status, is_first), if round % 2 == 0 { (200, false) } else { (404, true) }, "round {round}");
        assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
        serving.stop();
    }
    figure("C1", &format!("a server killed {kills} times while it swaps editions"), "the new edition, each time");
}
