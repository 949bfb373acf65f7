//! Damaged edition files: refused, or answered as before. Never another record, never a wrong absence.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_registry::OpenEdition;

use crate::reliability::{figure, number};
use crate::workspace::{Workspace, company, fixture, ruc};

/// Numbers by xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

struct Sample {
    _workspace: Workspace,
    path: PathBuf,
    bytes: Vec<u8>,
    rows: BTreeMap<Ruc, TaxpayerSummary>,
    absent: Vec<Ruc>,
}

fn sample() -> Sample {
    let workspace = Workspace::new();
    workspace.import(&fixture("rows_2026_latin1.txt"));
    let edition = workspace.edition();
    let rows: BTreeMap<_, _> = edition.iter().map(Result::unwrap).map(|row| (row.ruc, row)).collect();
    let path = workspace.edition_path();
    let bytes = fs::read(&path).unwrap();
    let absent = rows.keys().filter_map(|row| Ruc::from_parts(row.kind(), row.body() ^ 1).ok()).collect();
    Sample { _workspace: workspace, path, bytes, rows, absent }
}

impl Sample {
    /// All positions but the middle of the directory, which has thousands of nearly equal entries.
    fn positions(&self) -> Vec<usize> {
        let mut positions: Vec<usize> = (0..self.bytes.len()).collect();
        let field = |at: usize| u64::from_le_bytes(self.bytes[at..at + 8].try_into().unwrap()) as usize;
        // The fourth section.
        let entry = 68 + 3 * 32;
        assert_eq!(&self.bytes[entry..entry + 3], b"dir");
        let (offset, length) = (field(entry + 16), field(entry + 24));
        positions.retain(|position| !(offset + 512..offset + length - 512).contains(position));
        positions
    }

    /// Every answer is the true one or an error; returns how many were errors.
    fn check(&self, edition: &OpenEdition, what: &str) -> usize {
        let mut errors = 0;
        for (ruc, expected) in &self.rows {
            match edition.lookup(*ruc) {
                Ok(found) => assert_eq!(found.as_ref(), Some(expected), "{what}"),
                Err(_) => errors += 1,
            }
        }
        for ruc in &self.absent {
            match edition.lookup(*ruc) {
                Ok(found) => assert_eq!(found, None, "{what}"),
                Err(_) => errors += 1,
            }
        }
        for (ordinal, expected) in self.rows.values().enumerate() {
            match edition.row(ordinal as u64) {
                Ok(found) => assert_eq!(found.as_ref(), Some(expected), "{what}"),
                Err(_) => errors += 1,
            }
        }
        errors
    }
}

#[test]
fn every_damaged_file_is_refused_when_opened() {
    let sample = sample();
    let positions = sample.positions();
    let mut random = Random(1);
    let file = OpenOptions::new().write(true).open(&sample.path).unwrap();
    for round in 0..600 {
        let mut damaged = Vec::new();
        for _ in 0..=random.below(64) {
            let at = positions[random.below(positions.len())];
            damaged.push(at);
            file.write_all_at(&[sample.bytes[at] ^ (1 << random.below(8))], at as u64).unwrap();
        }
        assert!(OpenEdition::open(&sample.path).is_err(), "round {round}: {damaged:?}");
        for at in damaged {
            file.write_all_at(&sample.bytes[at..=at], at as u64).unwrap();
        }
    }
    sample.check(&OpenEdition::open(&sample.path).unwrap(), "restored");
}

#[test]
fn a_cut_grown_zeroed_or_shuffled_file_is_refused() {
    let sample = sample();
    let mut random = Random(2);
    let length = sample.bytes.len();
    let refused = |bytes: &[u8], what: &str| {
        fs::remove_file(&sample.path).unwrap();
        fs::write(&sample.path, bytes).unwrap();
        assert!(OpenEdition::open(&sample.path).is_err(), "{what}");
    };
    for cut in [0, 1, 8, 63, 64, 100, length / 2, length - 1].into_iter().chain((0..50).map(|_| random.below(length))) {
        refused(&sample.bytes[..cut], &format!("cut to {cut}"));
    }
    for more in [1, 4096] {
        refused(&[&sample.bytes[..], &vec![0; more]].concat(), &format!("grown by {more}"));
    }
    for _ in 0..50 {
        let (a, b) = (random.below(length / 512) * 512, random.below(length / 512) * 512);
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

#[test]
fn damage_after_opening_is_an_error_never_another_record() {
    let sample = sample();
    let positions = sample.positions();
    let mut random = Random(3);
    let file = OpenOptions::new().write(true).open(&sample.path).unwrap();
    let edition = OpenEdition::open(&sample.path).unwrap();
    let mut errors = 0;
    // Every byte once, then many at a time.
    let single = positions.iter().map(|&at| vec![at]);
    // `make reliability` sets a higher number.
    let flips = number("FLIPS", 1_000);
    let many: Vec<Vec<usize>> = (0..flips)
        .map(|_| (0..=random.below(64)).map(|_| positions[random.below(positions.len())]).collect())
        .collect();
    for damaged in single.chain(many) {
        for &at in &damaged {
            file.write_all_at(&[sample.bytes[at] ^ (1 << random.below(8))], at as u64).unwrap();
        }
        errors += sample.check(&edition, &format!("{damaged:?}"));
        for at in damaged {
            file.write_all_at(&sample.bytes[at..=at], at as u64).unwrap();
        }
    }
    let tried = format!("1 to 64 bytes of an open edition changed, {flips} times, and each byte once");
    figure("C8", &tried, &format!("{errors} errors, 0 wrong answers"));
    assert!(errors > 1000, "only {errors} errors: the damage did not reach the rows");
    assert_eq!(sample.check(&edition, "restored"), 0);
    assert_eq!(edition.lookup(ruc("20512201611")).unwrap().unwrap().department(), "LIMA");
    assert_eq!(edition.lookup(company(1)), Ok(None));
}
