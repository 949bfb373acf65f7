//! `make bench`: compares Kuraka with its peers in one run on one machine, and prints one table of ratios.
//!
//! Every ratio is the median of pairs. Kuraka and the peer are measured in turn, so that a machine whose speed drifts does
//! not change the ratio. The table shows each target beside the measured value.
//! The program uses loopback only, limits its runs in number and time, and stops every program that it starts.

mod curve;
mod http;
mod import;
mod latency;
mod lookup;
mod machine;
mod overload;
mod padron;
mod page;
mod pages;
mod program;
mod relay;
mod serve;
mod stores;
mod vouchers;

use std::error::Error;
use std::path::PathBuf;

/// Why a measurement failed.
type Failure = Box<dyn Error>;

/// Paths and sizes of a run.
pub struct Bench {
    /// The folder of Kuraka's release programs.
    release: PathBuf,
    /// The folder of the peers' release programs.
    peers: PathBuf,
    /// The folder for the padrón, the registry and the databases.
    scratch: PathBuf,
    /// Number of rows of the padrón.
    rows: u64,
    /// Number of pairs for each ratio.
    pairs: usize,
}

/// One row of the table.
pub struct Row {
    what: String,
    asked: String,
    found: String,
    met: bool,
}

impl Row {
    fn new(what: impl Into<String>, asked: impl Into<String>, found: impl Into<String>, met: bool) -> Self {
        Self { what: what.into(), asked: asked.into(), found: found.into(), met }
    }
}

fn main() -> Result<(), Failure> {
    let number = |name: &str, usual: u64| -> Result<u64, Failure> {
        std::env::var(name)
            .map_or(Ok(usual), |text| text.parse().map_err(|_| format!("{name} must be a number").into()))
    };
    let own = std::env::current_exe()?;
    let target = std::env::var_os("KURAKA_BENCH_TARGET").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let bench = Bench {
        release: target.join("release"),
        peers: own.parent().ok_or("cannot tell the folder of this program")?.to_owned(),
        scratch: target.join("bench"),
        rows: number("KURAKA_BENCH_ROWS", 18_000_000)?,
        pairs: usize::try_from(number("KURAKA_BENCH_PAIRS", 5)?)?,
    };
    std::fs::create_dir_all(&bench.scratch)?;
    let machine = machine::describe()?;
    eprintln!("{machine}");
    if std::env::args().nth(1).as_deref() == Some("overload") {
        return overload::measure(&bench, &machine);
    }
    let padron = padron::make(&bench)?;
    if std::env::args().nth(1).as_deref() == Some("stores") {
        // Uses the edition of the last full run.
        println!("\n{}", page::table(&stores::measure(&bench, &padron)?));
        return Ok(());
    }
    if std::env::args().nth(1).as_deref() == Some("latency") {
        // Uses the edition of the last full run.
        println!("\n{}", page::table(&latency::measure(&bench, &padron)?));
        return Ok(());
    }
    let mut rows = import::measure(&bench, &padron)?;
    rows.extend(lookup::measure(&bench, &padron)?);
    rows.extend(serve::measure(&bench)?);
    rows.extend(http::measure(&bench, &padron)?);
    rows.extend(latency::measure(&bench, &padron)?);
    rows.extend(stores::measure(&bench, &padron)?);
    rows.extend(vouchers::measure(&bench)?);
    rows.extend(pages::measure(&bench)?);
    let table = page::table(&rows);
    println!("\n{table}");
    page::keep(&machine, bench.rows, bench.pairs, &table)
}

/// The median, or 0 if there are no figures.
fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The figures as `median (least–most)`.
fn spread(figures: &[f64], digits: usize) -> String {
    let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
    let most = figures.iter().copied().fold(0.0, f64::max);
    format!("{:.digits$} ({least:.digits$}–{most:.digits$})", median(figures))
}
