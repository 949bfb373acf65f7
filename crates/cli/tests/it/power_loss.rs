//! Power loss: what the program wrote is recorded, and replayed with what was not synced lost, whole or in part.
//!
//! A replay that always passes proves nothing. Each one is therefore repeated as if the program did not sync, and must
//! then find a violation.

mod disk;
mod recording;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use kuraka_adapters::store::{SqliteStore, StoreAddress};
use kuraka_app::PresentedToken;
use kuraka_domain::Ruc;
use kuraka_ports::{Accounts, Credential, Email, Tokens};
use kuraka_registry::dataset::DATOS_ABIERTOS;
use kuraka_registry::history::History;
use kuraka_registry::months::Months;
use kuraka_sandbox::sample;
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;

use self::disk::{Disk, Survives, Tree};
use self::recording::{Event, Recording, What};
use super::files::{Versions, open_data, versions};
use super::http::Client;
use super::program::{Home, used_in};
use super::reliability::{figure, number};

const EMAIL: &str = "ana@example.pe";

/// A kind of sync that a replay leaves out: its name, and whether a path is of it.
type Lost<'a> = (&'static str, &'a dyn Fn(&Path) -> bool);

/// The files after a power loss that followed this many events.
struct State {
    cut: usize,
    survives: Survives,
    tree: Tree,
}

/// The states after power losses at `cuts` instants, three for each. A sync of a path that `is_lost` does nothing.
fn states<'a>(
    recording: &'a Recording,
    events: &'a [Event],
    cuts: usize,
    is_lost: &'a dyn Fn(&Path) -> bool,
) -> impl Iterator<Item = State> + 'a {
    let cuts = instants(events, cuts);
    let mut disk = Disk::default();
    events.iter().enumerate().flat_map(move |(number, event)| {
        if !matches!(event.what, What::SyncBegin(_)) || !disk.path(event.inode).is_some_and(is_lost) {
            disk.apply(number, event);
        }
        let cut = number + 1;
        let mut states = Vec::new();
        if cuts.contains(&cut) {
            for survives in [Survives::Nothing, Survives::Some(cut as u64), Survives::Everything] {
                states.push(State { cut, survives, tree: disk.after(&recording.root, survives) });
            }
            states.dedup_by(|one, other| one.tree == other.tree);
        }
        states
    })
}

/// About `count` numbers of events: half of them around syncs, names and ends of processes, the rest evenly.
fn instants(events: &[Event], count: usize) -> BTreeSet<usize> {
    let matters = |cut: &usize| {
        let ends = |what: &What| {
            matches!(what, What::SyncEnd(_) | What::Rename(..) | What::Unlink(_) | What::Folder(_) | What::End(_))
        };
        ends(&events[cut - 1].what) || events.get(*cut).is_some_and(|next| matches!(next.what, What::SyncBegin(_)))
    };
    let some = |all: Vec<usize>| -> Vec<usize> {
        let step = all.len().div_ceil(count.div_ceil(2)).max(1);
        all.into_iter().rev().step_by(step).collect()
    };
    let all: Vec<usize> = (1..=events.len()).collect();
    let around = all.iter().copied().filter(matters).collect();
    some(all).into_iter().chain(some(around)).collect()
}

impl State {
    /// Writes the store's or the registry's files to a folder, and returns it.
    fn lay_out(&self, root: &Path, belongs: fn(&str) -> bool) -> TempDir {
        // In memory if possible: what is checked is opened, and would wait for a disk.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        for (path, content) in &self.tree {
            let inside = path.strip_prefix(root).unwrap();
            let there = folder.path().join(inside);
            match content {
                None => fs::create_dir(there).unwrap(),
                Some(bytes) if belongs(inside.to_str().unwrap()) => fs::write(there, bytes).unwrap(),
                Some(_) => {}
            }
        }
        folder
    }
}

/// The files that the program left: the recording is complete if the model has the same ones.
fn left(folder: &Path, tree: &mut Tree) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            left(&path, tree);
            tree.insert(path, None);
        } else {
            tree.insert(path.clone(), Some(fs::read(path).unwrap()));
        }
    }
}

/// The events at which processes started and ended.
fn processes(events: &[Event]) -> Vec<(usize, usize)> {
    let ended = |process| events.iter().position(|event| matches!(event.what, What::End(other) if other == process));
    let numbered = events.iter().enumerate();
    numbered
        .filter_map(|(began, event)| {
            let What::Start(process, _) = event.what else { return None };
            Some((began, ended(process)?))
        })
        .collect()
}

fn check_complete(recording: &Recording, events: &[Event]) {
    let mut disk = Disk::default();
    events.iter().enumerate().for_each(|(number, event)| disk.apply(number, event));
    let mut found = Tree::new();
    left(&recording.root, &mut found);
    let model = disk.after(&recording.root, Survives::Everything);
    // The log's index is mapped into memory. It is made anew after a power loss.
    let names = |tree: &Tree| tree.keys().filter(|path| !path.ends_with("kuraka.db-shm")).cloned().collect::<Vec<_>>();
    assert_eq!(names(&model), names(&found));
    for path in names(&model) {
        assert!(model[&path] == found[&path], "{} differs from its recording", path.display());
    }
}

