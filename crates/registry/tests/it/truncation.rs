//! Edition files that are truncated or extended while they are open, or while they are being opened. The process goes
//! on, and every answer is the true one or an error.

use std::fs::{self, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use kuraka_domain::Ruc;
use kuraka_registry::dataset::{Dataset, PADRON, RETENCION};
use kuraka_registry::{Edition, editions};

use crate::own_process;
use crate::published::{answer, company, published};
use crate::workspace::Workspace;

/// Companies in the edition, whose rows take many pages.
const ROWS: u32 = 11_000;
const PAGE: u64 = 4_096;

/// The datasets: one of summaries, one of fields.
static FORMS: [&Dataset; 2] = [&PADRON, &RETENCION];

/// An edition, the place of its rows and every right answer.
struct Original {
    dataset: &'static Dataset,
    workspace: Workspace,
    bytes: Vec<u8>,
    end_of_rows: u64,
    answers: Vec<(Ruc, Option<String>)>,
    /// A RUC in a group without rows.
    absent: Ruc,
}

fn original(dataset: &'static Dataset) -> Original {
    let workspace = Workspace::new();
    workspace.import(dataset, &published(dataset, (0..ROWS).map(|n| (n, n % 9))));
    let edition = workspace.edition(dataset);
    let answers: Vec<_> = (0..ROWS + 200).map(|n| (company(n), answer(&edition, company(n)).unwrap())).collect();
    assert_eq!(answers.iter().filter(|(_, found)| found.is_none()).count(), 200);
    let bytes = fs::read(workspace.edition_path(dataset)).unwrap();
    let field = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    assert_eq!(&bytes[68..72], b"rows");
    let end_of_rows = field(68 + 16) + field(68 + 24);
    Original { dataset, workspace, bytes, end_of_rows, answers, absent: company(1_000_000) }
}

impl Original {
    fn copy(&self) -> PathBuf {
        self.workspace.file("copy.kuraka", &self.bytes)
    }

    fn open(&self, path: &Path) -> Edition {
        Edition::open(self.dataset, path).unwrap()
    }

    /// Checks that every answer is right or an error; returns how many are errors.
    fn check(&self, edition: &Edition, what: &str) -> usize {
        let mut errors = 0;
        for (ruc, expected) in &self.answers {
            match answer(edition, *ruc) {
                Ok(found) => assert_eq!(found, *expected, "{what}"),
                Err(_) => errors += 1,
            }
        }
        errors
    }
}

fn resize(path: &Path, length: u64) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(length).unwrap();
}

#[test]
fn a_file_truncated_during_lookups_gives_errors_never_wrong_answers() {
    FORMS.into_iter().for_each(truncate_during_lookups);
}

fn truncate_during_lookups(dataset: &'static Dataset) {
    let original = original(dataset);
    let (length, end_of_rows) = (original.bytes.len() as u64, original.end_of_rows);
    assert!(end_of_rows > 20 * PAGE, "{end_of_rows}");
    let aligned = end_of_rows / 2 / PAGE * PAGE;
    for new in [0, 1, PAGE, aligned, aligned + 100, end_of_rows - PAGE, length / 2, length - PAGE, length + PAGE] {
        let path = original.copy();
        let edition = original.open(&path);
        assert_eq!(original.check(&edition, "whole"), 0);
        assert!(!edition.has_changed());
        let (stop, read) = (AtomicBool::new(false), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        original.check(&edition, &format!("during the change to {new}"));
                        read.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            while read.load(Ordering::Relaxed) < 2 {
                thread::yield_now();
            }
            resize(&path, new);
            original.check(&edition, &format!("after the change to {new}"));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(edition.has_changed(), "changed to {new}");
        let errors = original.check(&edition, &format!("later, after the change to {new}"));
        // Once a read has failed, every lookup is an error, also of what is not in the edition.
        let lost_a_page = new.next_multiple_of(PAGE) < end_of_rows;
        assert_eq!(edition.is_unreadable(), lost_a_page, "changed to {new}");
        if lost_a_page {
            assert_eq!(errors, original.answers.len(), "changed to {new}");
            assert!(answer(&edition, original.absent).is_err(), "in a group without rows");
        }
        assert_eq!(edition.rucs().any(|ruc| ruc.is_err()), lost_a_page, "changed to {new}");
        drop(edition);
        assert_eq!(Edition::open(dataset, &path).is_ok(), new == length);
    }
    let edition = original.open(&original.copy());
    assert_eq!(original.check(&edition, "another file"), 0, "damage stays with its edition");
}

#[test]
fn a_file_truncated_while_it_is_opened_is_refused_or_whole() {
    let originals = FORMS.map(original);
    let mut refused = 0;
    for round in 0..60_u64 {
        let original = &originals[round as usize % 2];
        let path = original.copy();
        let opened = thread::scope(|scope| {
            let opening = scope.spawn(|| Edition::open(original.dataset, &path));
            for _ in 0..round * 400 {
                std::hint::spin_loop();
            }
            resize(&path, round * 7_919 % original.bytes.len() as u64);
            opening.join().unwrap()
        });
        match opened {
            Ok(edition) => drop(original.check(&edition, &format!("round {round}"))),
            Err(_) => refused += 1,
        }
        assert!(editions(&original.workspace.registry(), original.dataset).is_ok());
    }
    assert!(refused > 0, "no file was truncated before it was verified");
}

#[test]
fn the_truncation_of_one_file_damages_every_edition_that_maps_it() {
    for dataset in FORMS {
        let workspace = Workspace::new();
        workspace.import(dataset, &published(dataset, (0..10).map(|n| (n, 1))));
        let path = workspace.file("copy.kuraka", &fs::read(workspace.edition_path(dataset)).unwrap());
        let other = workspace.edition(dataset);
        let open: Vec<Edition> = (0..20).map(|_| Edition::open(dataset, &path).unwrap()).collect();
        resize(&path, 0);
        for edition in &open {
            assert!(!edition.is_unreadable(), "not read since");
            assert!(answer(edition, company(1)).is_err() && edition.is_unreadable());
        }
        assert!(answer(&other, company(1)).unwrap().is_some() && !other.has_changed());
    }
}

#[test]
fn a_fault_outside_of_editions_still_ends_the_process() {
    let original = original(&PADRON);
    if own_process::is_one() {
        let _installs_the_handler = original.open(&original.copy());
        let path = original.workspace.file("other", &[1; 100]);
        let file = fs::File::open(&path).unwrap();
        #[expect(unsafe_code, reason = "a mapping that no edition has made")]
        // SAFETY: the mapping is truncated below, to cause the fault that the test is about.
        let map = unsafe { memmap2::Mmap::map(&file).unwrap() };
        resize(&path, 0);
        std::hint::black_box(map[std::hint::black_box(0)]);
        return;
    }
    let [program, arguments @ ..] =
        own_process::command_line("truncation::a_fault_outside_of_editions_still_ends_the_process");
    let ended = Command::new(program).args(arguments).env(own_process::VARIABLE, "1").output().unwrap();
    assert_eq!(ended.status.signal(), Some(7), "not SIGBUS: {ended:?}");
}
