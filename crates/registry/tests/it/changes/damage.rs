//! Damaged and hostile lists of changes.

use std::fs;
use std::path::Path;

use kuraka_registry::changes::{ChangeList, ListError};
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
    assert_eq!(list.changes().unwrap().count(), 20 + 20 + 20);
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
    assert!(matches!(opened(&edition), Err(ListError::NotAList)));
}

/// Replaces the changes by `compressed`, with checksums that match.
fn with_changes(good: &[u8], compressed: &[u8]) -> Vec<u8> {
    const HEADER: usize = 68 + 2 * 32 + 4;
    let number = |at: usize| u64::from_le_bytes(good[at..at + 8].try_into().unwrap()) as usize;
    let facts = good[number(68 + 32 + 16)..].to_vec();
    let mut bytes = [&good[..HEADER], compressed, &facts].concat();
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    bytes[68 + 12..68 + 16].copy_from_slice(&crc32fast::hash(compressed).to_le_bytes());
    bytes[68 + 24..68 + 32].copy_from_slice(&(compressed.len() as u64).to_le_bytes());
    bytes[68 + 48..68 + 56].copy_from_slice(&((HEADER + compressed.len()) as u64).to_le_bytes());
    let check = crc32fast::hash(&bytes[..HEADER - 4]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&check.to_le_bytes());
    bytes
}

fn deflated(blocks: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    deflate.write_all(blocks).unwrap();
    deflate.finish().unwrap()
}

/// Reads a list with these changes to its end: the number of changes, and the error.
fn read(path: &Path) -> (usize, Option<ListError>) {
    let (mut count, mut error) = (0, None);
    for change in ChangeList::open(path).unwrap().changes().unwrap() {
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
    let read = |compressed: &[u8]| read(&workspace.file("list", &with_changes(&good, compressed)));
    let is_damaged = |(count, error): (usize, Option<ListError>), reason: &str| {
        assert_eq!(count, 0);
        let text = error.unwrap().to_string();
        assert!(text.contains(reason), "{text}");
    };
    is_damaged(read(&[]), "cannot be read");
    is_damaged(read(&[0xff; 100]), "cannot be read");
    is_damaged(read(&deflated(&[])), "changes are missing");
    is_damaged(read(&deflated(&[0])), "a block is cut short");
    is_damaged(read(&deflated(&[5, 1])), "a block is cut short");
    is_damaged(read(&deflated(&[0x80])), "a block is cut short");
    is_damaged(read(&deflated(&[0xff, 0xff, 0xff, 0xff, 0x0f])), "a block is too long");
    // A taxpayer with four thousand million rows, and a text of four gigabytes.
    is_damaged(read(&deflated(&[6, 1, 0xff, 0xff, 0xff, 0xff, 0x0f])), "a change cannot be read");
    is_damaged(read(&deflated(&[7, 1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f])), "a change cannot be read");
    // Fifty million zeros behind the first block are not read.
    let bomb = deflated(&[&[3, 7, 0, 9][..], &vec![0; 50_000_000]].concat());
    is_damaged(read(&bomb), "a change cannot be read");
    // New taxpayers without end.
    let (count, error) = read(&deflated(&[&[100][..], &[4; 100]].concat()));
    assert_eq!(
        (count, error.unwrap().to_string()),
        (60, "the list of changes is damaged: it has more changes than it says".to_owned())
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_changes_make_the_reader_panic(blocks in prop::collection::vec(prop_oneof![0..20_u8, any::<u8>()], 0..300)) {
        static LIST: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| fs::read(list().1.path()).unwrap());
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), with_changes(&LIST, &deflated(&[&[(blocks.len() as u8) & 0x7f][..], &blocks].concat()))).unwrap();
        let _ = read(file.path());
    }
}
