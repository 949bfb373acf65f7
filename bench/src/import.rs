//! The import of the padrón compared with `unzip -p FILE | wc -c`, and the size of its index.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::padron::Padron;
use crate::program::{self, Ran};
use crate::{Bench, Failure, Row, median, spread};

/// The name of the padrón as a dataset.
pub const PADRON: &str = "padron";
/// The names of its lists: withholding agents, good taxpayers.
pub const LISTS: [&str; 2] = ["retencion", "buenos_contribuyentes"];

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let data = bench.data();
    let (mut ratios, mut peaks) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let unzip = format!("unzip -p '{}' | wc -c", padron.zip.display());
        let unzip = program::run(Command::new("sh").args(["-c", &unzip]))?;
        let _ = fs::remove_dir_all(&data);
        let import = dataset(bench, &data, PADRON, &padron.zip)?;
        eprintln!("pair {pair}: import {:.2} s, unzip {:.2} s", import.seconds, unzip.seconds);
        ratios.push(import.seconds / unzip.seconds);
        peaks.push(import.peak_bytes as f64);
    }
    lists(bench, padron, &data)?;
    let text = fs::metadata(&padron.text)?.len() as f64;
    let zip = fs::metadata(&padron.zip)?.len() as f64;
    let index = index_bytes(&data, PADRON)? as f64;
    let peak = median(&peaks);
    Ok(vec![
        Row::new("import wall ÷ `unzip -p FILE \\| wc -c`", "≤ 0.90", spread(&ratios, 2), median(&ratios) <= 0.90),
        Row::new(
            "import peak memory ÷ text",
            "≤ 0.30",
            format!("{:.3} ({:.0} MiB)", peak / text, peak / f64::from(1 << 20)),
            peak / text <= 0.30,
        ),
        Row::new(
            "index ÷ text",
            "≤ 0.22",
            format!("{:.3} ({:.0} of {:.0} MiB)", index / text, index / f64::from(1 << 20), text / f64::from(1 << 20)),
            index / text <= 0.22,
        ),
        Row::new("index ÷ its zip", "< 1", format!("{:.2}", index / zip), index < zip),
    ])
}

/// Imports a padrón and its lists into a data folder. Returns the time of all three imports and the most memory.
pub fn into(bench: &Bench, padron: &Padron, data: &Path) -> Result<Ran, Failure> {
    let (first, more) = (dataset(bench, data, PADRON, &padron.zip)?, lists(bench, padron, data)?);
    Ok(Ran { seconds: first.seconds + more.seconds, peak_bytes: first.peak_bytes.max(more.peak_bytes) })
}

fn lists(bench: &Bench, padron: &Padron, data: &Path) -> Result<Ran, Failure> {
    let [first, second] = LISTS;
    let first = dataset(bench, data, first, &padron.withholding)?;
    let second = dataset(bench, data, second, &padron.good_taxpayers)?;
    Ok(Ran { seconds: first.seconds + second.seconds, peak_bytes: first.peak_bytes.max(second.peak_bytes) })
}

/// Imports a dataset's file into a data folder.
pub fn dataset(bench: &Bench, data: &Path, name: &str, file: &Path) -> Result<Ran, Failure> {
    let mut import = Command::new(bench.release.join("kuraka"));
    program::run(import.env("KURAKA__DATA_DIR", data).args(["dataset", "import", name]).arg(file))
}

/// Imports the padrón unless an earlier run of this program did. For runs without this part.
pub fn ensure(bench: &Bench, padron: &Padron) -> Result<(), Failure> {
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let imported = written(&folder(&bench.data(), PADRON).join("CURRENT"));
    if imported.is_some() && imported > written(&bench.release.join("kuraka")) {
        return Ok(());
    }
    eprintln!("importing the padrón …");
    let _ = fs::remove_dir_all(bench.data());
    into(bench, padron, &bench.data()).map(drop)
}

/// The folder of a dataset in a data folder.
pub fn folder(data: &Path, dataset: &str) -> PathBuf {
    data.join("registry").join(dataset)
}

/// Bytes of a dataset's editions in a data folder.
pub fn index_bytes(data: &Path, dataset: &str) -> Result<u64, Failure> {
    let mut bytes = 0;
    for file in fs::read_dir(folder(data, dataset).join("editions"))? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes)
}
