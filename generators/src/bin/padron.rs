//! `padron`: writes a generated padrón as text, as a zip or both.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kuraka_domain::Date;
use kuraka_generators::padron::{Padron, ZIP_ENTRY, write_text};
use kuraka_generators::zip_file::zip_file;

/// Bytes buffered before they are written to a file.
const BUFFER: usize = 1 << 20;

/// Write a padrón of invented taxpayers in the exact form of the published one.
#[derive(Debug, Parser)]
#[command(version)]
#[command(group(clap::ArgGroup::new("output").args(["out", "zip"]).required(true).multiple(true)))]
struct Arguments {
    /// Lines after the header.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=i64::from(Padron::MAX_ROWS)))]
    rows: u32,
    /// The same seed gives the same bytes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the text here.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write the text here, as the one entry of a zip.
    #[arg(long, value_name = "FILE")]
    zip: Option<PathBuf>,
    /// The date of the zip's entry, YYYY-MM-DD.
    #[arg(long, default_value = "2026-01-01")]
    date: Date,
    /// Write another day's edition of the same seed, with this share of the rows changed or added (0 to 1).
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    change_share: f64,
    /// Make every quirk so many times as frequent as in the published file.
    #[arg(long, value_name = "TIMES", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    quirks: u32,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(String::from("a share is a number from 0 to 1")),
    }
}

fn main() -> ExitCode {
    match write(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "padron: {error}");
            ExitCode::FAILURE
        }
    }
}

fn write(arguments: &Arguments) -> io::Result<()> {
    let padron =
        Padron::new(arguments.rows, arguments.seed).with_quirks(arguments.quirks).next_edition(arguments.change_share);
    let create = |path: &PathBuf| {
        File::create(path).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    };
    if let Some(path) = &arguments.out {
        write_text(padron.rows(), &mut BufWriter::with_capacity(BUFFER, create(path)?))?;
    }
    if let Some(path) = &arguments.zip {
        let mut zip = zip_file(create(path)?, ZIP_ENTRY, arguments.date)?;
        write_text(padron.rows(), &mut zip)?;
        zip.finish()?;
    }
    Ok(())
}
