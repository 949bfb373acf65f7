//! A file of blocks gives back what was written, or an error.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::header::{BlockEntry, Header};
use super::read::BlockFile;
use super::{BlockError, FileKind, write};
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::tests::FailingDisk;

const KIND: FileKind = FileKind { magic: *b"\x89KURTST\n", name: "file of a test" };
type Rows = BTreeMap<u32, Vec<u8>>;

fn write_rows(disk: &dyn Disk, path: &Path, rows: &Rows) -> Result<u64, BlockError> {
    write(disk, path, KIND, |writer| {
        rows.iter().try_for_each(|(row_id, value)| writer.push(*row_id, value)).map(|()| "facts".to_owned())
    })
}

fn open(path: &Path) -> Result<BlockFile, BlockError> {
    let (file, facts): (_, String) = BlockFile::open(path, KIND)?;
    assert_eq!(facts, "facts");
    Ok(file)
}

fn all(file: &BlockFile) -> Rows {
    let rows = |number| {
        let block = file.block(number).unwrap();
        block.rows().map(|(row_id, value)| (row_id, value.to_vec())).collect::<Vec<_>>()
    };
    (0..file.count()).flat_map(rows).collect()
}

fn some_rows() -> Rows {
    (0..3_000_u32).map(|n| (n * 7 + n % 5, format!("{n} {}", n.wrapping_mul(2_654_435_761)).into_bytes())).collect()
}

fn rows() -> impl Strategy<Value = Rows> {
    let value = prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 1..40),
        1 => (any::<u8>(), 1_000..30_000_usize).prop_map(|(byte, length)| vec![byte; length]),
    ];
    prop::collection::btree_map(0..500_000_000_u32, value, 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn a_file_is_the_map_that_was_written_and_merged(old in rows(), new in rows()) {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        write_rows(&SystemDisk, &first, &old).unwrap();
        let file = open(&first).unwrap();
        prop_assert_eq!(&all(&file), &old);
        // Each third new row replaces nothing and removes the old one.
        let new: BTreeMap<u32, Vec<u8>> = new.into_iter().chain(old.iter().step_by(4).map(|(id, _)| (*id, vec![1]))).collect();
        let value = |known: &[u8], new: Option<&Vec<u8>>, out: &mut Vec<u8>| {
            if new.is_none_or(|new| !new.len().is_multiple_of(3)) {
                out.extend(new.into_iter().flatten().chain(known));
            }
            Some(())
        };
        write(&SystemDisk, &second, KIND, |writer| {
            let rows = new.iter().map(|(row_id, value)| Ok::<_, BlockError>((*row_id, value)));
            writer.merge(Some(&file), rows, value).map(|()| "facts")
        }).unwrap();
        let mut expected = Rows::new();
        for row_id in old.keys().chain(new.keys()) {
            let mut out = Vec::new();
            value(old.get(row_id).map_or(&[], Vec::as_slice), new.get(row_id), &mut out).unwrap();
            if !out.is_empty() {
                expected.insert(*row_id, out);
            }
        }
        let file = open(&second).unwrap();
        prop_assert_eq!(&all(&file), &expected);
        for row_id in old.keys().chain(new.keys()).flat_map(|&row_id| [row_id.saturating_sub(1), row_id, row_id + 1]) {
            prop_assert_eq!(file.get(row_id).unwrap(), expected.get(&row_id).cloned(), "{}", row_id);
        }
    }

    #[test]
    fn hostile_blocks_are_an_error_without_much_memory(
        keys in prop::collection::vec(prop_oneof![0..3_u8, any::<u8>()], 0..30),
        deflated in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, with_block(7, &keys, &deflated)).unwrap();
        let file = open(&path).unwrap();
        let _ = file.get(8);
        let _ = file.block(0).map(|block| block.rows().count());
    }
}

