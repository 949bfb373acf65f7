//! Figures for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure import FOLDER PADRON [WITHHOLDING GOOD_TAXPAYERS]
//! measure dataset FOLDER NAME FILE
//! measure lookup FOLDER
//! measure changes FOLDER PADRON NEXT_PADRON
//! ```
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints figures")]
#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use kuraka_domain::{Date, Ruc};
use kuraka_registry::changes::Counts;
use kuraka_registry::dataset::{self, Dataset};
use kuraka_registry::{
    Advance, DatasetImport, DatasetReport, ImportRequest, List, NoProgress, Origin, Progress, SourceFile, Stage,
    import, import_dataset, open_current,
};

/// Lookups measured, each on its own.
const LOOKUPS: u64 = 500_000;
/// Times they are measured; the first run warms up and is not counted.
const RUNS: u32 = 6;

/// Times that the changes are recorded.
const CHANGE_RUNS: u32 = 5;

type PublishResult = Result<(), Box<dyn Error>>;

fn main() -> PublishResult {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["import", folder, padron] => measure_import(folder, padron, &[]),
        ["import", folder, padron, withholding, good] => {
            measure_import(folder, padron, &[(List::WITHHOLDING_AGENTS, withholding), (List::GOOD_TAXPAYERS, good)])
        }
        ["dataset", folder, name, file] => measure_dataset(folder, name, file),
        ["lookup", folder] => measure_lookup(folder),
        ["changes", folder, padron, next] => measure_changes(folder, padron, next),
        _ => Err(
            "usage: measure import FOLDER PADRON [WITHHOLDING GOOD_TAXPAYERS] | measure dataset FOLDER NAME FILE | \
                  measure lookup FOLDER | \
                  measure changes FOLDER PADRON NEXT_PADRON"
                .into(),
        ),
    }
}

fn request(padron: &str) -> Result<ImportRequest, Box<dyn Error>> {
    let (padron, today) = (SourceFile::local(padron), Date::new(9999, 12, 31)?);
    Ok(ImportRequest { padron, date: None, today, origin: Origin::Published, force: true })
}

fn import_file(folder: &Path, dataset: &'static Dataset, file: &str) -> Result<DatasetReport, Box<dyn Error>> {
    let (source, today) = (SourceFile::local(file), Date::new(9999, 12, 31)?);
    let request = DatasetImport { source, date: None, today, origin: Origin::Published, force: true };
    Ok(import_dataset(folder, dataset, &request, &NoProgress)?)
}

fn measure_dataset(folder: &str, name: &str, file: &str) -> PublishResult {
    let start = Instant::now();
    let report = import_file(Path::new(folder), dataset::named(name)?, file)?;
    println!("import_seconds {:.3}", start.elapsed().as_secs_f64());
    println!("rows {} rucs {} repeated {}", report.rows, report.rucs, report.repeated);
    println!("rejected {}", report.rejected_lines());
    println!("text_bytes {}", report.text_bytes);
    println!("index_bytes {}", report.index_bytes);
    println!("index_to_text {:.4}", report.index_bytes as f64 / report.text_bytes as f64);
    print_memory(None)
}

fn measure_import(folder: &str, padron: &str, lists: &[(List, &str)]) -> PublishResult {
    let folder = Path::new(folder);
    let start = Instant::now();
    for (list, path) in lists {
        import_file(folder, list.dataset(), path)?;
    }
    let report = import(folder, &request(padron)?, &NoProgress)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("import_seconds {seconds:.3}");
    println!("rows {}", report.rows);
    println!("rejected {}", report.rejections.total());
    println!("source_bytes {}", std::fs::metadata(padron)?.len());
    println!("text_bytes {}", report.text_bytes);
    println!("index_bytes {}", report.index_bytes);
    println!("index_to_text {:.4}", report.index_bytes as f64 / report.text_bytes as f64);
    print_memory(Some(report.text_bytes))
}

