//! Figures of the snapshot of all datasets for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure_snapshot REGISTRY PAIRS
//! measure_snapshot batch REGISTRY PAIRS
//! ```
//!
//! A lookup in the snapshot of all datasets is compared with one in a snapshot of the padrón alone: the same random
//! taxpayers, in turn, in one process. Profiles are measured for random taxpayers, and for companies of the open data.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_domain::Ruc;
use kuraka_measure::{FICHA, Figures, Random, latencies, share};
use kuraka_ports::{ProfileParts, RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{DATOS_ABIERTOS, Dataset, PADRON};
use kuraka_registry::open_current;

/// Calls measured, each on its own.
const CALLS: usize = 300_000;
/// RUCs of a batch.
const BATCH: usize = 1_000;

fn main() -> Figures {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, pairs] = match arguments.as_slice() {
        [what, folder, pairs] if what == "batch" => return batches(Path::new(folder), pairs.parse()?),
        [folder, pairs] => [folder, pairs],
        _ => return Err("usage: measure_snapshot [batch] REGISTRY PAIRS".into()),
    };
    let folder = Path::new(folder);
    let taxpayers = random(folder, &PADRON, Random(0x9e37_79b9_7f4a_7c15))?;
    let companies = random(folder, &DATOS_ABIERTOS, Random(0x2545_f491_4f6c_dd1d))?;
    let (all, _) = EmbeddedRegistry::open(folder)?;
    let (alone, _) = EmbeddedRegistry::open_with(folder, &[&PADRON])?;
    let all = all.snapshot().ok_or("the registry has no edition")?;
    let alone = alone.snapshot().ok_or("the registry has no edition")?;

    // Warm: every page that the calls read was read before.
    for snapshot in [&alone, &all] {
        profiles(snapshot, &taxpayers, ProfileParts::FLAGS)?;
    }
    for pair in 1..=pairs.parse::<u32>()? {
        let one = |snapshot| profiles(snapshot, &taxpayers, ProfileParts::FLAGS).map(|found| share(&found, 0.5));
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
        profiles(&all, keys, FICHA)?;
        let found = profiles(&all, keys, FICHA)?;
        println!("profile_{name}_p50_nanoseconds {}", share(&found, 0.5));
        println!("profile_{name}_p99_nanoseconds {}", share(&found, 0.99));
    }
    Ok(())
}

/// Batches of 1,000 random RUCs compared with a loop of single lookups of the same RUCs: the microseconds of a batch.
fn batches(folder: &Path, pairs: u32) -> Figures {
    let taxpayers = random(folder, &PADRON, Random(0x9e37_79b9_7f4a_7c15))?;
    let (registry, _) = EmbeddedRegistry::open(folder)?;
    let snapshot = registry.snapshot().ok_or("the registry has no edition")?;
    let time = |way: &dyn Fn(&[Ruc]) -> usize| {
        let start = Instant::now();
        let found: usize = taxpayers.chunks(BATCH).map(way).sum();
        (start.elapsed().as_secs_f64() * 1e6 * BATCH as f64 / found as f64, found)
    };
    let known = |answer| matches!(black_box(answer), Ok(Some(_)));
    let one = |rucs: &[Ruc]| rucs.iter().filter(|ruc| known(snapshot.profile(**ruc, ProfileParts::FLAGS))).count();
    let all = |rucs: &[Ruc]| {
        snapshot.profiles(rucs, ProfileParts::FLAGS).filter(|answer| matches!(black_box(answer), Ok(Some(_)))).count()
    };
    for pair in 0..=pairs {
        let ((single, found), (batch, same)) = (time(&one), time(&all));
        if (found, same) != (CALLS, CALLS) {
            return Err("a taxpayer is missing".into());
        }
        // The first pair warms up.
        if pair > 0 {
            println!("pair_{pair}_single_micros {single:.1}");
            println!("pair_{pair}_batch_micros {batch:.1}");
        }
    }
    Ok(())
}

/// Random taxpayers of a dataset's current edition.
fn random(folder: &Path, dataset: &'static Dataset, mut random: Random) -> Result<Vec<Ruc>, Box<dyn Error>> {
    let edition = open_current(folder, dataset)?.edition.ok_or_else(|| format!("{} has no edition", dataset.name))?;
    let rucs = edition.rucs().collect::<Result<Vec<_>, _>>()?;
    let ruc = |_| rucs.get(random.below(rucs.len())).copied().ok_or_else(|| "no taxpayer".into());
    (0..CALLS).map(ruc).collect()
}

/// The nanoseconds of each profile, sorted.
fn profiles(
    snapshot: &Arc<dyn RegistrySnapshot>,
    keys: &[Ruc],
    parts: ProfileParts,
) -> Result<Vec<u32>, Box<dyn Error>> {
    latencies(keys, |key| match black_box(snapshot.profile(key, parts)?) {
        Some(_) => Ok(()),
        None => Err("a taxpayer is missing".into()),
    })
}
