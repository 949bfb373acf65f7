//! The latency of `POST /ruc` at half of the capacity: undisturbed, while editions are swapped, and beside an import.
//!
//! The load is an open loop at a constant rate with core 1 to itself. Everything else has core 0, the import included,
//! which is measured once.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::padron::Padron;
use crate::program::figure;
use crate::serve::{self, API};
use crate::{Bench, Failure, Row, http, import, median, padron, program, spread};

const CONNECTIONS: &str = "64";
const SWAPS: usize = 20;
/// Seconds of load without a disturbance.
const UNDISTURBED: f64 = 10.0;
/// A published edition answers within two seconds. Longer waits mean that something is broken.
const MAX_WAIT: Duration = Duration::from_secs(300);

/// Latencies in milliseconds.
struct Latency {
    calls: f64,
    p99: f64,
    p999: f64,
    longest: f64,
    /// For how long the load generator did not have its core. These figures are then too high.
    absent: f64,
}

/// The measured server's data and what is asked of it.
struct Subject<'a> {
    bench: &'a Bench,
    padron: &'a Padron,
    /// The padrón of the next day, as a zip.
    next_day: PathBuf,
    token: String,
    rate: f64,
}

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let (next_day, token) = (padron::next_day(bench, bench.rows)?, http::token(bench)?);
    let mut subject = Subject { bench, padron, next_day, token, rate: 0.0 };
    program::run(&mut subject.idle_import())?;
    let mut rows = subject.swaps()?;
    rows.push(subject.beside_import()?);
    // The parts after this one have their answers of the first day.
    fs::remove_dir_all(subject.folder())?;
    import::dataset(bench, &bench.data(), import::PADRON, &padron.zip)?;
    Ok(rows)
}

impl Subject<'_> {
    /// Measures the capacity, and then pairs without and with swaps at half of it.
    fn swaps(&mut self) -> Result<Vec<Row>, Failure> {
        let server = serve::start(self.bench)?;
        let load = |time| http::load(&server, API, time, &self.token, &self.padron.rucs);
        load("1s")?;
        let mut capacities = Vec::new();
        for _ in 0..3 {
            capacities.push(load("3s")?.per_second);
        }
        self.rate = median(&capacities) / 2.0;
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for pair in 1..=self.bench.pairs {
            let calm = Load::start(self, (self.rate * UNDISTURBED) as usize)?.end()?;
            let load = Load::start(self, usize::MAX)?;
            for _ in 0..SWAPS {
                self.swap()?;
            }
            let swapped = load.end()?;
            eprintln!("pair {pair} at {:.0}/s: {}; {SWAPS} swaps: {}", self.rate, calm.text(), swapped.text());
            without.push(calm);
            with.push(swapped);
        }
        let p99: Vec<f64> = with.iter().zip(&without).map(|(with, without)| with.p99 / without.p99).collect();
        Ok(vec![
            Row::new(
                format!("`POST /ruc`, {:.0} calls a second, half of the capacity: p99 / p99.9", self.rate),
                "–",
                both(&without),
                true,
            ),
            Row::new(format!("p99 during {SWAPS} swaps ÷ without"), "≤ 1.5", spread(&p99, 2), median(&p99) <= 1.5),
        ])
    }

    /// Publishes the other edition as an import does in its last step, and waits until the server answers from it.
    fn swap(&self) -> Result<(), Failure> {
        let folder = self.folder();
        let current = fs::read_to_string(folder.join("CURRENT"))?;
        let (current, number) = current.trim().split_once(' ').ok_or("no publication")?;
        let mut others = fs::read_dir(folder.join("editions"))?
            .filter_map(|file| file.ok()?.file_name().into_string().ok())
            .filter_map(|name| name.strip_suffix(".kuraka").map(str::to_owned))
            .filter(|label| label != current);
        let next = others.next().ok_or("there is one edition only")?;
        let aside = folder.join("CURRENT.tmp");
        fs::write(&aside, format!("{next} {number}\n"))?;
        fs::rename(aside, folder.join("CURRENT"))?;
        wait_for(&next)
    }

    /// An import on the server's core.
    fn beside_import(&self) -> Result<Row, Failure> {
        let _server = serve::start(self.bench)?;
        let load = Load::start(self, usize::MAX)?;
        let seconds = program::run(&mut self.idle_import())?.seconds;
        let found = load.end()?;
        eprintln!("beside an import, {seconds:.0} s: {}", found.text());
        Ok(Row::new(
            "`POST /ruc` beside an import of idle priority on the server's core, as `kuraka dataset import` has it: p99 / \
             p99.9",
            "–",
            format!("{:.2} / {:.2} ms, once, {seconds:.0} s", found.p99, found.p999),
            true,
        ))
    }

    /// The padrón's folder.
    fn folder(&self) -> PathBuf {
        import::folder(&self.bench.data(), import::PADRON)
    }

    /// The import of the next day's padrón on the server's core, by the command.
    fn idle_import(&self) -> Command {
        let mut import = Command::new("taskset");
        import.args(["-c", "0"]).arg(self.bench.release.join("kuraka")).env("KURAKA__DATA_DIR", self.bench.data());
        import.args(["dataset", "import", "--force", import::PADRON]).arg(&self.next_day);
        import
    }
}

/// A running load.
struct Load(Child);

impl Load {
    /// Starts it at the subject's rate. It ends after this number of calls, or with [`Load::end`].
    fn start(subject: &Subject, calls: usize) -> Result<Self, Failure> {
        let mut command = Command::new("taskset");
        command.args(["-c", "1"]).arg(subject.bench.peers.join("constant_rate"));
        command.args([API, &subject.token]).arg(&subject.padron.rucs).args([CONNECTIONS, &subject.rate.to_string()]);
        command.arg(if calls == usize::MAX { "-".to_owned() } else { calls.to_string() });
        Ok(Self(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?))
    }

    /// Ends it, or waits until it has ended.
    fn end(mut self) -> Result<Latency, Failure> {
        drop(self.0.stdin.take());
        let found = program::figures_of(self.0.wait_with_output()?)?;
        let value = |name: &str| figure(&found, name);
        let [p99, p999, longest] = [value("p99_ms")?, value("p999_ms")?, value("longest_ms")?];
        Ok(Latency { calls: value("calls")?, p99, p999, longest, absent: value("absent_ms")? })
    }
}

impl Latency {
    fn text(&self) -> String {
        let Self { calls, p99, p999, longest, absent } = self;
        let doubt = if *absent > 1.0 { format!(", load absent for {absent:.0} ms") } else { String::new() };
        format!("p99 {p99:.2} ms, p99.9 {p999:.2} ms, longest {longest:.1} ms of {calls} calls{doubt}")
    }
}

/// The medians of p99 and p99.9.
fn both(found: &[Latency]) -> String {
    let of = |value: fn(&Latency) -> f64| median(&found.iter().map(value).collect::<Vec<_>>());
    format!("{:.2} / {:.2} ms", of(|found| found.p99), of(|found| found.p999))
}

/// Waits until the server answers from the edition with this label.
fn wait_for(label: &str) -> Result<(), Failure> {
    let began = Instant::now();
    let series = format!("edition=\"{label}\"");
    while !serve::admin("/metrics")?.contains(&series) {
        if began.elapsed() > MAX_WAIT {
            return Err(format!("the server does not answer from {label}").into());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
