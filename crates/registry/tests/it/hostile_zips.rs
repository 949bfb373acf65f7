//! Zips whose last records are false: refused before a reader believes them, and nothing is published.

use kuraka_registry::SourceError;
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset, PADRON};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::bad_sources::{ENTRY, refused, refused_as};
use crate::published::published;
use crate::reading::rows;
use crate::workspace::{Workspace, companies, zip};

/// Bytes of the last record of a zip without a comment.
const LAST: usize = 22;

fn good() -> Vec<u8> {
    zip(&[(ENTRY, &companies(100))])
}

/// The zip with bytes of its last record replaced.
fn ending(mut zip: Vec<u8>, offset: usize, bytes: &[u8]) -> Vec<u8> {
    let at = zip.len() - LAST + offset;
    zip[at..at + bytes.len()].copy_from_slice(bytes);
    zip
}

/// Where the directory of a zip without a comment is.
fn directory(zip: &[u8]) -> usize {
    let at = zip.len() - LAST + 16;
    u32::from_le_bytes(zip[at..at + 4].try_into().unwrap()) as usize
}

/// The zip with another directory, which the last record describes truly except for the number of its entries.
fn with_directory(zip: &[u8], new: &[u8], entries: u16) -> Vec<u8> {
    let at = directory(zip);
    let mut made = [&zip[..at], new, &zip[zip.len() - LAST..]].concat();
    made = ending(made, 8, &[entries.to_le_bytes(), entries.to_le_bytes()].concat());
    ending(made, 12, &(new.len() as u32).to_le_bytes())
}

fn is_damaged(error: &SourceError, words: &str) -> bool {
    matches!(error, SourceError::Zip { detail } if detail.contains(words))
}

#[test]
fn a_zip_with_a_comment_is_read() {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file(ENTRY, SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut writer, &companies(10)).unwrap();
    writer.set_comment("padron reducido del RUC").unwrap();
    assert_eq!(Workspace::new().import(&PADRON, &writer.finish().unwrap().into_inner()).rows, 10);
}

#[test]
fn a_directory_of_many_entries_is_not_parsed() {
    let good = good();
    let entry = &good[directory(&good)..good.len() - LAST];
    // They overlap: all are the same bytes of the file.
    for entries in [2_u16, 1_000, u16::MAX - 1, u16::MAX] {
        let error = refused(&with_directory(&good, &entry.repeat(usize::from(entries)), entries));
        assert!(matches!(error, SourceError::Entries { found } if found == usize::from(entries)), "{error}");
    }
    // Only the number of entries is false.
    let error = refused(&with_directory(&good, entry, 60_000));
    assert!(matches!(error, SourceError::Entries { found: 60_000 }), "{error}");
}

#[test]
fn more_entries_than_the_record_says_are_found() {
    let good = good();
    let entry = &good[directory(&good)..good.len() - LAST];
    let error = refused(&with_directory(&good, &entry.repeat(2), 1));
    assert!(is_damaged(&error, "not where it says"), "{error}");
    let error = refused(&with_directory(&good, &entry.repeat(60_000), 1));
    assert!(matches!(error, SourceError::Directory { .. }), "{error}");
}

#[test]
fn an_entry_with_long_texts_is_refused() {
    let good = good();
    let mut entry = good[directory(&good)..good.len() - LAST].to_vec();
    // The length of the entry's comment.
    entry[32..34].copy_from_slice(&60_000_u16.to_le_bytes());
    entry.resize(entry.len() + 60_000, b' ');
    let error = refused(&with_directory(&good, &entry, 1));
    assert!(matches!(error, SourceError::Directory { .. }), "{error}");
}

/// A dataset's zip with zip64 records, to which the last record refers if it is `narrow`. `change` changes the fields of
/// the wider record: entries here and in all, length and
/// start of the directory, and the place to which the pointer points.
fn zip64(dataset: &Dataset, narrow: bool, change: impl FnOnce(&mut [u64; 5])) -> Vec<u8> {
    let name = dataset.file_names[0].replace("{AAAAMM}", "202609");
    let plain = zip(&[(&name, &published(dataset, [(1, 1)]))]);
    let (body, last) = plain.split_at(plain.len() - LAST);
    let field = |at: usize| u64::from(u32::from_le_bytes(last[at..at + 4].try_into().unwrap()));
    let mut numbers = [1, 1, field(12), field(16), body.len() as u64];
    change(&mut numbers);
    let [.., place] = numbers;
    let mut record = [b"PK\x06\x06".as_slice(), &44_u64.to_le_bytes(), &[45, 0, 45, 0], &[0; 8]].concat();
    record.extend(numbers[..4].iter().flat_map(|number| number.to_le_bytes()));
    let pointer = [b"PK\x06\x07".as_slice(), &[0; 4], &place.to_le_bytes(), &1_u32.to_le_bytes()].concat();
    let mut last = last.to_vec();
    if narrow {
        last[8..20].fill(0xff);
    }
    [body, &record, &pointer, &last].concat()
}

