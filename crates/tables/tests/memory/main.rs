//! What a hostile file of a person costs in memory and processor time. An allocator counts the memory and refuses more
//! than a few hundred megabytes, so one test runs at a time.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail by panicking, and print the costs")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Cursor, Write};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use kuraka_tables::{
    Choice, Reading, Shade, Source, TableCell, TableError, TableReader, TableSheet, XlsxLimits, read_list,
    write_people_csv, write_workbook,
};
use rustix::time::{ClockId, clock_gettime};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Bytes in use, and the most that were in use since [`cost_of`] began.
static USED: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Held by the test that runs.
static TURN: Mutex<()> = Mutex::new(());

/// Memory that no test may take, so that a failing one does no harm.
const REFUSED: usize = 400 << 20;
/// What a file of at most 2 MB may cost.
const MEMORY: usize = 64 << 20;
const SECONDS: f64 = if cfg!(debug_assertions) { 30.0 } else { 2.0 };
const ROWS: usize = 10_000;
/// Almost the 16 MiB that the texts of a workbook may have.
const MAX_TEXT_BYTES: usize = 16_500_000;

struct Counting;

fn added(bytes: usize) -> bool {
    let used = USED.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(used, Ordering::Relaxed);
    used < REFUSED
}

#[expect(unsafe_code, reason = "only an allocator sees all memory")]
// SAFETY: the system's allocator does the work; the counts do not touch memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc`.
        if added(layout.size()) { unsafe { System.alloc(layout) } } else { null_mut() }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    // The system moves the pages of a large block, and does not copy them.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the promises of `realloc`.
        if added(size) { unsafe { System.realloc(pointer, layout, size) } } else { null_mut() }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Checks what `work` costs, and prints it.
fn cost_of<T>(name: &str, bytes: usize, work: impl FnOnce() -> T) -> T {
    let (used, began) = (USED.load(Ordering::Relaxed), seconds());
    PEAK.store(used, Ordering::Relaxed);
    let done = work();
    let (memory, took) = (PEAK.load(Ordering::Relaxed) - used, seconds() - began);
    println!("{name}: {bytes} bytes, {:.1} MB, {took:.2} s", memory as f64 / f64::from(1 << 20));
    assert!(memory <= MEMORY, "{name} took {memory} bytes");
    assert!(took <= SECONDS, "{name} took {took} s");
    done
}

fn read(name: &str, bytes: &[u8]) -> Result<Reading, TableError> {
    assert!(bytes.len() <= 2 << 20, "{name} has {} bytes", bytes.len());
    cost_of(name, bytes.len(), || read_list(bytes, ROWS, || true))
}

/// A workbook of these parts.
struct Book {
    workbook: &'static str,
    sheet: String,
    /// How many texts the table of shared texts announces.
    announced: usize,
    texts: String,
    styles: String,
    sheets: String,
    target: String,
}

impl Book {
    fn new() -> Self {
        let [sheet, texts, styles] = [const { String::new() }; 3];
        let (sheets, target) = ("<sheet name=\"a\" id=\"a\"/>".to_owned(), "s.xml".to_owned());
        Self { workbook: "workbook.xml", sheet, announced: 0, texts, styles, sheets, target }
    }

    fn bytes(&self) -> Vec<u8> {
        let Self { workbook, sheet, announced, texts, styles, sheets, target } = self;
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let parts = [
            (
                "_rels/.rels".to_owned(),
                format!(
                    "<Relationships><Relationship Id=\"a\" Type=\"/relationships/officeDocument\" Target=\"xl/{workbook}\"/></Relationships>"
                ),
            ),
            (
                format!("xl/_rels/{workbook}.rels"),
                format!(
                    "<Relationships><Relationship Id=\"a\" Type=\"/worksheet\" Target=\"{target}\"/></Relationships>"
                ),
            ),
            ("xl/workbook.xml".to_owned(), format!("<workbook><sheets>{sheets}</sheets></workbook>")),
            (format!("xl/{workbook}"), format!("<workbook><sheets>{sheets}</sheets></workbook>")),
            ("xl/styles.xml".to_owned(), format!("<styleSheet>{styles}</styleSheet>")),
            ("xl/sharedStrings.xml".to_owned(), format!("<sst uniqueCount=\"{announced}\">{texts}</sst>")),
            ("xl/s.xml".to_owned(), format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>")),
        ];
        for (at, (name, text)) in parts.into_iter().enumerate() {
            if at == 2 && *workbook == "workbook.xml" {
                continue;
            }
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }
}

fn text(bytes: usize) -> String {
    format!("<si><t>{}</t></si>", "x".repeat(bytes))
}

/// Rows of cells that all have the first text.
fn rows(rows: usize, cells: usize) -> String {
    format!("<row>{}</row>", "<c t=\"s\"><v>0</v></c>".repeat(cells)).repeat(rows)
}

#[test]
fn a_text_in_many_cells_is_not_copied_for_each() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (bytes, row, cells) in [(400_000, 20, 256), (1_000_000, 20, 1), (30, 10_000, 40), (300, 100_000, 1)] {
        let book = Book { texts: text(bytes), sheet: rows(row, cells), ..Book::new() }.bytes();
        let _ = read(&format!("{row} rows of {cells} cells with {bytes} bytes"), &book);
    }
}

#[test]
fn a_row_of_many_cells_is_refused() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (bytes, cells) in [(15_000_000, 55_000), (0, 500_000), (20, 50_000)] {
        let book = Book { texts: text(bytes), sheet: rows(1, cells), ..Book::new() }.bytes();
        let _ = read(&format!("a row of {cells} cells with {bytes} bytes"), &book).unwrap_err();
    }
}

