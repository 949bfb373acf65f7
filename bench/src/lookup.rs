//! A lookup with decoding, compared with that of the version before. Both look up random RUCs of the same padrón, each
//! in an edition of its own format.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::padron::Padron;
use crate::program::{self, figure, figures};
use crate::{Bench, Failure, Row, median, spread};

/// The commit of the version before.
const BEFORE: &str = "968cb5fdc303b2935a6e5c827b1a5439651209c7";

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let (before, now) = (before(bench)?, bench.release.join("examples").join("measure"));
    let old_edition = bench.scratch.join("before").join("registry");
    let _ = fs::remove_dir_all(&old_edition);
    let mut import = Command::new(&before);
    import.arg("import").arg(&old_edition).arg(&padron.zip).arg(&padron.withholding).arg(&padron.good_taxpayers);
    program::run(&mut import)?;
    let edition = bench.data().join("registry");
    let (mut p50, mut p99, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let theirs = look_up(&before, &old_edition)?;
        let ours = look_up(&now, &edition)?;
        eprintln!("pair {pair}: p50 and p99 in µs: now {ours:.2?}, before {theirs:.2?}");
        let ([our_p50, our_p99], [their_p50, _]) = (ours, theirs);
        p50.push(our_p50);
        p99.push(our_p99);
        ratios.push(our_p50 / their_p50);
    }
    let _ = fs::remove_dir_all(&old_edition);
    let mut batch = Command::new(bench.release.join("examples").join("measure_snapshot"));
    let batches = figures(batch.arg("batch").arg(&edition).arg(bench.pairs.to_string()))?;
    let share = |pair: usize| -> Result<f64, Failure> {
        let of = |name: &str| figure(&batches, &format!("pair_{pair}_{name}_micros"));
        Ok(of("batch")? / of("single")?)
    };
    let shares = (1..=bench.pairs).map(share).collect::<Result<Vec<_>, _>>()?;
    Ok(vec![
        Row::new(
            "batch of 1,000 RUCs in process ÷ the loop of single lookups",
            "≤ 0.65",
            spread(&shares, 2),
            median(&shares) <= 0.65,
        ),
        Row::new("lookup with decode, warm: p50", "≤ 0.6 µs", format!("{} µs", spread(&p50, 2)), median(&p50) <= 0.6),
        Row::new("lookup with decode, warm: p99", "≤ 1.5 µs", format!("{} µs", spread(&p99, 2)), median(&p99) <= 1.5),
        Row::new(
            format!("lookup p50 ÷ that of the version before (`{BEFORE:.7}`)"),
            "≤ 0.85",
            spread(&ratios, 2),
            median(&ratios) <= 0.85,
        ),
    ])
}

/// The p50 and p99 of a lookup in µs.
fn look_up(program: &Path, registry: &Path) -> Result<[f64; 2], Failure> {
    let found = figures(Command::new(program).arg("lookup").arg(registry))?;
    let micros = |name: &str| Ok::<_, Failure>(figure(&found, name)? / 1e3);
    Ok([micros("lookup_p50_nanoseconds")?, micros("lookup_p99_nanoseconds")?])
}

/// The program `measure` of the version before, built from its commit unless it exists.
fn before(bench: &Bench) -> Result<PathBuf, Failure> {
    let folder = bench.scratch.join("before");
    let target = folder.join(BEFORE);
    let measure = target.join("release").join("examples").join("measure");
    if measure.exists() {
        return Ok(measure);
    }
    let commit = format!("{BEFORE}^{{commit}}");
    if !Command::new("git").args(["cat-file", "-e", &commit]).status()?.success() {
        return Err(format!(
            "this copy of the repository has no commit {BEFORE}, the version before: `git fetch --unshallow` brings it"
        )
        .into());
    }
    eprintln!("building the version before …");
    let source = folder.join("source");
    let _ = fs::remove_dir_all(&source);
    fs::create_dir_all(&source)?;
    let unpack = format!("git archive {BEFORE} | tar --extract --directory '{}'", source.display());
    program::run(Command::new("bash").args(["-o", "pipefail", "-c", &unpack]))?;
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--quiet", "--package", "kuraka-registry", "--example", "measure"]);
    build.arg("--manifest-path").arg(source.join("Cargo.toml")).arg("--target-dir").arg(&target);
    program::run(&mut build)?;
    fs::remove_dir_all(&source)?;
    Ok(measure)
}