#[test]
fn a_zip64_directory_is_read_only_where_the_text_may_pass_4_gib() {
    for narrow in [true, false] {
        let (found, _) = rows(&DATOS_ABIERTOS, &zip64(&DATOS_ABIERTOS, narrow, |_| ()));
        assert_eq!(found.len(), 1, "{found:?}");
        for (dataset, entries) in [(&PADRON, 1), (&ANEXOS, 1), (&PADRON, 1 << 20), (&PADRON, u64::MAX)] {
            let claimed = zip64(dataset, narrow, |numbers| numbers[..2].fill(entries));
            let error = refused_as(dataset, &claimed);
            assert!(is_damaged(&error, "zip64"), "{entries}: {error}");
        }
    }
}

#[test]
fn a_false_zip64_directory_is_refused() {
    for field in 0..5 {
        for lie in [0, 2, 1 << 20, 1 << 40, u64::MAX] {
            for narrow in [true, false] {
                let error =
                    refused_as(&DATOS_ABIERTOS, &zip64(&DATOS_ABIERTOS, narrow, |numbers| numbers[field] = lie));
                let is_refused = matches!(error, SourceError::Zip { .. } | SourceError::Directory { .. });
                assert!(is_refused, "field {field}, {lie}: {error}");
            }
        }
    }
    for entries in [0, 2, u64::MAX] {
        let many = |numbers: &mut [u64; 5]| numbers[..2].fill(entries);
        let error = refused_as(&DATOS_ABIERTOS, &zip64(&DATOS_ABIERTOS, true, many));
        assert!(matches!(error, SourceError::Entries { .. }), "{entries}: {error}");
    }
}

#[test]
fn a_false_zip64_size_is_refused() {
    let text = companies(100);
    let good = zip(&[(ENTRY, &text)]);
    for size in [1_u64, text.len() as u64 + 1, 1 << 33, u64::MAX] {
        let mut entry = good[directory(&good)..good.len() - LAST].to_vec();
        entry[24..28].copy_from_slice(&[0xFF; 4]);
        // The length of the extra field, which stands after the name.
        entry[30..32].copy_from_slice(&12_u16.to_le_bytes());
        let extra = [&[1, 0, 8, 0][..], &size.to_le_bytes()].concat();
        let at = 46 + ENTRY.len();
        let entry = [&entry[..at], &extra, &entry[entry.len()..]].concat();
        let error = refused(&with_directory(&good, &entry, 1));
        let fits = matches!(error, SourceError::Size { .. } | SourceError::TooLarge { .. } | SourceError::Zip { .. });
        assert!(fits, "{size}: {error}");
    }
}

#[test]
fn a_directory_that_is_missing_or_elsewhere_is_refused() {
    let good = good();
    assert!(is_damaged(&refused(&good[..directory(&good)]), "no directory"));
    let without = with_directory(&good, &[], 1);
    assert!(is_damaged(&refused(&without), "not where it says"));
    for (offset, lie) in [(16, 0_u32), (16, u32::MAX), (16, directory(&good) as u32 - 1), (12, 10), (12, 4_000)] {
        let error = refused(&ending(good.clone(), offset, &lie.to_le_bytes()));
        assert!(is_damaged(&error, "not where it says"), "{offset}, {lie}: {error}");
    }
    // Bytes before a whole zip shift everything; bytes after it are another file's.
    assert!(is_damaged(&refused(&[b"PK\x03\x04".as_slice(), &good].concat()), "not where it says"));
    for more in [1, 22, 70_000] {
        let error = refused(&[good.as_slice(), &vec![0; more]].concat());
        assert!(is_damaged(&error, "bytes follow") || is_damaged(&error, "no directory"), "{more}: {error}");
    }
}

#[test]
fn a_second_end_inside_the_comment_is_not_believed() {
    let (good, text) = (good(), companies(3));
    let other = zip(&[("other.txt", &text), ("more.txt", &text)]);
    let mut commented = [good.as_slice(), &other].concat();
    let length = u16::try_from(other.len()).unwrap();
    let at = good.len() - 2;
    commented[at..at + 2].copy_from_slice(&length.to_le_bytes());
    let error = refused(&commented);
    assert!(matches!(error, SourceError::Entries { found: 2 }), "{error}");
}

#[test]
fn parts_of_a_split_zip_are_refused() {
    for offset in [4, 6, 8, 10] {
        let error = refused(&ending(good(), offset, &[7, 0]));
        assert!(matches!(error, SourceError::Zip { .. }), "{offset}: {error}");
    }
}
