//! The other datasets: their imports, a lookup beside them, and the profile of a taxpayer from all of them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::padron::Padron;
use crate::program::{self, figure, figures};
use crate::{Bench, Failure, Row, import, median, spread};

/// Pairs of lookups.
const PAIRS: u32 = 9;
/// Rows of the annexes for the padrón of a whole run.
const ANNEXES: u64 = 1_000_000;
/// The datasets besides the two that are measured, with their files. The padrón is imported with the two lists.
const OTHERS: [(&str, &str); 4] = [
    ("percepcion_venta_interna", "AgenPercVI_TXT.zip"),
    ("percepcion_combustibles", "AgenPerc_TXT.zip"),
    ("ssco", "sujesincapacidadOperativa.xlsx"),
    ("sanciones", "sancionados.csv"),
];

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let files = bench.scratch.join(format!("datasets-{}", bench.rows));
    fs::create_dir_all(&files)?;
    let data = bench.scratch.join("datasets-data");
    let _ = fs::remove_dir_all(&data);
    import::into(bench, padron, &data)?;
    let registry = data.join("registry");

    let mut rows = open_data(bench, &files, &registry)?;
    rows.push(annexes(bench, &files, &registry)?);
    for (dataset, name) in OTHERS {
        read(bench, &registry, dataset, &file(bench, &files, dataset, name, None)?)?;
    }
    rows.extend(snapshot(bench, &registry)?);
    fs::remove_dir_all(&data)?;
    Ok(rows)
}

/// The import of the open data compared with `unzip -p FILE | wc -c`.
fn open_data(bench: &Bench, files: &Path, registry: &Path) -> Result<Vec<Row>, Failure> {
    let count = bench.rows * 13 / 18;
    let zip = file(bench, files, "datos_abiertos", "PadronRUC_202610.zip", Some(count))?;
    let (mut ratios, mut peaks) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let unzip = format!("unzip -p '{}' | wc -c", zip.display());
        let unzip = program::run(Command::new("sh").args(["-c", &unzip]))?;
        let _ = fs::remove_dir_all(registry.join("datos_abiertos"));
        let import = program::run(&mut import_of(bench, registry, "datos_abiertos", &zip))?;
        eprintln!("pair {pair}: import {:.2} s, unzip {:.2} s", import.seconds, unzip.seconds);
        ratios.push(import.seconds / unzip.seconds);
        peaks.push(import.peak_bytes as f64 / f64::from(1 << 20));
    }
    Ok(vec![
        Row::new(
            format!("import of `datos_abiertos` ({count} rows) ÷ `unzip -p FILE \\| wc -c`"),
            "≤ 1.0",
            spread(&ratios, 2),
            median(&ratios) <= 1.0,
        ),
        Row::new("its peak memory", "≤ 300 MiB", format!("{} MiB", spread(&peaks, 0)), median(&peaks) <= 300.0),
    ])
}

/// The import of the annexes.
fn annexes(bench: &Bench, files: &Path, registry: &Path) -> Result<Row, Failure> {
    let count = (ANNEXES * bench.rows / crate::ROWS).max(1);
    let zip = file(bench, files, "anexos", "padron_reducido_local_anexo.zip", Some(count))?;
    let mut seconds = Vec::new();
    for _ in 0..bench.pairs {
        let _ = fs::remove_dir_all(registry.join("anexos"));
        let found = read(bench, registry, "anexos", &zip)?;
        seconds.push(figure(&found, "import_seconds")?);
    }
    Ok(Row::new(
        format!("import of `anexos` ({count} rows)"),
        "≤ 10 s",
        format!("{} s", spread(&seconds, 1)),
        median(&seconds) <= 10.0,
    ))
}

/// A lookup in the snapshot of all datasets, and the profile of a taxpayer.
fn snapshot(bench: &Bench, registry: &Path) -> Result<Vec<Row>, Failure> {
    let program = bench.peers.join("measure_snapshot");
    let found = figures(Command::new(program).arg(registry).arg(PAIRS.to_string()))?;
    let ratio = |pair: u32| -> Result<f64, Failure> {
        let of = |name: &str| figure(&found, &format!("pair_{pair}_{name}_nanoseconds"));
        Ok(of("all")? / of("padron")?)
    };
    let ratios = (1..=PAIRS).map(ratio).collect::<Result<Vec<_>, _>>()?;
    let mut rows = vec![Row::new(
        format!("`/ruc`: lookup p50 with all datasets ÷ with the padrón alone, {PAIRS} pairs"),
        "≤ 1.05",
        spread(&ratios, 3),
        median(&ratios) <= 1.05,
    )];
    for (whose, keys) in [("any taxpayer", "taxpayers"), ("a company of the open data", "companies")] {
        for (name, most) in [("p50", 4.0), ("p99", 10.0)] {
            let micros = figure(&found, &format!("profile_{keys}_{name}_nanoseconds"))? / 1e3;
            let what = format!("`/ruc-ficha` in process, warm, {whose}: {name}");
            rows.push(Row::new(what, format!("≤ {most:.0} µs"), format!("{micros:.2} µs"), micros <= most));
        }
    }
    Ok(rows)
}

/// A dataset's file about the taxpayers of the padrón. Generates it unless it exists.
fn file(bench: &Bench, files: &Path, dataset: &str, name: &str, rows: Option<u64>) -> Result<PathBuf, Failure> {
    let path = files.join(name);
    if !path.exists() {
        eprintln!("generating {name} …");
        let mut generator = Command::new(bench.release.join("dataset"));
        generator.arg(dataset).arg(&path).args(["--padron-rows", &bench.rows.to_string(), "--seed", "1"]);
        generator.args(["--date", "2026-10-01"]);
        if let Some(rows) = rows {
            generator.args(["--rows", &rows.to_string()]);
        }
        program::run(&mut generator)?;
    }
    Ok(path)
}

fn import_of(bench: &Bench, registry: &Path, dataset: &str, file: &Path) -> Command {
    let mut import = Command::new(bench.peers.join("measure"));
    import.arg("dataset").arg(registry).arg(dataset).arg(file);
    import
}

fn read(bench: &Bench, registry: &Path, dataset: &str, file: &Path) -> Result<HashMap<String, f64>, Failure> {
    figures(&mut import_of(bench, registry, dataset, file))
}
