//! An edition that the version before groups wrote, recorded as a file: it opens, answers every row as it did, and is
//! the parent of an import.

use std::fs::{self, OpenOptions};
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use flate2::read::GzDecoder;
use kuraka_domain::{Ruc, RucKind, TaxpayerSummary};
use kuraka_registry::{List, OpenEdition, OpenReport, PublishResult, adopt, open_current, rollback};

use crate::workspace::{Workspace, company, fixture, line, padron, ruc};

const LABEL: &str = "2026-11-20-d35335d6";

fn recorded() -> Vec<u8> {
    let mut bytes = Vec::new();
    GzDecoder::new(fixture("edition_of_version_1.kuraka.gz").as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The recorded answers, one line each, in the order of the edition.
fn answers() -> Vec<String> {
    String::from_utf8(fixture("edition_of_version_1.txt")).unwrap().lines().map(str::to_owned).collect()
}

fn answer(row: &TaxpayerSummary) -> String {
    let TaxpayerSummary { ruc, name, status, condition, address, .. } = row;
    let department = row.department();
    let (withholding, good) = (row.withholding_agent, row.good_taxpayer);
    format!("{ruc}|{name}|{status}|{condition}|{address}|{department}|{withholding}|{good}")
}

/// A registry whose current edition is the recorded one.
fn registry() -> Workspace {
    let workspace = Workspace::new();
    fs::create_dir_all(workspace.registry().join("editions")).unwrap();
    fs::write(workspace.registry().join(format!("editions/{LABEL}.kuraka")), recorded()).unwrap();
    fs::write(workspace.registry().join("CURRENT"), format!("{LABEL}.kuraka\n")).unwrap();
    workspace
}

fn current(workspace: &Workspace) -> OpenEdition {
    let OpenReport { edition, skipped } = open_current(&workspace.registry()).unwrap();
    assert!(skipped.is_empty(), "{skipped:?}");
    edition.unwrap()
}

/// RUCs that the edition does not have, beside those that it has and far from them.
fn absent(answers: &[String]) -> Vec<Ruc> {
    let present: Vec<Ruc> = answers.iter().map(|answer| ruc(&answer[..11])).collect();
    let beside = present.iter().filter_map(|row| Ruc::from_parts(row.kind(), row.body() ^ 1).ok());
    let far = [RucKind::NaturalPerson, RucKind::LegalPerson].map(|kind| Ruc::from_parts(kind, 98_765_432).unwrap());
    beside.filter(|ruc| !present.contains(ruc)).chain(far).collect()
}

#[test]
fn every_row_of_version_1_is_answered_as_before() {
    let (edition, answers) = (current(&registry()), answers());
    assert_eq!((edition.label(), edition.rows()), (LABEL, answers.len() as u64));
    for (ordinal, expected) in answers.iter().enumerate() {
        let found = edition.lookup(ruc(&expected[..11])).unwrap().unwrap();
        assert_eq!(answer(&found), *expected);
        assert_eq!(edition.row(ordinal as u64), Ok(Some(found)));
    }
    assert!(edition.iter().map(|row| answer(&row.unwrap())).eq(answers.iter().cloned()));
    let absent = absent(&answers);
    assert!(absent.len() > 100);
    for ruc in absent {
        assert_eq!(edition.lookup(ruc), Ok(None), "{ruc}");
    }
    assert_eq!(edition.row(edition.rows()), Ok(None));
    assert!(edition.is_intact());
}

/// Where the section `rows` is, by the header.
fn rows_section(bytes: &[u8]) -> Range<usize> {
    let field = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let mut entries = (68..).step_by(32).take(bytes[64].into());
    let rows = entries.find(|&entry| bytes[entry..].starts_with(b"rows\0\0\0\0")).unwrap();
    field(rows + 16)..field(rows + 16) + field(rows + 24)
}

#[test]
fn damage_of_version_1_is_an_error_never_another_record() {
    let workspace = registry();
    let (edition, answers) = (current(&workspace), answers());
    let absent = absent(&answers);
    let bytes = recorded();
    let rows = rows_section(&bytes);
    let file = OpenOptions::new().write(true).open(workspace.edition_path()).unwrap();
    let mut errors = 0;
    for start in rows.clone().step_by(601) {
        let damaged: Vec<u8> = bytes[start..rows.end.min(start + 40)].iter().map(|byte| byte ^ 0x10).collect();
        file.write_all_at(&damaged, start as u64).unwrap();
        for expected in &answers {
            match edition.lookup(ruc(&expected[..11])) {
                Ok(found) => assert_eq!(answer(&found.unwrap()), *expected, "damage at {start}"),
                Err(_) => errors += 1,
            }
        }
        for ruc in &absent {
            assert!(!matches!(edition.lookup(*ruc), Ok(Some(_))), "damage at {start}");
        }
        file.write_all_at(&bytes[start..start + damaged.len()], start as u64).unwrap();
    }
    assert!(errors > 20, "only {errors}: the damage did not reach the rows");
}

#[test]
fn an_import_over_version_1_carries_its_lists_over_and_can_be_rolled_back() {
    let workspace = registry();
    let old = current(&workspace);
    // The same taxpayers, which the guards look for in a sample of the old edition, without their addresses.
    let lines: Vec<String> = old
        .iter()
        .map(Result::unwrap)
        .map(|row| format!("{}|{}|{}|{}|-|-|-|-|-|-|-|-|-|-|-|", row.ruc, row.name, row.status, row.condition))
        .chain([line(company(1), "UNA EMPRESA MAS")])
        .collect();
    let report = workspace.import(&padron(lines));
    assert_eq!((report.previous.as_deref(), report.rows, report.forced.len()), (Some(LABEL), old.rows() + 1, 0));
    assert!(report.lists.contains_key(&List::WITHHOLDING_AGENTS) && report.lists.contains_key(&List::GOOD_TAXPAYERS));
    let new = current(&workspace);
    let flags = |edition: &OpenEdition| -> Vec<(Ruc, bool, bool)> {
        let rows = edition.iter().map(Result::unwrap).map(|row| (row.ruc, row.withholding_agent, row.good_taxpayer));
        rows.filter(|row| row.1 || row.2).collect()
    };
    assert!(!flags(&old).is_empty());
    assert_eq!(flags(&new), flags(&old));

    assert_eq!(rollback(&workspace.registry()).unwrap().to, LABEL);
    assert!(current(&workspace).iter().eq(old.iter()));
}

#[test]
fn an_import_of_most_taxpayers_gone_is_refused_over_version_1_too() {
    let workspace = registry();
    let error = workspace.refusal(&padron((0..1_000).map(|n| line(company(n), "OTRA EMPRESA"))));
    assert!(error.to_string().contains("taxpayers of the previous edition"), "{error}");
}

#[test]
fn a_replica_fetches_an_edition_of_version_1() {
    let workspace = Workspace::new();
    let file = workspace.file("fetched.kuraka", &recorded());
    let adoption = adopt(&workspace.registry(), &file, None, false).unwrap();
    assert_eq!((adoption.outcome, adoption.rows), (PublishResult::Published, answers().len() as u64));
    assert!(current(&workspace).iter().map(|row| answer(&row.unwrap())).eq(answers()));
}
