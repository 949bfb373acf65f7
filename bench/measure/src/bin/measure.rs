//! Figures for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure import FOLDER PADRON [without-names]
//! measure dataset FOLDER NAME FILE
//! measure lookup FOLDER
//! ```

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use kuraka_domain::{Date, Ruc};
use kuraka_measure::{Figures, Random, latencies, share};
use kuraka_registry::dataset::{Dataset, PADRON, named};
use kuraka_registry::{Import, NoProgress, SourceFile, import, open_current};

/// About how many lookups are measured, each on its own.
const LOOKUPS: usize = 500_000;
/// Times they are measured; the first run warms up and is not counted.
const RUNS: u32 = 6;

fn main() -> Figures {
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

fn measure_import(folder: &str, dataset: &'static Dataset, file: &str, names: bool) -> Figures {
    let request = Import { force: true, names, ..Import::new(SourceFile::local(file), Date::new(9999, 12, 31)?) };
    let start = Instant::now();
    let report = import(Path::new(folder), dataset, &request, &NoProgress)?;
    println!("import_seconds {:.3}\nindex_bytes {}", start.elapsed().as_secs_f64(), report.index_bytes);
    Ok(())
}

fn measure_lookup(folder: &str) -> Figures {
    let edition = open_current(Path::new(folder), &PADRON)?.edition.ok_or("the registry has no edition")?;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let count = edition.meta().rucs as usize;
    let is_chosen = |ruc: &Result<Ruc, _>| ruc.is_err() || random.below(count) < LOOKUPS;
    let mut keys = edition.rucs().filter(is_chosen).collect::<Result<Vec<Ruc>, _>>()?;
    for place in (1..keys.len()).rev() {
        keys.swap(place, random.below(place + 1));
    }
    let mut all = Vec::new();
    for run in 0..RUNS {
        let found = latencies(&keys, |key| match black_box(edition.summary(key)?) {
            Some(_) => Ok(()),
            None => Err("a row is missing".into()),
        })?;
        if run > 0 {
            all.extend(found);
        }
    }
    all.sort_unstable();
    for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
        println!("lookup_{name}_nanoseconds {}", share(&all, part));
    }
    Ok(())
}