#[test]
fn a_power_loss_leaves_the_old_edition_or_the_new_one() {
    for case in versions().into_iter().chain([open_data()]) {
        power_loss_during_imports(&case);
    }
}

/// Replays three imports of a dataset and a rollback.
fn power_loss_during_imports(case: &Versions) {
    let recording = Recording::begin(Home::new());
    let (home, dataset, name) = (&recording.home, case.dataset, case.dataset.name);
    let has_months = name == DATOS_ABIERTOS.name;
    let import = |version: usize| home.import_dataset(name, case.file_name, &case.files[version]);
    let (first, second) = (import(0), import(1));
    home.run(&["dataset", "rollback", name]).succeeded();
    let mut file = case.files[1].clone();
    *file.iter_mut().rfind(|byte| **byte == b'A').unwrap() = b'E';
    let third = home.import_dataset(name, case.file_name, &file);
    let states_of_editions = [None, Some(first.clone()), Some(second), Some(first), Some(third)];
    let events = recording.events();
    check_complete(&recording, &events);
    let commands = processes(&events);
    assert_eq!(commands.len(), 4);

    // What a state violates; `None` = it is the old edition or the new one.
    let violation = |state: &State| -> Option<String> {
        let folder = state.lay_out(&recording.root, |path| path.starts_with("data/registry"));
        let report = kuraka_registry::open_current(&folder.path().join("data/registry"), dataset).unwrap();
        let done = commands.iter().filter(|(_, ended)| *ended < state.cut).count();
        let label = report.edition.as_ref().map(|edition| edition.label().to_owned());
        if let Some(skipped) = report.skipped.first() {
            return Some(format!("{} is damaged: {}", skipped.path.display(), skipped.error));
        }
        if !states_of_editions[done..].iter().take(2).any(|allowed| *allowed == label) {
            return Some(format!("after {done} commands the edition is {label:?}"));
        }
        if let Some(edition) = report.edition.as_ref().filter(|_| dataset.history.is_some()) {
            match History::open(&folder.path().join("data/registry"), dataset) {
                Ok(history) if history.place_of(edition).is_some() => {}
                other => return Some(format!("the history does not lead to {label:?}: {other:?}")),
            }
        }
        // A month is added after its edition is published.
        if let Some(edition) = report.edition.as_ref().filter(|_| has_months && label == states_of_editions[done]) {
            match Months::find(&folder.path().join("data/registry")) {
                Ok(Some(months)) if months.has_file(&edition.meta().source.sha256) => {}
                other => return Some(format!("the month of {label:?} is lost: {other:?}")),
            }
        }
        let company = Ruc::parse(sample::COMPANY).unwrap();
        let is_whole = report.edition.is_none_or(|edition| edition.count(company).is_ok_and(|rows| rows > 0));
        (!is_whole).then(|| "a row is missing".to_owned())
    };
    let cuts = number("CUTS", 40) as usize;
    let mut tried = 0;
    for state in states(&recording, &events, cuts, &|_| false) {
        tried += 1;
        if let Some(violation) = violation(&state) {
            let State { cut, survives, .. } = state;
            panic!("{name}: power lost after {cut} of {} events, {survives:?} survives: {violation}", events.len());
        }
    }
    let is_dataset = |path: &Path| path.file_name().is_some_and(|folder| folder == name);
    let lost: [Lost<'_>; 6] = [
        ("histories and months", &|path| {
            [".kuraka-history.tmp", ".kuraka-months.tmp"].iter().any(|end| path.to_str().unwrap().ends_with(end))
        }),
        ("editions", &|path| path.to_str().unwrap().ends_with(".kuraka.tmp")),
        // Without the pointer's text the newest edition is used, which is wrong after a rollback.
        ("the pointer and the marks", &|path| path.ends_with("CURRENT.tmp") || path.ends_with("ROLLED_BACK.tmp")),
        ("the folder of editions", &|path| path.ends_with("editions")),
        ("the folder of the dataset", &is_dataset),
        ("the folder of the registry", &|path| path.ends_with("registry")),
    ];
    for (what, is_lost) in lost.into_iter().skip(usize::from(dataset.history.is_none() && !has_months)) {
        let found = states(&recording, &events, cuts, is_lost).any(|state| violation(&state).is_some());
        assert!(found, "{name}: without the syncs of {what} the replay found nothing");
    }
    let measured = "0 that are neither the old edition nor the new; without each kind of sync, violations are found";
    let tried = format!("{tried} states of the disk after power losses during 3 imports of {name} and a rollback");
    figure("C2", &tried, measured);
}

/// What a command did.
enum Known {
    Account,
    Token(String),
    Revoked(String),
    /// Something else.
    Other,
}

/// A command, and where it began and ended among the events.
struct Command {
    began: usize,
    ended: usize,
    known: Known,
}

