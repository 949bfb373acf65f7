//! `make bench`: compares Kuraka with its peers in one run on one machine, and prints a table of ratios and a table of
//! services side by side.
//!
//! Every ratio is the median of pairs. Kuraka and the peer are measured in turn, so that a machine whose speed drifts does
//! not change the ratio. The table shows each target beside the measured value.
//! The program uses loopback only, limits its runs in number and time, and stops every program that it starts.
//!
//! `kuraka-bench [PART…]` measures these parts only, in the edition of the last run, and keeps nothing. Without a part it
//! measures all of them and writes the tables to their pages. A part that fails does not stop the others, but then the
//! run fails and writes nothing.

mod accounts;
mod client;
mod curve;
mod datasets;
mod files;
mod http;
mod import;
mod latency;
mod lists;
mod lookup;
mod machine;
mod overload;
mod padron;
mod page;
mod peers;
mod program;
mod relay;
mod search;
mod serve;

use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;

use crate::padron::Padron;

/// Why a measurement failed.
type Failure = Box<dyn Error>;

type Part = fn(&Bench, &Padron) -> Result<Vec<Row>, Failure>;

/// The parts that give rows of the table of goals, in their order.
const PARTS: [(&str, Part); 10] = [
    ("import", import::measure),
    ("search", search::measure),
    ("lookup", lookup::measure),
    ("start", serve::measure),
    ("http", http::measure),
    ("lists", lists::measure),
    ("latency", latency::measure),
    ("accounts", accounts::measure),
    ("datasets", datasets::measure),
    ("files", files::measure),
];
/// The part that gives the table of services.
const PEERS: &str = "peers";

/// The size of a run whose tables are kept.
const ROWS: u64 = 18_000_000;
const PAIRS: u64 = 5;

/// Paths and sizes of a run.
pub struct Bench {
    /// The folder of Kuraka's release programs.
    release: PathBuf,
    /// The folder of the release programs of the peers and of `bench/measure`.
    peers: PathBuf,
    /// The folder for the padrón, the registry and the databases.
    scratch: PathBuf,
    /// Number of rows of the padrón.
    rows: u64,
    /// Number of pairs for each ratio.
    pairs: usize,
}

impl Bench {
    /// The data folder of the measured server.
    fn data(&self) -> PathBuf {
        self.scratch.join(if self.rows == ROWS { "data".to_owned() } else { format!("data-{}", self.rows) })
    }
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
    let own = std::env::current_exe()?;
    let target = std::env::var_os("BENCH_TARGET").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let bench = Bench {
        // Programs that run in other folders get these paths.
        release: std::path::absolute(target.join("release"))?,
        peers: own.parent().ok_or("cannot tell the folder of this program")?.to_owned(),
        scratch: std::path::absolute(target.join("bench"))?,
        rows: number("BENCH_ROWS", ROWS)?,
        pairs: usize::try_from(number("BENCH_PAIRS", PAIRS)?)?.max(1),
    };
    std::fs::create_dir_all(&bench.scratch)?;
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let machine = machine::describe()?;
    eprintln!("{machine}");
    if asked == ["overload"] {
        return overload::measure(&bench, &machine);
    }
    compare(&bench, &machine, &asked)
}

/// A number that a variable may replace.
fn number<N: FromStr>(name: &str, usual: N) -> Result<N, Failure> {
    std::env::var(name).map_or(Ok(usual), |text| text.parse().map_err(|_| format!("{name} must be a number").into()))
}

/// Measures the parts that are asked for, or all.
fn compare(bench: &Bench, machine: &str, asked: &[String]) -> Result<(), Failure> {
    let names: Vec<&str> = PARTS.iter().map(|(name, _)| *name).chain([PEERS]).collect();
    if let Some(unknown) = asked.iter().find(|asked| !names.contains(&asked.as_str())) {
        return Err(format!("there is no part {unknown}; the parts are {}, overload", names.join(", ")).into());
    }
    let is_asked = |name: &str| asked.is_empty() || asked.iter().any(|asked| asked == name);
    let padron = padron::open(bench, bench.rows)?;
    if !is_asked("import") {
        import::ensure(bench, &padron)?;
    }
    let (mut rows, mut peers, mut failed, mut missing) = (Vec::new(), String::new(), Vec::new(), Vec::new());
    for (name, part) in PARTS.into_iter().filter(|(name, _)| is_asked(name)) {
        eprintln!("== {name}");
        match part(bench, &padron) {
            Ok(found) => rows.extend(found),
            Err(why) => {
                eprintln!("{name} failed: {why}");
                failed.push(format!("{name}: {why}"));
            }
        }
    }
    if is_asked(PEERS) {
        eprintln!("== {PEERS}");
        match peers::measure(bench, &padron) {
            Ok((table, left_out)) => {
                peers = table;
                missing = left_out;
            }
            Err(why) => failed.push(format!("{PEERS}: {why}")),
        }
    }
    if !rows.is_empty() {
        println!("\n{}", page::table(&rows));
    }
    println!("\n{peers}");
    if !failed.is_empty() {
        println!("Not measured:\n- {}", failed.join("\n- "));
        return Err("a part of the run failed, so its tables are not kept".into());
    }
    if asked.is_empty() && bench.rows == ROWS && bench.pairs >= PAIRS as usize {
        page::keep(machine, bench.rows, bench.pairs, &page::table(&rows), &peers)?;
    }
    // The table names them too: a machine without a peer's language still gets the other figures.
    if missing.is_empty() { Ok(()) } else { Err(format!("left out: {}", missing.join("; ")).into()) }
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