#[test]
fn elements_that_are_kept_are_counted() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let many = |element: &str, bytes: usize| element.repeat(bytes / element.len());
    for bytes in [3_000_000, MAX_TEXT_BYTES] {
        let xf = format!("<cellXfs>{}</cellXfs>", many("<xf/>", bytes));
        let _ = read(&format!("{bytes} bytes of <xf>"), &Book { styles: xf, ..Book::new() }.bytes());
        for element in ["font", "fill", "border", "numFmt"] {
            let all = format!("<{element}s>{}</{element}s>", many(&format!("<{element}/>"), bytes));
            let _ = read(&format!("{bytes} bytes of <{element}>"), &Book { styles: all, ..Book::new() }.bytes());
        }
        for element in ["<si/>", "<si><t>x</t></si>", "<a\">\":si/>"] {
            let all = many(element, bytes);
            let _ = read(&format!("{bytes} bytes of {element}"), &Book { texts: all, ..Book::new() }.bytes());
        }
        for workbook in ["workbook.xml", "workbook.bin"] {
            let sheets = many("<sheet id=\"a\"/>", bytes);
            let book = Book { workbook, sheets, ..Book::new() }.bytes();
            let _ = read(&format!("{bytes} bytes of <sheet> in {workbook}"), &book);
        }
    }
}

#[test]
fn a_name_is_not_copied_for_each_element() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for (bytes, count) in [(1_000, 30_000), (30_000, 30_000), (1_000_000, 1_000), (1_000_000, 30_000)] {
        let (name, sheets) = ("x".repeat(bytes), "<sheet id=\"a\"/>".repeat(count));
        let book = Book { target: name.clone(), sheets, ..Book::new() }.bytes();
        let _ = read(&format!("{count} sheets with a name of {bytes} bytes"), &book);
        let format = format!("<numFmts><numFmt numFmtId=\"9\" formatCode = '{name}'/></numFmts>");
        let font = format!("<fonts><font><name val=\"{name}\"/></font></fonts>");
        let xfs = "<xf numFmtId=\"9\" fontId=\"0\"/>".repeat(count);
        let styles = format!("{format}{font}<cellXfs>{xfs}</cellXfs>");
        let book = Book { styles, ..Book::new() }.bytes();
        let _ = read(&format!("{count} styles with names of {bytes} bytes"), &book);
    }
}

#[test]
fn a_long_text_is_read_within_the_limit() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let pieces = ["x", "xxxxxxx<!-- -->", "&amp;", "<![CDATA[xxxxxxxxxxxxxxxx]]>"].map(|piece| (MAX_TEXT_BYTES, piece));
    for (bytes, piece) in pieces.into_iter().chain([(17_500_000, "x")]) {
        let long = piece.repeat(bytes / piece.len());
        let texts = format!("<si><t>{long}</t></si>");
        let _ = read(&format!("{bytes} bytes of {piece}"), &Book { texts, ..Book::new() }.bytes());
        let sheet = format!("<row><c t=\"inlineStr\"><is><t>{long}</t></is></c></row>");
        let _ = read(&format!("{bytes} bytes of {piece} in a cell"), &Book { sheet, ..Book::new() }.bytes());
    }
    let book = Book { announced: 15_000_000, texts: " ".repeat(15_500_000), ..Book::new() }.bytes();
    let _ = read("announced texts", &book);
}

#[test]
fn csv_is_read_within_the_limit() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for line in [",", "\"", "\n", "20100119227,", "20100119227\n", "\"\"\n", "\u{e9},ruc\n"] {
        let bytes = line.repeat((2 << 20) / line.len()).into_bytes();
        let _ = read(&format!("CSV of {line:?}"), &bytes);
        let lines: String = bytes.chunks(90_000).map(|line| format!("{}\n", String::from_utf8_lossy(line))).collect();
        let _ = read(
            &format!("long lines of {line:?}"),
            lines.get(..lines.floor_char_boundary(2 << 20)).unwrap().as_bytes(),
        );
    }
}