/// Imports both padrones in turn: the time that recording the changes takes, compared with the rest of the import.
fn measure_changes(folder: &str, padron: &str, next: &str) -> PublishResult {
    let mut ratios = Vec::new();
    for run in 0..=2 * CHANGE_RUNS {
        let request = request(if run % 2 == 0 { padron } else { next })?;
        let (start, clock) = (Instant::now(), StageClock::default());
        let report = import(Path::new(folder), &request, &clock)?;
        let all = start.elapsed().as_secs_f64();
        let Some(recorded) = report.changes.filter(|_| run % 2 == 1) else { continue };
        let changes = clock.changes().ok_or("no changes were recorded")?;
        let Counts { new, gone, changed } = recorded.counts;
        println!("import_seconds {all:.3} changes_seconds {changes:.3} ratio {:.4}", changes / (all - changes));
        println!("new {new} gone {gone} changed {changed} list_bytes {}", recorded.bytes);
        ratios.push(changes / (all - changes));
    }
    ratios.sort_by(f64::total_cmp);
    println!("changes_to_rebuild {:.4}", ratios.get(ratios.len() / 2).copied().unwrap_or_default());
    print_memory(None)
}

/// When each stage of an import began.
#[derive(Default)]
struct StageClock(Mutex<Vec<(Stage, Instant)>>);

impl StageClock {
    /// Seconds for which the changes were recorded.
    fn changes(&self) -> Option<f64> {
        let stages = self.0.lock().ok()?;
        let place = stages.iter().position(|(stage, _)| *stage == Stage::Changes)?;
        Some((stages.get(place + 1)?.1 - stages.get(place)?.1).as_secs_f64())
    }
}

impl Progress for StageClock {
    fn advanced(&self, _advance: Advance) {}

    fn stage(&self, stage: Stage) {
        if let Ok(mut stages) = self.0.lock() {
            stages.push((stage, Instant::now()));
        }
    }
}

fn measure_lookup(folder: &str) -> PublishResult {
    let start = Instant::now();
    let report = open_current(Path::new(folder))?;
    let open = start.elapsed();
    let edition = report.edition.ok_or("the registry has no edition")?;
    println!("open_milliseconds {:.1}", open.as_secs_f64() * 1e3);
    println!("rows {}", edition.rows());

    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut keys: Vec<Ruc> = Vec::with_capacity(LOOKUPS as usize);
    for _ in 0..LOOKUPS {
        let row = edition.row(random.below(edition.rows()))?.ok_or("a row is missing")?;
        keys.push(row.ruc);
    }
    let mut latencies = Vec::with_capacity(keys.len() * RUNS as usize);
    let mut elapsed = 0.0;
    for run in 0..RUNS {
        let begin = Instant::now();
        for &key in &keys {
            let start = Instant::now();
            let found = black_box(edition.lookup(black_box(key))?);
            let nanoseconds = start.elapsed().as_nanos() as u32;
            if found.is_none() {
                return Err("a row is missing".into());
            }
            if run > 0 {
                latencies.push(nanoseconds);
            }
        }
        if run > 0 {
            elapsed += begin.elapsed().as_secs_f64();
        }
    }
    latencies.sort_unstable();
    for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999)] {
        let place = ((latencies.len() - 1) as f64 * share) as usize;
        println!("lookup_{name}_nanoseconds {}", latencies.get(place).copied().unwrap_or_default());
    }
    println!("lookups_per_second {:.0}", latencies.len() as f64 / elapsed);
    print_memory(None)
}

/// Peak resident and current anonymous memory of this process.
fn print_memory(text_bytes: Option<u64>) -> PublishResult {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let kibibytes = |field: &str| -> Option<u64> {
        status.lines().find(|line| line.starts_with(field))?.split_whitespace().nth(1)?.parse().ok()
    };
    let peak = kibibytes("VmHWM:").ok_or("no VmHWM")? * 1024;
    println!("peak_resident_bytes {peak}");
    println!("anonymous_bytes {}", kibibytes("RssAnon:").ok_or("no RssAnon")? * 1024);
    if let Some(text_bytes) = text_bytes {
        println!("peak_to_text {:.4}", peak as f64 / text_bytes as f64);
    }
    Ok(())
}

/// Numbers by xorshift, good enough for choosing keys.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
