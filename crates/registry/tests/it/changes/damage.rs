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

/// Replaces the changes by one block, which says that it has this length inflated, with checksums that match.
fn with_block(good: &[u8], length: usize, deflated: &[u8]) -> Vec<u8> {
    const HEADER: usize = 68 + 3 * 32 + 4;
    let number = |at: usize| u64::from_le_bytes(good[at..at + 8].try_into().unwrap()) as usize;
    let (blocks, facts) = (number(68 + 32 + 16), good[number(68 + 64 + 16)..].to_vec());
    let mut entry = good[blocks..blocks + 16].to_vec();
    for (at, number) in [(4, length as u32), (8, deflated.len() as u32), (12, crc32fast::hash(deflated))] {
        entry[at..at + 4].copy_from_slice(&number.to_le_bytes());
    }
    let mut bytes = [&good[..HEADER], deflated, &entry, &facts].concat();
    let total = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&total.to_le_bytes());
    let mut start = HEADER;
    for (section, content) in [deflated, &entry, &facts].into_iter().enumerate() {
        let at = 68 + section * 32;
        bytes[at + 12..at + 16].copy_from_slice(&crc32fast::hash(content).to_le_bytes());
        bytes[at + 16..at + 24].copy_from_slice(&(start as u64).to_le_bytes());
        bytes[at + 24..at + 32].copy_from_slice(&(content.len() as u64).to_le_bytes());
        start += content.len();
    }
    let check = crc32fast::hash(&bytes[..HEADER - 4]);
    bytes[HEADER - 4..HEADER].copy_from_slice(&check.to_le_bytes());
    bytes
}

fn deflated(block: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    deflate.write_all(block).unwrap();
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
    let read = |length: usize, deflated: &[u8]| read(&workspace.file("list", &with_block(&good, length, deflated)));
    let is_damaged = |(count, error): (usize, Option<ListError>), reason: &str| {
        assert_eq!(count, 0);
        let text = error.unwrap().to_string();
        assert!(text.contains(reason), "{text}");
    };
    is_damaged(read(9, &[]), "cannot be read");
    is_damaged(read(9, &[0xff; 100]), "cannot be read");
    is_damaged(read(2, &deflated(&[1])), "does not have its length");
    is_damaged(read(1, &deflated(&[4, 0])), "does not have its length");
    // A taxpayer with four thousand million rows, and a text of four gigabytes.
    is_damaged(read(6, &deflated(&[1, 0xff, 0xff, 0xff, 0xff, 0x0f])), "a change cannot be read");
    is_damaged(read(7, &deflated(&[1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f])), "a change cannot be read");
    // Fifty million zeros behind the block are not read.
    let bomb = deflated(&[&[7, 0, 9][..], &vec![0; 50_000_000]].concat());
    is_damaged(read(3, &bomb), "does not have its length");
    let opened = |length| ChangeList::open(&workspace.file("list", &with_block(&good, length, &bomb)));
    for length in [0, 50_000_003] {
        assert!(opened(length).unwrap_err().to_string().contains("its blocks are impossible"));
    }
    // New taxpayers without end.
    let (count, error) = read(200, &deflated(&[4, 0].repeat(100)));
    assert_eq!(
        (count, error.unwrap().to_string()),
        (60, "the list of changes is damaged: it has more changes than it says".to_owned())
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_changes_make_the_reader_panic(block in prop::collection::vec(prop_oneof![0..20_u8, any::<u8>()], 1..300)) {
        static LIST: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| fs::read(list().1.path()).unwrap());
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), with_block(&LIST, block.len(), &deflated(&block))).unwrap();
        let _ = read(file.path());
    }
}
