//! An edition whose keys do not rise, which this version never writes: not adopted, not compared, not used as a list.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_domain::Date;

use super::workspace::{Workspace, company, day};
use crate::dataset::{Dataset, RETENCION};
use crate::folder::Folder;
use crate::folder::disk::SystemDisk;
use crate::format::header::{Header, ROWS};
use crate::publish::{Take, adopt_on};
use crate::row_id::row_id_of;
use crate::{
    AdoptError, DatasetEdition, DatasetImport, ImportError, NoProgress, OpenEdition, Origin, SourceFile, import_dataset,
};

/// The edition, which has one bucket, with these first two keys and checksums that match.
fn with_keys(edition: &[u8], change: impl Fn([u8; 4]) -> [u8; 4]) -> Vec<u8> {
    let (mut header, _) = Header::decode(edition).unwrap();
    let section = header.sections.iter_mut().find(|section| section.name == ROWS.name).unwrap();
    let mut bytes = edition.to_vec();
    let rows = &mut bytes[section.offset as usize..(section.offset + section.length) as usize];
    let keys: [u8; 4] = rows[5..9].try_into().unwrap();
    rows[5..9].copy_from_slice(&change(keys));
    // The check of the bucket of a whole group.
    let range = (row_id_of(company(0)) >> 16 << 17 | 1 << 16).wrapping_mul(0x9e37_79b1);
    let mut check = crc32fast::Hasher::new_with_initial(range);
    check.update(&rows[4..]);
    let check = check.finalize();
    rows[..4].copy_from_slice(&check.to_le_bytes());
    section.crc = crc32fast::hash(rows);
    let header = header.encode();
    bytes[..header.len()].copy_from_slice(&header);
    bytes
}

const fn swapped([a, b, c, d]: [u8; 4]) -> [u8; 4] {
    [c, d, a, b]
}

const fn repeated([a, b, ..]: [u8; 4]) -> [u8; 4] {
    [a, b, a, b]
}

fn current(registry: &Path, dataset: &Dataset) -> PathBuf {
    Folder::of(registry, dataset).current().unwrap().unwrap()
}

/// Imports a list of two companies.
fn list(workspace: &Workspace, on: u8, first: u32) {
    let rows = (first..first + 2).map(|n| format!("{}|EMPRESA|01/01/2020|R.S. {on}|\n", company(n)));
    let path = workspace.0.path().join("list");
    fs::write(&path, format!("Ruc|Nombre/Razon|A partir del|Resolucion|\n{}", rows.collect::<String>())).unwrap();
    let today = Date::new(2026, 11, on).unwrap();
    let (source, origin) = (SourceFile::local(path), Origin::Published);
    let request = DatasetImport { source, date: None, served_on: None, today, origin, force: false };
    import_dataset(&workspace.folder(), &RETENCION, &request, &NoProgress).unwrap();
}

#[test]
fn an_edition_whose_keys_do_not_rise_is_not_adopted() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let label = builder.import(&SystemDisk, 1, &day(1)).unwrap().label;
    let good = fs::read(builder.folder().join(format!("editions/{label}.kuraka"))).unwrap();
    let fetched = here.0.path().join("fetched");
    for change in [swapped, repeated] {
        fs::write(&fetched, with_keys(&good, change)).unwrap();
        OpenEdition::open(&fetched).unwrap();
        let error = adopt_on(&SystemDisk, &here.folder(), Take::Copy(&fetched), None, true).unwrap_err();
        assert!(matches!(error, AdoptError::Edition(_)), "{error}");
    }
    list(&builder, 1, 1);
    let good = fs::read(current(&builder.folder(), &RETENCION)).unwrap();
    for change in [swapped, repeated] {
        fs::write(&fetched, with_keys(&good, change)).unwrap();
        DatasetEdition::open(&RETENCION, &fetched).unwrap();
        let today = Date::new(2026, 11, 1).unwrap();
        let (source, origin) = (SourceFile::local(&fetched), Origin::Published);
        let request = DatasetImport { source, date: None, served_on: None, today, origin, force: true };
        let error = import_dataset(&here.folder(), &RETENCION, &request, &NoProgress).unwrap_err();
        assert!(matches!(error, ImportError::Edition { .. }), "{error}");
    }
}

#[test]
fn an_edition_whose_keys_do_not_rise_is_not_compared() {
    for change in [swapped, repeated] {
        let workspace = Workspace::new();
        let label = workspace.import(&SystemDisk, 1, &day(1)).unwrap().label;
        let path = workspace.folder().join(format!("editions/{label}.kuraka"));
        let bad = with_keys(&fs::read(&path).unwrap(), change);
        fs::write(&path, bad).unwrap();
        let report = workspace.import_forced(&SystemDisk, 2, &day(2)).unwrap();
        let gap = report.changes.unwrap().gap;
        assert!(gap.as_ref().is_some_and(|gap| gap.contains("damaged")), "{gap:?}");
    }
}

#[test]
fn a_list_whose_keys_do_not_rise_flags_no_taxpayer_and_is_named() {
    let workspace = Workspace::new();
    list(&workspace, 1, 1);
    assert!(workspace.import(&SystemDisk, 1, &day(1)).unwrap().damaged_lists.is_empty());
    list(&workspace, 2, 2);
    let path = current(&workspace.folder(), &RETENCION);
    let bad = with_keys(&fs::read(&path).unwrap(), swapped);
    fs::write(&path, bad).unwrap();
    let report = workspace.import(&SystemDisk, 2, &day(2)).unwrap();
    assert_eq!(report.damaged_lists, [RETENCION.name]);
    let edition = workspace.edition(&report.label);
    let flags = [1, 2, 3].map(|n| edition.lookup(company(n)).unwrap().unwrap().withholding_agent);
    assert_eq!(flags, [true, true, false], "as the edition before");
    // A file that cannot be opened at all is another list's.
    fs::write(&path, "damaged").unwrap();
    let report = workspace.import(&SystemDisk, 3, &day(3)).unwrap();
    assert_eq!(report.damaged_lists, [RETENCION.name]);
}
