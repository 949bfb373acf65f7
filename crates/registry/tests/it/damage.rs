//! Damaged edition files: refused, or answered as before. Never another record, never a wrong absence.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use kuraka_domain::name::SearchMode;
use kuraka_domain::{NamePage, NameQuery, Ruc};
use kuraka_registry::dataset::{ANEXOS, Dataset, PADRON};
use kuraka_registry::{Edition, SearchError};

use crate::published::{answer, answers, company, file};
use crate::reliability::{figure, number};
use crate::workspace::{Dice, Workspace, fixture};

struct Sample {
    dataset: &'static Dataset,
    _workspace: Workspace,
    path: PathBuf,
    bytes: Vec<u8>,
    answers: BTreeMap<Ruc, String>,
    /// Words, and the companies that they find in each way; empty for a dataset without names.
    found: Vec<(Vec<String>, [Option<NamePage>; 3])>,
    absent: Vec<Ruc>,
}

/// The companies that these words find; `None` = the dataset has no names.
fn search(edition: &Edition, words: &[String], mode: SearchMode) -> Result<Option<NamePage>, SearchError> {
    let (status, condition, department, limit, after) = (None, None, None, 3, None);
    edition.search(&NameQuery { words: words.to_vec(), mode, status, condition, department, limit, after })
}

/// An edition of a few summaries, and one of fields with many buckets and up to four rows a taxpayer.
fn samples() -> [Sample; 2] {
    let annexes = (0..150).flat_map(|n| (0..=n % 4).map(move |row| (company(n).to_string(), row)));
    [sample(&PADRON, &fixture("rows_2026_latin1.txt")), sample(&ANEXOS, &file(&ANEXOS, annexes))]
}

fn sample(dataset: &'static Dataset, content: &[u8]) -> Sample {
    let workspace = Workspace::new();
    workspace.import(dataset, content);
    let edition = workspace.edition(dataset);
    let answers = answers(&edition);
    let words = ["S", "SA", "COMPANIA", "PERU SAC", "NADA"];
    let words = words.map(|words| words.split(' ').map(str::to_owned).collect::<Vec<_>>());
    let found = words.map(|words| (SearchMode::ALL.map(|matching| search(&edition, &words, matching).unwrap()), words));
    let found = found.map(|(found, words)| (words, found)).into();
    let path = workspace.edition_path(dataset);
    let bytes = fs::read(&path).unwrap();
    let absent = answers.keys().filter_map(|row| Ruc::from_parts(row.kind(), row.body() ^ 1).ok()).collect();
    Sample { dataset, _workspace: workspace, path, bytes, answers, found, absent }
}

impl Sample {
    fn open(&self) -> Result<Edition, kuraka_registry::EditionError> {
        Edition::open(self.dataset, &self.path)
    }

    /// All positions but the middle of the directory, which has thousands of nearly equal entries.
    fn positions(&self) -> Vec<usize> {
        let mut positions: Vec<usize> = (0..self.bytes.len()).collect();
        let field = |at: usize| u64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap()) as usize;
        // The third section.
        let entry = 68 + 2 * 32;
        assert_eq!(&self.bytes[entry..entry + 3], b"dir");
        let (offset, length) = (field(entry + 16), field(entry + 24));
        positions.retain(|position| !(offset + 512..offset + length - 512).contains(position));
        positions
    }

    /// Every answer is the true one or an error; returns how many were errors.
    fn check(&self, edition: &Edition, what: &str) -> usize {
        let mut errors = 0;
        let absent = self.absent.iter().map(|ruc| (ruc, None));
        for (ruc, expected) in self.answers.iter().map(|(ruc, answer)| (ruc, Some(answer))).chain(absent) {
            match answer(edition, *ruc) {
                Ok(found) => assert_eq!(found.as_ref(), expected, "{what}"),
                Err(_) => errors += 1,
            }
        }
        for (words, found) in &self.found {
            for (matching, expected) in SearchMode::ALL.into_iter().zip(found) {
                match search(edition, words, matching) {
                    Ok(found) => assert_eq!(found, *expected, "{what}: {words:?}"),
                    Err(_) => errors += 1,
                }
            }
        }
        match edition.rucs().collect::<Result<Vec<_>, _>>() {
            Ok(rucs) => assert!(rucs.iter().eq(self.answers.keys()), "{what}"),
            Err(_) => errors += 1,
        }
        errors
    }
}

