//! Damaged and hostile lists of changes.

use std::fs;
use std::path::Path;

use kuraka_registry::BlockError;
use kuraka_registry::changes::ChangeList;
use kuraka_registry::dataset::PADRON;
use proptest::prelude::*;

use super::{import, only_list};
use crate::published::company;
use crate::workspace::{Workspace, line, padron};

/// A list with changes of each kind.
fn list() -> (Workspace, ChangeList) {
    let workspace = Workspace::new();
    import(&workspace, &PADRON, 1, &padron((0..60).map(|n| line(company(n), "EMPRESA"))));
    import(&workspace, &PADRON, 2, &padron((20..80).map(|n| line(company(n), ["EMPRESA", "OTRA"][n as usize % 2]))));
    let list = only_list(&workspace, &PADRON);
    assert_eq!(list.changes().count(), 20 + 20 + 20);
    (workspace, list)
}

#[test]
fn every_damaged_list_is_refused_when_opened() {
    let (workspace, list) = list();
    let good = fs::read(list.path()).unwrap();
    let opened = |bytes: &[u8]| ChangeList::open(&workspace.file("list", bytes));
    assert!(opened(&good).is_ok());
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        assert!(opened(&bad).is_err(), "bit {bit}");
    }
    for length in 0..good.len() {
        assert!(opened(&good[..length]).is_err(), "{length} bytes");
    }
    assert!(opened(&[&good[..], &[0]].concat()).is_err(), "a byte more");
    let edition = fs::read(workspace.edition_path(&PADRON)).unwrap();
    assert!(matches!(opened(&edition), Err(BlockError::OtherKind { .. })));
}

/// Replaces the changes by those of one taxpayer with these bytes, with checksums that match.
fn with_change(good: &[u8], change: &[u8]) -> Vec<u8> {
    const HEADER: usize = 36;
    let number = |at: usize| u32::from_le_bytes(good[at..at + 4].try_into().unwrap()) as usize;
    let facts = &good[good.len() - number(24)..];
    let row_ids = [&[0][..], &varint(change.len())].concat();
    let block = [&row_ids[..], &deflated(change)].concat();
    let entry = [0, row_ids.len() as u32, block.len() as u32, crc32fast::hash(&block)].map(u32::to_le_bytes).concat();
    let tail = [&entry, facts].concat();
    let mut bytes = [&good[..HEADER], &block, &tail].concat();
    let length = bytes.len() as u64;
    bytes[12..16].copy_from_slice(&(entry.len() as u32).to_le_bytes());
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    bytes[28..32].copy_from_slice(&crc32fast::hash(&tail).to_le_bytes());
    let check = crc32fast::hash(&bytes[..32]);
    bytes[32..HEADER].copy_from_slice(&check.to_le_bytes());
    bytes
}

fn varint(number: usize) -> Vec<u8> {
    if number < 0x80 { vec![number as u8] } else { vec![number as u8 | 0x80, (number >> 7) as u8] }
}

fn deflated(block: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    deflate.write_all(block).unwrap();
    deflate.finish().unwrap()
}

/// Reads a list with these changes to its end: the number of changes, and the error.
fn read(path: &Path) -> (usize, Option<BlockError>) {
    let (mut count, mut error) = (0, None);
    for change in ChangeList::open(path).unwrap().changes() {
        match change {
            Ok(_) => count += 1,
            Err(found) => error = Some(found),
        }
    }
    (count, error)
}

#[test]
fn hostile_changes_are_an_error_without_much_memory() {
    let (workspace, list) = list();
    let good = fs::read(list.path()).unwrap();
    let read = |change: &[u8]| read(&workspace.file("list", &with_change(&good, change)));
    assert!(matches!(read(&[0]), (1, None)));
    for change in [
        // Nothing; a byte more.
        &[][..],
        &[0, 0],
        // A thousand million rows, and a text of four gigabytes.
        &[0xfd, 0xff, 0xff, 0xff, 0x0f],
        &[1 << 2 | 1, 0xff, 0xff, 0xff, 0xff, 0x0f],
        // A field that there is not.
        &[1 << 2 | 2, 5, 0, 0],
    ] {
        let (count, error) = read(change);
        assert!(count == 0 && error.unwrap().to_string().ends_with("a change cannot be read"), "{change:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_changes_make_the_reader_panic(change in prop::collection::vec(prop_oneof![0..20_u8, any::<u8>()], 1..300)) {
        static LIST: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| fs::read(list().1.path()).unwrap());
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), with_change(&LIST, &change)).unwrap();
        let _ = read(file.path());
    }
}
