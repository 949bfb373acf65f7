//! A person's file of at most 2 MB: refused with a reason or read as a list, with at most 64 MB of memory.
//!
//! The first byte chooses whether the rest is a CSV file or a workbook as it is, or pieces, of which the first byte of each
//! says how often it is repeated. They are joined to a CSV file, or each is a part of a workbook, so that the readers of the
//! parts are reached too, with parts that are large.
#![no_main]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Write};
use std::sync::atomic::{AtomicUsize, Ordering};

use kuraka_tables::{ListColumn, read_list};
use libfuzzer_sys::fuzz_target;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const FILE: usize = 2 << 20;
const MEMORY: usize = 64 << 20;
const ROWS: usize = 10_000;
/// Bytes of a piece with its repetitions.
const PIECE: usize = 1 << 20;
/// Separates pieces. It is in no text of XML.
const SEPARATOR: u8 = 0xff;

static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

fn added(bytes: usize) {
    let used = USED.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(used, Ordering::Relaxed);
}

// SAFETY: the system's allocator does the work; the counts do not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        added(layout.size());
        // SAFETY: the caller keeps the promises of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    // Without a sanitizer, the system moves the pages of a large block, and does not copy them.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        added(size);
        // SAFETY: the caller keeps the promises of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A piece, repeated as its first byte says: up to 16 times, or as often as fits into a part of the limit.
fn repeated(piece: &[u8]) -> Vec<u8> {
    let Some((&times, piece)) = piece.split_first().filter(|(_, piece)| !piece.is_empty()) else { return Vec::new() };
    let times = if times < 16 { usize::from(times) + 1 } else { (PIECE >> (times % 16)) / piece.len() };
    piece.repeat(times.clamp(1, (PIECE / piece.len()).max(1)))
}

/// A workbook whose sheet, shared texts, styles, list of sheets and relationships have these pieces.
fn workbook(pieces: &[Vec<u8>]) -> Vec<u8> {
    let piece = |at: usize| pieces.get(at).map(Vec::as_slice).unwrap_or_default();
    let root: &[u8] =
        br#"<Relationships><Relationship Id="a" Type="/relationships/officeDocument" Target="xl/workbook.xml"/>"#;
    let sheet: &[u8] = br#"<Relationships><Relationship Id="a" Type="/worksheet" Target="s.xml"/>"#;
    let parts: [(&str, &[u8], &[u8], &[u8]); 6] = [
        ("_rels/.rels", root, b"", b"</Relationships>"),
        ("xl/_rels/workbook.xml.rels", sheet, piece(4), b"</Relationships>"),
        ("xl/workbook.xml", br#"<workbook><sheets><sheet name="a" id="a"/>"#, piece(3), b"</sheets></workbook>"),
        ("xl/styles.xml", b"<styleSheet>", piece(2), b"</styleSheet>"),
        ("xl/sharedStrings.xml", b"<sst>", piece(1), b"</sst>"),
        ("xl/s.xml", b"<worksheet><sheetData>", piece(0), b"</sheetData></worksheet>"),
    ];
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, before, content, after) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&[before, content, after].concat()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fuzz_target!(|data: &[u8]| {
    let Some((&mode, data)) = data.split_first() else { return };
    let pieces = || data.split(|byte| *byte == SEPARATOR).map(repeated).collect::<Vec<_>>();
    let file = match mode % 4 {
        0 => data.to_vec(),
        1 => [b"PK\x03\x04", data].concat(),
        2 => pieces().concat(),
        _ => workbook(&pieces()),
    };
    if file.len() > FILE {
        return;
    }
    let before = USED.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let read = read_list(&file, ROWS, || true);
    let taken = PEAK.load(Ordering::Relaxed).saturating_sub(before);
    assert!(taken <= MEMORY, "{} bytes of a file took {taken} bytes", file.len());
    match read {
        Ok(read) => {
            assert!(read.list.len() <= ROWS);
            // A RUC is what its cell has.
            for row in &read.list {
                let digits: String = row.cell(ListColumn::Ruc).chars().filter(char::is_ascii_digit).collect();
                assert!(row.ruc.as_ref().map_or(true, |ruc| digits.contains(&ruc.to_string())), "{row:?}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
