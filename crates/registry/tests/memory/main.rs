//! The memory that a hostile edition file takes. An allocator counts it, so one test runs at a time.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests fail by panicking")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_registry::dataset::{Dataset, RETENCION};
use kuraka_registry::{Edition, Import, NoProgress, SourceFile, editions, import};

/// Bytes in use, and the most that were in use since [`peak_of`] began.
static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Held by the test that runs.
static TURN: Mutex<()> = Mutex::new(());

struct Counting;

#[expect(unsafe_code, reason = "only an allocator sees all memory")]
// SAFETY: the system's allocator does the work; the counts do not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let used = USED.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(used, Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most memory in use at a time during `work`.
fn peak_of<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = USED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let done = work();
    (PEAK.load(Ordering::Relaxed) - before, done)
}

/// A section's name, the version of its layout and its bytes.
type Section = ([u8; 8], u32, Vec<u8>);

/// A section's name, and the bytes that replace its own.
type Replaced = (&'static str, Vec<u8>);

/// Bytes of the header before the table of sections, and of an entry of it.
const FIXED: usize = 68;
const ENTRY: usize = 32;
/// Bytes of a hostile section.
const LARGE: usize = 4 << 20;
/// For paths, handles and the facts.
const FREE: usize = 256 << 10;

fn number(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize
}

fn sections(file: &[u8]) -> Vec<Section> {
    let count = u32::from_le_bytes(file[64..FIXED].try_into().unwrap()) as usize;
    let entries = file[FIXED..].chunks_exact(ENTRY).take(count);
    let section = |entry: &[u8]| {
        let (start, length) = (number(entry, 16), number(entry, 24));
        let version = u32::from_le_bytes(entry[8..12].try_into().unwrap());
        (entry[..8].try_into().unwrap(), version, file[start..start + length].to_vec())
    };
    entries.map(section).collect()
}

/// A file of these sections whose lengths and checksums are right.
fn file_of(original: &[u8], sections: &[Section]) -> Vec<u8> {
    let length = FIXED + sections.len() * ENTRY + 4;
    let total = length + sections.iter().map(|(.., bytes)| bytes.len()).sum::<usize>();
    let mut header = original[..FIXED].to_vec();
    header[12..16].copy_from_slice(&(length as u32).to_le_bytes());
    header[16..24].copy_from_slice(&(total as u64).to_le_bytes());
    header[64..FIXED].copy_from_slice(&(sections.len() as u32).to_le_bytes());
    let mut start = length;
    for (name, version, bytes) in sections {
        header.extend_from_slice(name);
        header.extend_from_slice(&version.to_le_bytes());
        header.extend_from_slice(&crc32fast::hash(bytes).to_le_bytes());
        header.extend_from_slice(&(start as u64).to_le_bytes());
        header.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        start += bytes.len();
    }
    header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
    sections.iter().for_each(|(.., bytes)| header.extend_from_slice(bytes));
    header
}

fn named(sections: &[Section], name: &str) -> usize {
    sections.iter().position(|(found, ..)| found.starts_with(name.as_bytes())).unwrap()
}

fn company(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, 60_000_000 + n).unwrap()
}

/// Publishes a list of a few companies, and returns the path of its edition.
fn publish(folder: &Path, dataset: &'static Dataset) -> std::path::PathBuf {
    let header: String = dataset.columns.iter().map(|column| format!("{}|", column.header)).collect();
    let line = |n| format!("{}|X|01/06/2002|RESOLUCION {n}|\n", company(n));
    let path = folder.join("list.txt");
    fs::write(&path, format!("{header}\n{}", (0..50).map(line).collect::<String>())).unwrap();
    let request = Import::new(SourceFile::local(path), Date::new(2026, 11, 20).unwrap());
    import(folder, dataset, &request, &NoProgress).unwrap();
    editions(folder, dataset).unwrap().remove(0).path
}

/// The facts with these values added to the member, repeated up to `bytes`.
fn facts(meta: &[u8], member: &str, value: &str, bytes: usize) -> Vec<u8> {
    let text = String::from_utf8(meta.to_vec()).unwrap();
    let values = vec![value; bytes / (value.len() + 1)].join(",");
    let (before, after) = text.split_once(&format!("\"{member}\":[")).map_or_else(
        || (text[..text.len() - 1].to_owned() + &format!(",\"{member}\":["), "]}".to_owned()),
        |(before, after)| {
            let end = after.find(']').unwrap();
            (format!("{before}\"{member}\":["), after[end..].to_owned())
        },
    );
    (before + &values + &after).into_bytes()
}