/// A purchase register with as many rows as a list may have: only its bytes in the file are bounded.
#[test]
fn a_large_register_is_read() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let header: String = ["ruc", "tipo", "serie", "numero", "fecha", "total"]
        .map(|name| format!("<c t=\"inlineStr\"><is><t>{name}</t></is></c>"))
        .concat();
    let row = |n: usize| {
        let texts = ["20100119227", "01", "F001", &n.to_string(), "04/09/2026", "118.00"];
        let cells = texts.map(|text| format!("<c s=\"1\" t=\"inlineStr\"><is><t>{text}</t></is></c>")).concat();
        let others: String =
            (0..18).map(|column| format!("<c r=\"{}{n}\" s=\"1\"><v>{n}</v></c>", char::from(b'G' + column))).collect();
        format!("<row r=\"{n}\">{cells}{others}</row>")
    };
    let sheet: String = format!("<row r=\"1\">{header}</row>") + &(2..=ROWS + 1).map(row).collect::<String>();
    let read = read("a register of 10,000 rows", &Book { sheet, ..Book::new() }.bytes()).unwrap();
    assert_eq!((read.list.len(), read.has_vouchers), (ROWS, true));
}

/// `kuraka lookup --file` takes larger files: the same for each megabyte.
#[test]
fn a_larger_file_costs_the_same_for_each_megabyte() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let limits = XlsxLimits { text: 1 << 30, ratio: 20, ratio_from: 16 << 20 };
    for book in [
        Book { texts: text(18_000_000), sheet: rows(1, 10), ..Book::new() },
        Book { texts: text(400_000), sheet: rows(20, 256), ..Book::new() },
        Book { texts: text(30_000_000), sheet: rows(1, 10), ..Book::new() },
        Book { texts: text(10), sheet: rows(100_000, 20), ..Book::new() },
        Book { styles: format!("<cellXfs>{}</cellXfs>", "<xf/>".repeat(5_000_000)), ..Book::new() },
    ] {
        let bytes = book.bytes();
        assert!(bytes.len() <= 1 << 20);
        let _ = cost_of("a file of less than a megabyte", bytes.len(), || {
            TableReader::new(&*bytes, limits).unwrap().rows(|_, _| Ok::<_, TableError>(()))
        });
    }
}

/// What the panel does with a file: reads it, twice as another choice does, keeps it, and writes it with its results.
#[test]
fn the_widest_file_is_kept_and_written_within_the_limit() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let csv = |cell: &str| {
        let row = format!("20100119227{}\n", format!(",{cell}").repeat(255));
        row.repeat(((2 << 20) / row.len()).min(ROWS)).into_bytes()
    };
    let book = |cell: &str| {
        let row = format!("<row><c><v>20100119227</v></c>{}</row>", cell.repeat(255));
        Book { texts: text(10), sheet: row.repeat((15 << 20) / row.len()), ..Book::new() }.bytes()
    };
    let book_of_long = || {
        let row = format!("<row><c><v>20100119227</v></c>{}</row>", "<c t=\"s\"><v>1</v></c>".repeat(255));
        Book { texts: text(10) + &text(4_000), sheet: row.repeat(14), ..Book::new() }.bytes()
    };
    for (name, bytes) in [
        ("CSV of digits", csv("1")),
        ("CSV of long texts", csv(&"x".repeat(4_000))),
        ("a workbook of texts", book("<c t=\"s\"><v>0</v></c>")),
        ("a workbook of long texts", book_of_long()),
    ] {
        let parts = cost_of(&format!("{name}, read and chosen"), bytes.len(), || {
            let source = Source::read("", &bytes, ROWS, || true).unwrap();
            let kept = source.to_bytes().unwrap();
            drop(source);
            let source = Source::from_bytes(&kept).unwrap();
            drop(source.clone().reading(&Choice::default(), ROWS).unwrap());
            kept
        });
        let written = cost_of(&format!("{name}, written"), bytes.len(), || {
            let reading = Source::from_bytes(&parts).unwrap().reading(&Choice::default(), ROWS).unwrap();
            let rows = || {
                let cells = |record: &kuraka_tables::StringRecord| {
                    let own = record.iter().map(TableCell::of_text);
                    own.chain((0..20).map(|_| TableCell::Text("EMPRESA INVENTADA S.A.C.".to_owned()))).collect()
                };
                Box::new(reading.rows.iter().map(move |(_, record)| (Shade::Red, cells(record))))
            };
            let headings = || (0..276).map(|at| format!("Columna {at}")).collect();
            let sheet = || TableSheet {
                name: "Hoja",
                headings: headings(),
                plain_columns: 256,
                rows: rows(),
                has_filter: true,
            };
            let csv = write_people_csv(sheet()).unwrap().len();
            (csv, write_workbook(vec![sheet()]).unwrap().len())
        });
        println!("{name}: {} bytes kept, {written:?} written", parts.len());
    }
}
