//! The generated padrón of all measurements: text, zip, lists, and RUCs to look up.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Command;

use crate::{Bench, Failure, program};

/// Number of RUCs that the requests use.
const ASKED: usize = 30_000;

pub struct Padron {
    pub text: PathBuf,
    pub zip: PathBuf,
    pub withholding: PathBuf,
    pub good_taxpayers: PathBuf,
    /// RUCs picked evenly from the file, one per line.
    pub rucs: PathBuf,
}

/// A padrón of so many rows. Generates the files unless they exist.
pub fn open(bench: &Bench, rows: u64) -> Result<Padron, Failure> {
    let folder = bench.scratch.join(format!("padron-{rows}"));
    let file = |name: &str| folder.join(name);
    let padron = Padron {
        text: file("padron_reducido_ruc.txt"),
        zip: file("padron_reducido_ruc.zip"),
        withholding: file("AgenRet_TXT.txt"),
        good_taxpayers: file("BueCont_TXT.txt"),
        rucs: file("rucs.txt"),
    };
    if padron.rucs.exists() {
        return Ok(padron);
    }
    fs::create_dir_all(&folder)?;
    eprintln!("generating a padrón of {rows} rows …");
    let mut generator = Command::new(bench.release.join("padron"));
    generator.args(["--rows", &rows.to_string(), "--seed", "1"]);
    generator.arg("--out").arg(&padron.text).arg("--zip").arg(&padron.zip);
    program::run(&mut generator)?;
    for (list, file) in [("retencion", &padron.withholding), ("buenos_contribuyentes", &padron.good_taxpayers)] {
        let mut generator = Command::new(bench.release.join("dataset"));
        program::run(generator.arg(list).arg(file).args(["--padron-rows", &rows.to_string()]))?;
    }
    pick(&padron, rows)?;
    Ok(padron)
}

/// The zip of the next day's padrón, which has other values in 0.6 % of the rows. Generates it unless it exists.
pub fn next_day(bench: &Bench, rows: u64) -> Result<PathBuf, Failure> {
    let folder = bench.scratch.join(format!("padron-{rows}"));
    let (zip, unfinished) = (folder.join("next_day.zip"), folder.join("next_day.zip.tmp"));
    if !zip.exists() {
        eprintln!("generating the next day's padrón …");
        let mut generator = Command::new(bench.release.join("padron"));
        generator.args(["--rows", &rows.to_string(), "--seed", "1", "--change-share", "0.006"]);
        program::run(generator.args(["--date", "2026-01-02", "--zip"]).arg(&unfinished))?;
        fs::rename(unfinished, &zip)?;
    }
    Ok(zip)
}

fn pick(padron: &Padron, rows: u64) -> Result<(), Failure> {
    let step = usize::try_from(rows)?.div_ceil(ASKED).max(1);
    let mut out = String::new();
    let reader = BufReader::with_capacity(1 << 20, fs::File::open(&padron.text)?);
    for line in reader.split(b'\n').skip(1).step_by(step) {
        let line = line?;
        if let Some(ruc) = line.get(..11).filter(|ruc| ruc.iter().all(u8::is_ascii_digit)) {
            out.push_str(std::str::from_utf8(ruc)?);
            out.push('\n');
        }
    }
    fs::File::create(&padron.rucs)?.write_all(out.as_bytes())?;
    Ok(())
}