#[test]
fn a_hostile_file_takes_at_most_1_3_times_its_length() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let path = publish(folder.path(), &RETENCION);
    let original = fs::read(&path).unwrap();
    let good = sections(&original);
    assert_eq!(file_of(&original, &good), original);
    let meta = &good[named(&good, "meta")].2;
    let repeated = |bytes: &[u8]| bytes.repeat(LARGE / bytes.len());
    let offsets = |longest: u32| [0, longest].map(u32::to_le_bytes).concat();
    let hostile: Vec<(&str, Vec<Replaced>)> = vec![
        ("empty words", vec![("words", repeated(b"\n"))]),
        ("words of a letter", vec![("words", repeated(b"A\n"))]),
        ("words that do not fit into an entry", vec![("words", repeated(b"ABCDEFGHIJKLMNOP\n"))]),
        ("one long word", vec![("words", [vec![b'A'; LARGE], b"\n".to_vec()].concat())]),
        ("a word without end", vec![("words", vec![b'A'; LARGE])]),
        ("a long directory", vec![("dir", vec![0; LARGE])]),
        ("a directory and words", vec![("dir", vec![0; LARGE]), ("words", repeated(b"ABCDEFGHIJKLMNO\n"))]),
        ("many buckets", vec![("offsets", vec![0; LARGE])]),
        ("one long bucket", vec![("rows", vec![0; 5 * LARGE]), ("offsets", offsets(5 * LARGE as u32))]),
        ("long facts", vec![("meta", facts(meta, "forced", "\"\"", LARGE))]),
        (
            "a long label",
            vec![("meta", facts(meta, "forced", &format!("\"\\u0041{}\"", "A".repeat(LARGE)), LARGE * 2))],
        ),
        ("many overridden guards", vec![("meta", facts(meta, "forced", "\"\"", 60 << 10))]),
        ("many unknown columns", vec![("meta", facts(meta, "unknown_columns", "\"\"", 60 << 10))]),
        ("many fields", vec![("meta", facts(meta, "fields", r#"{"name":"","kind":""}"#, 60 << 10))]),
        ("deep facts", vec![("meta", repeated(b"["))]),
    ];
    for (what, replaced) in hostile {
        let mut sections = good.clone();
        for (name, bytes) in replaced {
            let at = named(&sections, name);
            sections[at].2 = bytes;
        }
        let bytes = file_of(&original, &sections);
        fs::write(&path, &bytes).unwrap();
        let (peak, opened) = peak_of(|| Edition::open(&RETENCION, &path));
        let most = bytes.len() / 10 * 13 + FREE;
        assert!(peak <= most, "{what}: {peak} bytes of memory for a file of {}", bytes.len());
        assert!(opened.is_err(), "{what} is opened");
        let (peak, _) = peak_of(|| editions(folder.path(), &RETENCION).unwrap());
        assert!(peak <= FREE, "{what}: {peak} bytes of memory for its description");
    }
    fs::write(&path, &original).unwrap();
    let (peak, opened) = peak_of(|| Edition::open(&RETENCION, &path));
    assert!(opened.is_ok() && peak <= original.len() / 10 * 13 + FREE, "{peak}");
}

#[test]
fn a_header_with_hostile_numbers_takes_no_memory() {
    let _turn = TURN.lock();
    let folder = tempfile::tempdir().unwrap();
    let path = publish(folder.path(), &RETENCION);
    let original = fs::read(&path).unwrap();
    let table = FIXED..FIXED + 5 * ENTRY;
    // Every number of the header, with the checksum that it then needs.
    for at in (8..FIXED).chain(table.clone()).step_by(4) {
        for number in [0, 64, 65, u32::MAX >> 1, u32::MAX] {
            let mut bytes = original.clone();
            bytes[at..at + 4].copy_from_slice(&u32::to_le_bytes(number));
            let crc = crc32fast::hash(&bytes[..table.end]);
            bytes[table.end..table.end + 4].copy_from_slice(&crc.to_le_bytes());
            fs::write(&path, &bytes).unwrap();
            let (peak, _) = peak_of(|| drop(Edition::open(&RETENCION, &path)));
            assert!(peak <= FREE, "{number} at {at}: {peak} bytes");
            let (peak, _) = peak_of(|| editions(folder.path(), &RETENCION).unwrap());
            assert!(peak <= FREE, "{number} at {at}: {peak} bytes for its description");
        }
    }
}