#[test]
fn every_damaged_file_is_refused_when_opened() {
    for sample in samples() {
        let positions = sample.positions();
        let mut dice = Dice(1);
        let file = OpenOptions::new().write(true).open(&sample.path).unwrap();
        for round in 0..600 {
            let mut damaged = Vec::new();
            for _ in 0..=dice.below(64) {
                let at = positions[dice.below(positions.len())];
                damaged.push(at);
                file.write_all_at(&[sample.bytes[at] ^ (1 << dice.below(8))], at as u64).unwrap();
            }
            assert!(sample.open().is_err(), "round {round}: {damaged:?}");
            for at in damaged {
                file.write_all_at(&sample.bytes[at..=at], at as u64).unwrap();
            }
        }
        sample.check(&sample.open().unwrap(), "restored");
    }
}

#[test]
fn a_cut_grown_zeroed_or_shuffled_file_is_refused() {
    for sample in samples() {
        let mut dice = Dice(2);
        let length = sample.bytes.len();
        let refused = |bytes: &[u8], what: &str| {
            fs::remove_file(&sample.path).unwrap();
            fs::write(&sample.path, bytes).unwrap();
            assert!(sample.open().is_err(), "{what}");
        };
        let some = [0, 1, 8, 63, 64, 100, length / 2, length - 1];
        for cut in some.into_iter().chain((0..50).map(|_| dice.below(length))) {
            refused(&sample.bytes[..cut], &format!("cut to {cut}"));
        }
        for more in [1, 4096] {
            refused(&[&sample.bytes[..], &vec![0; more]].concat(), &format!("grown by {more}"));
        }
        for _ in 0..50 {
            let (a, b) = (dice.below(length / 512) * 512, dice.below(length / 512) * 512);
            let mut bytes = sample.bytes.clone();
            bytes[a..a + 512].fill(0);
            if bytes != sample.bytes {
                refused(&bytes, &format!("512 bytes zeroed at {a}"));
            }
            let mut bytes = sample.bytes.clone();
            bytes.copy_within(b..b + 512, a);
            bytes[b..b + 512].copy_from_slice(&sample.bytes[a..a + 512]);
            if bytes != sample.bytes {
                refused(&bytes, &format!("{a} and {b} swapped"));
            }
        }
    }
}

#[test]
fn damage_after_opening_is_an_error_never_another_record() {
    // `make reliability` sets a higher number.
    let (flips, mut all_errors) = (number("FLIPS", 300), 0);
    for sample in samples() {
        let positions = sample.positions();
        let mut dice = Dice(3);
        let file = OpenOptions::new().write(true).open(&sample.path).unwrap();
        let edition = sample.open().unwrap();
        assert!(!edition.has_changed() && edition.is_intact());
        let mut errors = 0;
        // Many bytes at a time, then every byte of a small edition once.
        let many: Vec<Vec<usize>> = (0..flips)
            .map(|_| (0..=dice.below(64)).map(|_| positions[dice.below(positions.len())]).collect())
            .collect();
        for (round, damaged) in
            many.into_iter().chain(positions.iter().step_by(sample.answers.len() / 6).map(|&at| vec![at])).enumerate()
        {
            for &at in &damaged {
                file.write_all_at(&[sample.bytes[at] ^ (1 << dice.below(8))], at as u64).unwrap();
            }
            errors += sample.check(&edition, &format!("{damaged:?}"));
            if round < 100 {
                assert!(edition.has_changed() && !edition.is_intact(), "{damaged:?}");
            }
            for at in damaged {
                file.write_all_at(&sample.bytes[at..=at], at as u64).unwrap();
            }
        }
        assert!(errors > 1000, "only {errors} errors: the damage did not reach the rows");
        assert_eq!(sample.check(&edition, "restored"), 0);
        assert!(edition.is_intact());
        all_errors += errors;
    }
    let tried =
        format!("1 to 64 bytes of two open editions changed, {flips} times each, and each byte of a small one once");
    figure("C8", &tried, &format!("{all_errors} errors, 0 wrong answers"));
}
