//! Figures for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure import FOLDER PADRON [without-names]
//! measure dataset FOLDER NAME FILE
//! measure lookup FOLDER
//! ```

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use kuraka_domain::{Date, Ruc};
use kuraka_registry::dataset::{Dataset, PADRON, named};
use kuraka_registry::{Import, NoProgress, SourceFile, import, open_current};

/// About how many lookups are measured, each on its own.
const LOOKUPS: u64 = 500_000;
/// Times they are measured; the first run warms up and is not counted.
const RUNS: u32 = 6;

type PublishResult = Result<(), Box<dyn Error>>;

fn main() -> PublishResult {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["import", folder, padron] => measure_import(folder, &PADRON, padron, true),
        ["import", folder, padron, "without-names"] => measure_import(folder, &PADRON, padron, false),
        ["dataset", folder, name, file] => measure_import(folder, named(name)?, file, true),
        ["lookup", folder] => measure_lookup(folder),
        _ => {
            Err("usage: measure import FOLDER PADRON | measure dataset FOLDER NAME FILE | measure lookup FOLDER".into())
        }
    }
}

fn measure_import(folder: &str, dataset: &'static Dataset, file: &str, names: bool) -> PublishResult {
    let request = Import { force: true, names, ..Import::new(SourceFile::local(file), Date::new(9999, 12, 31)?) };
    let start = Instant::now();
    let report = import(Path::new(folder), dataset, &request, &NoProgress)?;
    let seconds = start.elapsed().as_secs_f64();
    println!("import_seconds {seconds:.3}");
    println!("rows {}", report.rows);
    println!("left_out {}", report.left_out);
    println!("rejected {}", report.rejected_lines());
    println!("source_bytes {}", std::fs::metadata(file)?.len());
    println!("text_bytes {}", report.read.text_bytes);
    println!("index_bytes {}", report.index_bytes);
    println!("index_to_text {:.4}", report.index_bytes as f64 / report.read.text_bytes as f64);
    print_memory(Some(report.read.text_bytes))
}

fn measure_lookup(folder: &str) -> PublishResult {
    let start = Instant::now();
    let report = open_current(Path::new(folder), &PADRON)?;
    let open = start.elapsed();
    let edition = report.edition.ok_or("the registry has no edition")?;
    println!("open_milliseconds {:.1}", open.as_secs_f64() * 1e3);
    println!("rows {}", edition.meta().rows);

    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let is_chosen = |ruc: &Result<Ruc, _>| ruc.is_err() || random.below(edition.meta().rucs) < LOOKUPS;
    let mut keys = edition.rucs().filter(is_chosen).collect::<Result<Vec<Ruc>, _>>()?;
    for place in (1..keys.len()).rev() {
        keys.swap(place, random.below(place as u64 + 1) as usize);
    }
    let mut latencies = Vec::with_capacity(keys.len() * RUNS as usize);
    let mut elapsed = 0.0;
    for run in 0..RUNS {
        let begin = Instant::now();
        for &key in &keys {
            let start = Instant::now();
            let found = black_box(edition.summary(black_box(key))?);
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
