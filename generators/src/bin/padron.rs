//! `padron`: writes a generated padrón as text, as a zip or both, and its two lists.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use kuraka_domain::Date;
use kuraka_generators::padron::{List, Padron, Row, ZIP_ENTRY, write_text};
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
    /// Write the list of withholding agents here.
    #[arg(long, value_name = "FILE")]
    withholding: Option<PathBuf>,
    /// Write the list of good taxpayers here.
    #[arg(long, value_name = "FILE")]
    good_taxpayers: Option<PathBuf>,
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
    let buffered = |path: &PathBuf| create(path).map(|file| BufWriter::with_capacity(BUFFER, file));
    let list = |path: &PathBuf| List::new(buffered(path)?, arguments.seed);

    let mut text = arguments.out.as_ref().map(buffered).transpose()?;
    let mut zip = arguments.zip.as_ref().map(|path| zip_file(create(path)?, ZIP_ENTRY, arguments.date)).transpose()?;
    let mut withholding = arguments.withholding.as_ref().map(list).transpose()?;
    let mut good_taxpayers = arguments.good_taxpayers.as_ref().map(list).transpose()?;

    let mut progress = Progress::new(padron.len());
    let mut listed = Ok(());
    let rows = padron.rows().inspect(|row| {
        progress.advance();
        if listed.is_ok() {
            listed = push(withholding.as_mut().filter(|_| row.withholding_agent), row)
                .and_then(|()| push(good_taxpayers.as_mut().filter(|_| row.good_taxpayer), row));
        }
    });
    write_text(rows, &mut Both { first: text.as_mut(), second: zip.as_mut() })?;
    listed?;

    if let Some(zip) = zip {
        zip.finish()?;
    }
    for list in [withholding, good_taxpayers].into_iter().flatten() {
        list.finish()?;
    }
    progress.finish();
    Ok(())
}

fn push<W: Write>(list: Option<&mut List<W>>, row: &Row) -> io::Result<()> {
    list.map_or(Ok(()), |list| list.push(row))
}

/// Writes to both outputs, if there are two.
struct Both<'a, A, B> {
    first: Option<&'a mut A>,
    second: Option<&'a mut B>,
}

impl<A: Write, B: Write> Write for Both<'_, A, B> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(first) = &mut self.first {
            first.write_all(bytes)?;
        }
        if let Some(second) = &mut self.second {
            second.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if let Some(first) = &mut self.first {
            first.flush()?;
        }
        if let Some(second) = &mut self.second {
            second.flush()?;
        }
        Ok(())
    }
}

/// A progress line on standard error: rewritten in place on a terminal, one for each tenth otherwise.
struct Progress {
    rows: u32,
    done: u32,
    terminal: bool,
}

impl Progress {
    fn new(rows: u32) -> Self {
        Self { rows, done: 0, terminal: io::stderr().is_terminal() }
    }

    fn advance(&mut self) {
        self.done += 1;
        let step = self.rows / if self.terminal { 1_000 } else { 10 };
        if self.done.is_multiple_of(step.max(10_000)) {
            let (done, percent) = (self.done, u64::from(self.done) * 100 / u64::from(self.rows));
            let (start, end) = if self.terminal { ("\r", "") } else { ("", "\n") };
            // A closed standard error does not stop the work.
            let _ = write!(io::stderr(), "{start}{done} rows, {percent} %{end}");
        }
    }

    fn finish(&self) {
        let start = if self.terminal { "\r" } else { "" };
        let _ = writeln!(io::stderr(), "{start}{} rows written", self.done);
    }
}