/// A file with one block of these bytes, whose checksums match.
fn with_block(first: u32, keys: &[u8], deflated: &[u8]) -> Vec<u8> {
    let block = [keys, deflated].concat();
    let entry = BlockEntry { first, keys: keys.len() as u32, length: block.len() as u32, crc: crc32fast::hash(&block) };
    let tail = [&entry.encode()[..], b"\"facts\""].concat();
    let header = Header {
        file_length: (Header::LENGTH + block.len() + tail.len()) as u64,
        index_length: BlockEntry::LENGTH as u32,
        facts_length: 7,
        crc: crc32fast::hash(&tail),
    };
    [header.encode(KIND), block, tail].concat()
}

#[test]
fn impossible_rows_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let error = |first, keys: &[u8], deflated: &[u8]| {
        fs::write(&path, with_block(first, keys, deflated)).unwrap();
        let file = open(&path).unwrap();
        let [one, other] =
            [file.get(first + 1).unwrap_err(), file.block(0).err().unwrap()].map(|error| error.to_string());
        assert_eq!(one, other);
        one.rsplit_once(": ").unwrap().1.to_owned()
    };
    let rows = "the row ids of a block are impossible";
    // A row id past the last one; a value of 4 GiB; a number that is cut short.
    assert_eq!(error(499_999_999, &[1, 0], &[]), rows);
    assert_eq!(error(0, &[0, 0xff, 0xff, 0xff, 0xff, 0x0f], &[]), rows);
    assert_eq!(error(0, &[0, 1, 0], &[3, 0]), rows);
    // Values that are not there.
    assert_eq!(error(0, &[1, 9], &[3, 0]), "a block cannot be inflated");
}

#[test]
fn every_flipped_bit_and_every_other_length_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write_rows(&SystemDisk, &path, &some_rows().into_iter().take(30).collect()).unwrap();
    let good = fs::read(&path).unwrap();
    open(&path).unwrap();
    for bit in 0..good.len() * 8 {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bad).unwrap();
        assert!(open(&path).is_err(), "bit {bit}");
    }
    for length in 0..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        assert!(open(&path).is_err(), "{length} bytes");
    }
    fs::write(&path, [&good[..], &[0]].concat()).unwrap();
    assert!(open(&path).is_err(), "a byte more");
}

#[test]
fn damage_after_opening_is_an_error_never_another_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let rows = some_rows();
    write_rows(&SystemDisk, &path, &rows).unwrap();
    let (good, file) = (fs::read(&path).unwrap(), open(&path).unwrap());
    assert!(file.count() > 3);
    let mut refused = 0;
    let mut check = |bad: &[u8]| {
        fs::write(&path, bad).unwrap();
        for row_id in (0..21_010).step_by(101) {
            match file.get(row_id) {
                Ok(value) => assert_eq!(value, rows.get(&row_id).cloned(), "{row_id}"),
                Err(_) => refused += 1,
            }
        }
    };
    for at in (0..good.len()).step_by(997) {
        let mut bad = good.clone();
        bad[at] ^= 16;
        check(&bad);
        check(&good[..at]);
    }
    let mut reversed = good.clone();
    reversed.reverse();
    check(&reversed);
    assert!(refused > 1_000, "{refused}");
}

#[test]
fn other_kinds_and_formats_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let error = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        open(&path).unwrap_err().to_string()
    };
    write_rows(&SystemDisk, &path, &some_rows()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[8] = 2;
    assert_eq!(error(&bytes), "the file of a test has format 2, this version reads format 4");
    bytes[3] = b'X';
    assert_eq!(error(&bytes), "this is not a file of a test");
    assert_eq!(error(b""), "this is not a file of a test");
}

#[test]
fn a_failing_disk_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let (old, new) = (some_rows(), Rows::from([(1, vec![1])]));
    for stays in [false, true] {
        for fail_at in 1.. {
            write_rows(&SystemDisk, &path, &old).unwrap();
            let disk = FailingDisk::new(fail_at, stays);
            let written = write_rows(&disk, &path, &new);
            if !disk.reached() {
                break;
            }
            let found = all(&open(&path).unwrap());
            assert!(found == new || written.is_err() && found == old, "operation {fail_at}");
            assert!(stays || fs::read_dir(folder.path()).unwrap().count() == 1, "operation {fail_at} leaves a file");
        }
    }
}
