//! `kill -9` at random instants of an import, of an update from a builder, and of a server that swaps editions: what is
//! left is the previous edition or the new one, whole, and the next import works.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Duration;

use kuraka_generators::dataset::{ANNEX_COLUMNS, LIST_COLUMNS, TextForm, annexes, list_entries};
use kuraka_generators::padron::Padron;
use kuraka_registry::dataset::{ANEXOS, Dataset, PADRON, RETENCION};
use kuraka_registry::history::History;
use kuraka_registry::{Edition, open_current};
use kuraka_sandbox::sample;
use tokio::time::Instant;

use super::datasets::downloads;
use super::files::versions;
use super::http::lookup;
use super::program::Home;
use super::publisher::Publisher;
use super::reliability::{figure, number};
use super::update::without_publishers;

/// Different files: more than a folder keeps editions.
const FILES: usize = 5;
/// Editions that a folder keeps.
const EDITIONS_RETAINED: usize = 3;

/// The files of a dataset on five days.
type Days = fn(usize) -> Vec<u8>;

const CASES: [(&Dataset, Days); 3] = [
    (&PADRON, |day| Padron::new(3_000, 7).next_edition(day as f64 * 0.004).to_text()),
    (&RETENCION, |day| {
        let entries = list_entries(Padron::new(20_000, 5), 0, 2, 1).skip(day);
        lines(TextForm::LIST, &LIST_COLUMNS, entries.map(|entry| entry.cells()))
    }),
    (&ANEXOS, |day| {
        let rows = annexes(Padron::new(20_000, 5), 3_000, 1).skip(day);
        lines(TextForm::ANNEXES, &ANNEX_COLUMNS, rows.map(|row| row.cells()))
    }),
];

fn lines<const N: usize>(form: TextForm, columns: &[&str; N], rows: impl Iterator<Item = [String; N]>) -> Vec<u8> {
    let mut text = Vec::new();
    form.write(columns, rows, &mut text).unwrap();
    text
}

/// Numbers by xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// A digest of everything in an edition, read by position and by RUC.
fn digest(edition: &Edition) -> u64 {
    let mut hasher = DefaultHasher::new();
    for ruc in edition.rucs() {
        let ruc = ruc.unwrap();
        let (summary, rows) = (edition.summary(ruc).unwrap(), edition.rows(ruc).unwrap());
        assert!(summary.is_some() || !rows.is_empty(), "{ruc:?}");
        (ruc, format!("{summary:?} {rows:?}")).hash(&mut hasher);
    }
    hasher.finish()
}

/// The current edition of a folder in which a command was just killed or has ended: its label and its digest. The history
/// is whole, and leads to it. A killed command may have extended the history to `next`: if `next` was current before, the
/// history has nothing of what lies between, the current edition included, until the next publication.
fn current(home: &Home, dataset: &'static Dataset, next: Option<&str>) -> Option<(String, u64)> {
    let report = open_current(&home.data("registry"), dataset).unwrap();
    assert!(report.skipped.is_empty(), "{report:?}");
    let edition = report.edition?;
    if dataset.history.is_some() {
        let history = History::open(&home.data("registry"), dataset).unwrap();
        let is_extended = next.is_some() && next == history.editions().last().map(|last| last.label.as_str());
        assert!(history.place_of(&edition).is_some() || is_extended, "{}: {history:?}", edition.label());
    }
    Some((edition.label().to_owned(), digest(&edition)))
}

/// Files of interrupted publications.
fn unfinished(folder: &Path) -> usize {
    let files = ["", "editions", "rejects", "changes"].iter().filter_map(|name| fs::read_dir(folder.join(name)).ok());
    let is_unfinished = |path: &Path| path.extension().is_some_and(|extension| extension == "tmp");
    files.flatten().filter(|entry| is_unfinished(&entry.as_ref().unwrap().path())).count()
}

/// One file of a dataset, and what it must become.
struct Day {
    file: String,
    /// The finished edition.
    edition: Vec<u8>,
    label: String,
    digest: u64,
}

