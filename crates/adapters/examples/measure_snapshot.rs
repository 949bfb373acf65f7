//! Figures of the snapshot of all datasets for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure_snapshot REGISTRY PAIRS
//! ```
//!
//! A lookup in the snapshot of all datasets is compared with one in a snapshot of the padrón alone: the same random
//! taxpayers, in turn, in one process. Profiles are measured for random taxpayers, and for companies of the open data.
#![expect(clippy::print_stdout, reason = "a program that prints figures")]
#![expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_domain::Ruc;
use kuraka_ports::{RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, DATOS_ABIERTOS};
use kuraka_registry::{DatasetEdition, dataset_editions, open_current};

/// Calls measured, each on its own.
const CALLS: u64 = 300_000;

type Figures = Result<(), Box<dyn Error>>;

fn main() -> Figures {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pairs] = arguments.as_slice() else {
        return Err("usage: measure_snapshot REGISTRY PAIRS".into());
    };
    let folder = Path::new(folder);
    let (taxpayers, companies) = (taxpayers(folder)?, companies(folder)?);
    let start = Instant::now();
    let (all, _) = EmbeddedRegistry::open_with(folder, &ALL)?;
    println!("open_milliseconds {:.1}", start.elapsed().as_secs_f64() * 1e3);
    let (alone, _) = EmbeddedRegistry::open_with(folder, &[])?;
    let all = all.snapshot().ok_or("the registry has no edition")?;
    let alone = alone.snapshot().ok_or("the registry has no edition")?;
    println!("datasets {}", all.datasets().len());
    println!("datasets_alone {}", alone.datasets().len());

    // Warm: every page that the calls read was read before.
    for snapshot in [&alone, &all] {
        latencies(&taxpayers, |ruc| Ok(snapshot.lookup(ruc)?.is_some()))?;
    }
    for pair in 1..=pairs.parse::<u32>()? {
        let one = |snapshot: &Arc<dyn RegistrySnapshot>| -> Result<f64, Box<dyn Error>> {
            Ok(share(&latencies(&taxpayers, |ruc| Ok(snapshot.lookup(ruc)?.is_some()))?, 0.5))
        };
        // Which one comes first alternates.
        let (with, without) = if pair % 2 == 0 {
            (one(&all)?, one(&alone)?)
        } else {
            let without = one(&alone)?;
            (one(&all)?, without)
        };
        println!("pair_{pair}_all_nanoseconds {with}");
        println!("pair_{pair}_padron_nanoseconds {without}");
    }
    for (name, keys) in [("taxpayers", &taxpayers), ("companies", &companies)] {
        let profile = |ruc| Ok(all.profile(ruc)?.is_some());
        latencies(keys, profile)?;
        let found = latencies(keys, profile)?;
        println!("profile_{name}_p50_nanoseconds {}", share(&found, 0.5));
        println!("profile_{name}_p99_nanoseconds {}", share(&found, 0.99));
    }
    Ok(())
}

/// Random taxpayers of the padrón.
fn taxpayers(folder: &Path) -> Result<Vec<Ruc>, Box<dyn Error>> {
    let edition = open_current(folder)?.edition.ok_or("the registry has no edition")?;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let ruc = |_| Ok(edition.row(random.below(edition.rows()))?.ok_or("a row is missing")?.ruc);
    (0..CALLS).map(ruc).collect()
}

/// Random companies of the open data.
fn companies(folder: &Path) -> Result<Vec<Ruc>, Box<dyn Error>> {
    let kept = dataset_editions(folder, &DATOS_ABIERTOS)?;
    let current = kept.iter().find(|kept| kept.current).ok_or("there are no open data")?;
    let rucs = DatasetEdition::open(&DATOS_ABIERTOS, &current.path)?.iter_rucs().collect::<Result<Vec<_>, _>>()?;
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let ruc = |_| rucs.get(random.below(rucs.len() as u64) as usize).copied().ok_or_else(|| "no company".into());
    (0..CALLS).map(ruc).collect()
}

/// The nanoseconds of each call, sorted.
fn latencies(keys: &[Ruc], call: impl Fn(Ruc) -> Result<bool, Box<dyn Error>>) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut latencies = Vec::with_capacity(keys.len());
    for &key in keys {
        let start = Instant::now();
        let is_found = black_box(call(black_box(key))?);
        latencies.push(start.elapsed().as_nanos() as u32);
        if !is_found {
            return Err("a taxpayer is missing".into());
        }
    }
    latencies.sort_unstable();
    Ok(latencies)
}

/// The latency that this share of the calls does not exceed.
fn share(sorted: &[u32], share: f64) -> f64 {
    let place = (sorted.len().saturating_sub(1) as f64 * share) as usize;
    f64::from(sorted.get(place).copied().unwrap_or_default())
}

/// Numbers by xorshift, good enough for choosing keys.
struct Random(u64);

impl Random {
    const fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
