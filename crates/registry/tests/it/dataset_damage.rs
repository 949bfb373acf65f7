//! Damage to the edition of a dataset: an error, never another row, and a damaged file is never opened.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;

use kuraka_domain::Ruc;
use kuraka_registry::dataset::ANEXOS;
use kuraka_registry::{DatasetEdition, DatasetWatcher, OpenError, dataset_editions};

use crate::workspace::{Workspace, company};

/// Companies with annex premises.
const COMPANIES: u32 = 400;

/// A file of annex premises, `more` of which the first company has.
fn annexes(more: u32) -> Vec<u8> {
    let header = "RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|LOTE|\
                  DEPARTAMENTO|MANZANA\n";
    let row = |n: u32, place: u32| {
        format!("{}|1501{:02}|AV.|CALLE {place}|URB.|ZONA {}|{}|-|-|-|-|-\n", company(n), n % 43 + 1, n % 7, place * 3)
    };
    let rows = (0..COMPANIES).flat_map(|n| (0..n % 4 + 1).map(move |place| row(n, place)));
    let more = (0..more).map(|place| row(0, 10 + place));
    format!("{header}{}", rows.chain(more).collect::<String>()).into_bytes()
}

/// Every row as text.
fn rows(edition: &DatasetEdition) -> BTreeMap<Ruc, String> {
    edition.iter().map(Result::unwrap).map(|(ruc, rows)| (ruc, format!("{rows:?}"))).collect()
}

fn imported() -> (Workspace, std::path::PathBuf) {
    let workspace = Workspace::new();
    workspace.try_dataset(&ANEXOS, "annexes", &annexes(3)).unwrap();
    let path = dataset_editions(&workspace.registry(), &ANEXOS).unwrap().remove(0).path;
    (workspace, path)
}

#[test]
fn damage_of_a_served_edition_is_an_error_never_another_row() {
    let (_workspace, path) = imported();
    let edition = DatasetEdition::open(&ANEXOS, &path).unwrap();
    let expected = rows(&edition);
    assert_eq!(expected.len(), COMPANIES as usize);
    let absent: Vec<Ruc> = (COMPANIES..2 * COMPANIES).map(company).collect();
    let good = fs::read(&path).unwrap();
    let file = OpenOptions::new().write(true).open(&path).unwrap();
    let mut errors = 0;
    for start in (0..good.len()).step_by(good.len() / 40) {
        let damaged: Vec<u8> = good[start..good.len().min(start + 60)].iter().map(|byte| byte ^ 0x11).collect();
        file.write_all_at(&damaged, start as u64).unwrap();
        for (ruc, rows) in &expected {
            match edition.lookup(*ruc) {
                Ok(found) => assert_eq!(format!("{found:?}"), *rows, "damage at {start}"),
                Err(_) => errors += 1,
            }
        }
        for ruc in &absent {
            assert!(edition.lookup(*ruc).is_ok_and(|rows| rows.is_empty()) || edition.lookup(*ruc).is_err());
        }
        assert!(edition.has_changed() && !edition.is_intact());
        file.write_all_at(&good[start..start + damaged.len()], start as u64).unwrap();
    }
    assert!(errors > 20, "only {errors}: the damage did not reach the rows");
    assert_eq!(rows(&edition), expected);
    assert!(edition.is_intact());
}

#[test]
fn a_cut_or_changed_file_is_not_opened() {
    let (workspace, path) = imported();
    let good = fs::read(&path).unwrap();
    let other = workspace.file("other", &good);
    for at in (0..good.len()).step_by(good.len() / 150) {
        fs::write(&other, &good[..at]).unwrap();
        assert!(DatasetEdition::open(&ANEXOS, &other).is_err(), "cut at {at}");
        let mut bad = good.clone();
        bad[at] ^= 0x40;
        fs::write(&other, &bad).unwrap();
        assert!(DatasetEdition::open(&ANEXOS, &other).is_err(), "byte {at}");
        if at % 7 == 0 {
            workspace.try_dataset(&ANEXOS, "bad", &bad).unwrap_err();
        }
    }
    fs::write(&other, &good).unwrap();
    DatasetEdition::open(&ANEXOS, &other).unwrap();
}

#[test]
fn a_truncated_served_edition_gives_errors() {
    let (_workspace, path) = imported();
    let edition = DatasetEdition::open(&ANEXOS, &path).unwrap();
    OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    for n in 0..COMPANIES {
        assert!(edition.lookup(company(n)).is_err());
    }
    assert!(edition.is_unreadable() && edition.has_changed());
    assert!(edition.iter().next().unwrap().is_err());
}

#[test]
fn a_watcher_opens_each_new_edition_and_falls_back_from_a_damaged_one() {
    let workspace = Workspace::new();
    let watcher = DatasetWatcher::of(&workspace.registry(), &ANEXOS);
    let report = watcher.reopen().unwrap();
    assert!(report.edition.is_none() && report.skipped.is_empty());
    assert!(!workspace.registry().exists(), "a dataset that was never imported costs nothing");
    workspace.try_dataset(&ANEXOS, "annexes", &annexes(1)).unwrap();
    let first = watcher.open_new().unwrap().unwrap();
    assert_eq!(first.lookup(company(0)).unwrap().len(), 2);
    assert!(watcher.open_new().unwrap().is_none());

    let second = workspace.try_dataset(&ANEXOS, "annexes", &annexes(2)).unwrap().label;
    let path = workspace.registry().join(format!("datasets/anexos/editions/{second}.kuraka"));
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..good.len() / 2]).unwrap();
    assert!(matches!(watcher.open_new(), Err(OpenError::Edition { .. })));
    assert!(watcher.open_new().unwrap().is_none(), "it is reported once");
    assert!(watcher.refuses_current());
    let fallback = DatasetWatcher::of(&workspace.registry(), &ANEXOS).reopen().unwrap();
    assert_eq!((fallback.edition.unwrap().label(), fallback.skipped.len()), (first.label(), 1));
    fs::write(&path, &good).unwrap();
    assert_eq!(watcher.reopen().unwrap().edition.unwrap().label(), second);
}