/// A folder, and the files that it imports or fetches.
struct Scene {
    home: Home,
    dataset: &'static Dataset,
    builder: Publisher,
    days: Vec<Day>,
    random: Random,
    /// How long an import and an update usually take.
    usual: [Duration; 2],
    published: u64,
}

impl Scene {
    fn new(dataset: &'static Dataset, days: Days) -> Self {
        let builder = Publisher::new("edition", b"", "\"0\"");
        let home = without_publishers().with("KURAKA__DATASETS__BUILDER_URL", &builder.url);
        let other = Home::new();
        let day = |day| {
            let text = days(day);
            let label = other.import_dataset(dataset.name, "published", &text);
            let (current, digest) = current(&other, dataset, None).unwrap();
            assert_eq!(current, label);
            let edition = fs::read(other.edition(dataset.name, &label)).unwrap();
            Day { file: home.write(&format!("day {day}"), &text), edition, label, digest }
        };
        let days: Vec<Day> = (0..FILES).map(day).collect();
        assert_eq!(days.iter().map(|day| day.digest).collect::<BTreeSet<_>>().len(), FILES);
        let (random, usual) = (Random(0x9e37_79b9_7f4a_7c15), [Duration::from_millis(100); 2]);
        Self { home, dataset, builder, days, random, usual, published: 0 }
    }

    /// The command that imports a day's file, or fetches its edition.
    fn command(&mut self, day: usize, fetches: bool) -> Vec<String> {
        let (name, day) = (self.dataset.name, &self.days[day % FILES]);
        self.published += 1;
        self.builder.publish(&day.edition, &format!("\"{}\"", self.published));
        match fetches {
            true => ["dataset", "update", name, "--force"].map(str::to_owned).to_vec(),
            false => ["dataset", "import", name, &day.file, "--force"].map(str::to_owned).to_vec(),
        }
    }

    /// Runs the command and kills it after a random part of the time that it usually takes. Returns whether it was
    /// killed before its end.
    fn kill(&mut self, command: &[String], fetches: bool) -> bool {
        let began = Instant::now();
        let running = self.home.start(&command.iter().map(String::as_str).collect::<Vec<_>>());
        let delay = self.random.below(self.usual[usize::from(fetches)].as_micros() as u64 * 11 / 10);
        running.kill_after(Duration::from_micros(delay).saturating_sub(began.elapsed()))
    }

    fn expected(&self, day: usize) -> Option<(String, u64)> {
        let day = &self.days[day % FILES];
        Some((day.label.clone(), day.digest))
    }
}

#[test]
fn a_killed_import_or_update_leaves_a_whole_edition() {
    // `make reliability` sets a higher number.
    let kills = number("IMPORT_KILLS", 4);
    for (dataset, days) in CASES {
        let mut scene = Scene::new(dataset, days);
        let folder = scene.home.dataset(dataset.name, "");
        let (mut old_ones, mut new_ones, mut interrupted, mut remains) = (0, 0, 0, 0);
        let mut before = None;
        // A command that ends before its instant is not counted.
        for round in 0..3 * kills as usize {
            if interrupted == kills {
                break;
            }
            let killed = scene.command(2 * round, round % 2 == 1);
            interrupted += u64::from(scene.kill(&killed, round % 2 == 1));
            let found = current(&scene.home, dataset, Some(&scene.days[2 * round % FILES].label));
            if found == before {
                old_ones += 1;
            } else {
                new_ones += 1;
                assert_eq!(found, scene.expected(2 * round), "round {round}: {killed:?}");
            }
            remains += unfinished(&folder);
            // The next one works, and removes what the killed one left.
            let fetches = round / 2 % 2 == 1;
            let next = scene.command(2 * round + 1, fetches);
            let began = Instant::now();
            scene.home.run(&next.iter().map(String::as_str).collect::<Vec<_>>()).succeeded();
            scene.usual[usize::from(fetches)] = began.elapsed();
            before = current(&scene.home, dataset, None);
            assert_eq!(before, scene.expected(2 * round + 1), "round {round}: {next:?} after {killed:?}");
            assert_eq!(unfinished(&folder), 0, "round {round}: {next:?} after {killed:?}");
            let kept = fs::read_dir(folder.join("editions")).unwrap().count();
            assert!(kept <= EDITIONS_RETAINED, "round {round}: {kept} editions");
            if fetches {
                assert_eq!(downloads(&scene.home, dataset.name), [""; 0], "round {round}: after {killed:?}");
            }
        }
        figure(
            "C1",
            &format!("imports and updates of {} killed at {interrupted} random instants", dataset.name),
            &format!(
                "{old_ones} old and {new_ones} new editions, each whole; {remains} unfinished files, all removed by \
                 the next import"
            ),
        );
        assert_eq!(interrupted, kills, "the others ended before they were killed");
    }
}

