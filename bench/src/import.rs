//! The import compared with `unzip -p FILE | wc -c`, and the size of the index.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::padron::Padron;
use crate::program::{self, Ran};
use crate::{Bench, Failure, Row, median, spread};

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let data = bench.data();
    let (mut ratios, mut peaks) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let unzip = format!("unzip -p '{}' | wc -c", padron.zip.display());
        let unzip = program::run(Command::new("sh").args(["-c", &unzip]))?;
        let _ = fs::remove_dir_all(&data);
        let import = into(bench, padron, &data)?;
        eprintln!("pair {pair}: import {:.2} s, unzip {:.2} s", import.seconds, unzip.seconds);
        ratios.push(import.seconds / unzip.seconds);
        peaks.push(import.peak_bytes as f64);
    }
    let text = fs::metadata(&padron.text)?.len() as f64;
    let zip = fs::metadata(&padron.zip)?.len() as f64;
    let index = index_bytes(&data)?;
    let peak = median(&peaks);
    Ok(vec![
        Row::new("import wall ÷ `unzip -p FILE \\| wc -c`", "≤ 0.55", spread(&ratios, 2), median(&ratios) <= 0.55),
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

/// Imports a padrón and its lists into a data folder.
pub fn into(bench: &Bench, padron: &Padron, data: &Path) -> Result<Ran, Failure> {
    let mut import = Command::new(bench.release.join("kuraka"));
    import.env("KURAKA__DATA_DIR", data).args(["registry", "import", "--padron"]).arg(&padron.zip);
    import.arg("--withholding").arg(&padron.withholding).arg("--good-taxpayers").arg(&padron.good_taxpayers);
    program::run(&mut import)
}

/// Imports the padrón unless an earlier run of this program did. For runs without this part.
pub fn ensure(bench: &Bench, padron: &Padron) -> Result<(), Failure> {
    let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let imported = written(&bench.data().join("registry").join("CURRENT"));
    if imported.is_some() && imported > written(&bench.release.join("kuraka")) {
        return Ok(());
    }
    eprintln!("importing the padrón …");
    let _ = fs::remove_dir_all(bench.data());
    into(bench, padron, &bench.data()).map(drop)
}

/// Bytes of the editions in a data folder.
pub fn index_bytes(data: &Path) -> Result<f64, Failure> {
    let mut bytes = 0;
    for file in fs::read_dir(data.join("registry").join("editions"))? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes as f64)
}
