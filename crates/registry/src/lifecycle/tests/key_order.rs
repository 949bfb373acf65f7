//! An edition whose keys do not rise, which an import never writes: not adopted, not compared.

use std::fs;

use super::published::{KINDS, company};
use super::workspace::Workspace;
use crate::folder::disk::SystemDisk;
use crate::format::header::{Header, ROWS};
use crate::row_id::row_id_of;
use crate::{Edition, Import, ImportError};

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

#[test]
fn an_edition_whose_keys_do_not_rise_is_not_adopted() {
    for dataset in KINDS {
        let (good, here) =
            (fs::read(Workspace::with_days(dataset, [1]).current()).unwrap(), Workspace::for_dataset(dataset));
        for change in [swapped, repeated] {
            let request = here.request(1, &with_keys(&good, change));
            Edition::open(dataset, &request.source.path).unwrap();
            let error = here.import(&SystemDisk, &Import { force: true, ..request }).unwrap_err();
            assert!(matches!(error, ImportError::Edition { .. }), "{error}");
        }
    }
}

#[test]
fn an_edition_whose_keys_do_not_rise_is_not_compared() {
    for (dataset, change) in
        KINDS.into_iter().flat_map(|dataset| [(dataset, swapped as fn(_) -> _), (dataset, repeated)])
    {
        let workspace = Workspace::with_days(dataset, [1]);
        let path = workspace.current();
        let bad = with_keys(&fs::read(&path).unwrap(), change);
        fs::write(&path, bad).unwrap();
        let next = Import { force: true, ..workspace.day_request(2) };
        let gap = workspace.import(&SystemDisk, &next).unwrap().changes.unwrap().gap;
        assert!(gap.as_ref().is_some_and(|gap| gap.contains("damaged")), "{gap:?}");
    }
}