/// What a state of the store violates; `None` = it has what was promised before the power was lost.
async fn violation_of_store(root: &Path, events: &[Event], commands: &[Command], state: &State) -> Option<String> {
    let folder = state.lay_out(root, |path| path.starts_with("data/kuraka.db") && !path.ends_with("-shm"));
    let file = folder.path().join("data/kuraka.db");
    let store = match SqliteStore::open(&file, SqliteStore::BUSY_TIMEOUT).await {
        Ok(store) => store,
        Err(error) => return Some(format!("it does not open: {error:?}")),
    };
    // First, as every other statement may fail on a damaged file.
    let mut shell = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let whole: Result<String, _> = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut shell).await;
    shell.close().await.unwrap();
    match whole {
        Ok(whole) if whole == "ok" => {}
        damaged => return Some(format!("it is damaged: {damaged:?}")),
    }
    let answered = |before: usize| events[..before].iter().filter(|event| matches!(event.what, What::Answer)).count();
    let email = Email::parse(EMAIL).unwrap();
    let account = Accounts::find(&store, &email).await.unwrap();
    // Leases need not survive, except those before a commit that waited for the disk. A killed process loses none.
    let mut charged = if state.survives == Survives::Everything { answered(state.cut) } else { 0 };
    for Command { began, known, .. } in commands.iter().filter(|command| command.ended < state.cut) {
        let is_revoked = |token: &String| {
            let revokes = |other: &Command| matches!(&other.known, Known::Revoked(revoked) if revoked == token);
            commands.iter().any(|other| revokes(other) && other.began < state.cut)
        };
        let lacks = match known {
            Known::Account => account.is_none(),
            Known::Token(token) => !is_revoked(token) && find(&store, token).await.is_none(),
            Known::Revoked(token) => find(&store, token).await.is_some(),
            Known::Other => continue,
        };
        if lacks {
            return Some("an account, a token or a revocation is lost".to_owned());
        }
        charged = charged.max(answered(*began));
    }
    let used = match account {
        Some(_) => used_in(&StoreAddress::Sqlite(file), EMAIL).await,
        None => 0,
    };
    (used < charged as u64).then(|| format!("{used} used, {charged} charged before it"))
}

async fn find(store: &SqliteStore, token: &str) -> Option<Credential> {
    Tokens::find(store, &PresentedToken::read(token.as_bytes()).unwrap().digest()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_power_loss_keeps_what_the_embedded_store_promised() {
    let calls = number("CHARGES", 320);
    let home = Home::new().plan(9_999, 1_000_000).with("KURAKA__DATASETS__ENABLED", "padron");
    let recording = Recording::begin(home);
    let home = &recording.home;
    home.import_dataset("padron", "padron_reducido_ruc.txt", sample::PADRON);
    home.run(&["account", "create", "--email", EMAIL]).succeeded();
    let create =
        |name: &str| home.run(&["token", "create", "--email", EMAIL, "--name", name]).succeeded().trim_end().to_owned();
    let token = create("calls");
    let mut known = vec![Known::Other, Known::Account, Known::Token(token.clone()), Known::Other];
    let serving = home.serve();
    // Calls, and changes of tokens meanwhile.
    for round in 0..4 {
        let callers: Vec<_> = (0..4)
            .map(|_| {
                let mut client = Client::new(serving.api, &token, sample::COMPANY);
                thread::spawn(move || (0..calls / 16).for_each(|_| assert_eq!(client.ask().unwrap(), 200)))
            })
            .collect();
        let another = create(&format!("round {round}"));
        known.push(Known::Token(another.clone()));
        if round % 2 == 0 {
            home.run(&["token", "revoke", "--id", &(round + 2).to_string()]).succeeded();
            known.push(Known::Revoked(another));
        }
        callers.into_iter().for_each(|caller| caller.join().unwrap());
    }
    serving.stop();
    let events = recording.events();
    check_complete(&recording, &events);
    let processes = processes(&events);
    assert_eq!(processes.len(), known.len());
    let commands: Vec<Command> =
        processes.into_iter().zip(known).map(|((began, ended), known)| Command { began, ended, known }).collect();

    let cuts = number("CUTS", 40) as usize;
    let mut tried = 0;
    for state in states(&recording, &events, cuts, &|_| false) {
        tried += 1;
        if let Some(violation) = violation_of_store(&recording.root, &events, &commands, &state).await {
            let State { cut, survives, .. } = state;
            panic!("power lost after {cut} of {} events, {survives:?} survives: {violation}", events.len());
        }
    }
    let lost: [Lost<'_>; 4] = [
        ("the log", &|path| path.ends_with("kuraka.db-wal")),
        ("the file", &|path| path.ends_with("kuraka.db")),
        ("the data folder", &|path| path.ends_with("data")),
        ("the folder of the data folder", &|path| path.ends_with("disk")),
    ];
    for (what, is_lost) in lost {
        let mut found = false;
        for state in states(&recording, &events, cuts, is_lost) {
            found |= violation_of_store(&recording.root, &events, &commands, &state).await.is_some();
            if found {
                break;
            }
        }
        assert!(found, "without the syncs of {what} the replay found nothing");
    }
    let measured = "0 damaged, 0 accounts, tokens, revocations or promised charges lost; without each kind of sync, \
                    violations are found";
    figure("Q3", &format!("{tried} states of the embedded store after power losses during {calls} calls"), measured);
}
