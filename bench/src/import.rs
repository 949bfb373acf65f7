//! The import compared with `unzip -p FILE | wc -c`, and the size of the index.

use std::fs;
use std::process::Command;

use crate::padron::Padron;
use crate::{Bench, Failure, Row, median, program, spread};

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let data = bench.scratch.join("data");
    let (mut ratios, mut peaks) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let unzip = format!("unzip -p '{}' | wc -c", padron.zip.display());
        let unzip = program::run(Command::new("sh").args(["-c", &unzip]))?;
        let _ = fs::remove_dir_all(&data);
        let mut import = Command::new(bench.release.join("kuraka"));
        import.env("KURAKA__DATA_DIR", &data).args(["registry", "import", "--padron"]).arg(&padron.zip);
        import.arg("--withholding").arg(&padron.withholding).arg("--good-taxpayers").arg(&padron.good_taxpayers);
        let import = program::run(&mut import)?;
        eprintln!("pair {pair}: import {:.2} s, unzip {:.2} s", import.seconds, unzip.seconds);
        ratios.push(import.seconds / unzip.seconds);
        peaks.push(import.peak_bytes as f64);
    }
    let text = fs::metadata(&padron.text)?.len() as f64;
    let zip = fs::metadata(&padron.zip)?.len() as f64;
    let index = index_bytes(&data)?;
    let peak = median(&peaks);
    Ok(vec![
        Row::new(
            "import wall ÷ `unzip -p FILE \\| wc -c`",
            "≤ 0.60 (aim 0.45)",
            spread(&ratios, 2),
            median(&ratios) <= 0.60,
        ),
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

fn index_bytes(data: &std::path::Path) -> Result<f64, Failure> {
    let mut bytes = 0;
    for file in fs::read_dir(data.join("registry").join("editions"))? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes as f64)
}