#[test]
fn a_server_killed_while_it_swaps_serves_a_whole_edition() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let kills = number("SWAP_KILLS", 2);
    for case in versions() {
        let home = Home::new().plan(1_000_000, 1_000_000);
        let token = home.token("ana@example.pe");
        if case.dataset.name != PADRON.name {
            home.import(sample::PADRON);
        }
        case.import(&home, 0);
        let files = case.files.each_ref().map(|file| home.write(&file.len().to_string(), file));
        for round in 0..kills as usize {
            let (name, newer) = (case.dataset.name, (round + 1) % 2);
            let serving = home.serve();
            home.run(&["dataset", "import", name, &files[newer], "--force"]).succeeded();
            // The server looks at the folder once a second.
            assert!(serving.kill_after(Duration::from_millis(random.below(1_200))));
            let serving = home.serve();
            assert_eq!(case.answering(serving.api, &token), Some(newer), "{name}, round {round}");
            assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
            serving.stop();
        }
        let tried = format!("a server killed {kills} times while it swaps editions of {}", case.dataset.name);
        figure("C1", &tried, "the new edition, each time");
    }
}

#[test]
fn a_history_killed_while_it_is_extended_is_the_old_or_the_new_one() {
    // `make reliability` sets a higher number.
    let kills = number("HISTORY_KILLS", 4);
    let (dataset, days) = CASES[0];
    let home = Home::new();
    let path = History::path(&home.data("registry"), dataset);
    let files: Vec<String> = (0..FILES).map(|day| home.write(&format!("day {day}"), days(day))).collect();
    let import = |file: &str| home.run(&["dataset", "import", dataset.name, file, "--force"]).succeeded();
    import(&files[0]);
    import(&files[1]);
    let old = fs::read(&path).unwrap();
    files[2..].iter().for_each(|file| drop(import(file)));
    // The current file again changes nothing but a history that lacks editions.
    let extend = ["dataset", "import", dataset.name, &files[FILES - 1]];
    fs::write(&path, &old).unwrap();
    let began = Instant::now();
    home.run(&extend).succeeded();
    let (usual, new) = (began.elapsed(), fs::read(&path).unwrap());
    assert!(old != new);
    let mut random = Random(0x51ab_3c0f_9d2e_7741);
    let (mut killed, mut old_ones, mut new_ones) = (0, 0, 0);
    while killed < kills {
        fs::write(&path, &old).unwrap();
        let delay = Duration::from_micros(random.below(usual.as_micros() as u64 * 11 / 10));
        killed += u64::from(home.start(&extend).kill_after(delay));
        let left = fs::read(&path).unwrap();
        assert!(left == old || left == new, "neither the old nor the new history, of {} bytes", left.len());
        old_ones += u64::from(left == old);
        new_ones += u64::from(left == new);
        home.run(&extend).succeeded();
        assert!(fs::read(&path).unwrap() == new);
        assert_eq!(unfinished(&home.dataset(dataset.name, "")), 0);
    }
    let tried = format!("extensions of a history killed at {killed} random instants");
    figure("C1", &tried, &format!("{old_ones} old and {new_ones} new histories, each whole"));
}
