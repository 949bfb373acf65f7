//! The latency of `POST /ruc` at half of the capacity: undisturbed, while editions are swapped, beside an import, and after
//! a restart with the edition not in the page cache.
//!
//! The load is an open loop at a constant rate with core 1 to itself. Everything else has core 0, the imports and the web
//! server of the update included. Each import is measured once.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::padron::{Padron, ZIP};
use crate::program::{Beside, figure};
use crate::serve::{self, API, Settings};
use crate::{Bench, Failure, Row, http, import, median, padron, program, spread};

const CONNECTIONS: &str = "64";
const SWAPS: usize = 20;
/// Seconds of load without a disturbance.
const UNDISTURBED: f64 = 10.0;
/// Calls after a restart.
const COLD_CALLS: usize = 10_000;
/// What is asked of them.
const COLD: &str = "≤ 10 ms, none over 250 ms";
/// A published edition answers within two seconds. Longer waits mean that something is broken.
const MAX_WAIT: Duration = Duration::from_secs(300);
/// Where the server downloads the padrón from.
const PUBLISHED: &str = "127.0.0.1:18086";

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
    rows.extend(subject.imports()?);
    rows.extend(subject.cold_starts()?);
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
        let (mut without, mut with, mut took) = (Vec::new(), Vec::new(), Vec::new());
        for pair in 1..=self.bench.pairs {
            let calm = Load::start(self, (self.rate * UNDISTURBED) as usize)?.end()?;
            let load = Load::start(self, usize::MAX)?;
            for _ in 0..SWAPS {
                took.push(self.swap()?);
            }
            let swapped = load.end()?;
            eprintln!("pair {pair} at {:.0}/s: {}; {SWAPS} swaps: {}", self.rate, calm.text(), swapped.text());
            without.push(calm);
            with.push(swapped);
        }
        let ratios = |of: fn(&Latency) -> f64| -> Vec<f64> {
            with.iter().zip(&without).map(|(with, without)| of(with) / of(without)).collect()
        };
        let (p99, p999) = (ratios(|found| found.p99), ratios(|found| found.p999));
        let within = took.iter().copied().fold(0.0, f64::max);
        let calls = format!("`POST /ruc`, {:.0} calls a second, half of the capacity", self.rate);
        Ok(vec![
            Row::new(format!("{calls}: p99 / p99.9"), "–", both(&without), true),
            Row::new(format!("the same during {SWAPS} swaps"), "–", both(&with), true),
            Row::new("p99 during the swaps ÷ without", "≤ 1.5", spread(&p99, 2), median(&p99) <= 1.5),
            Row::new("p99.9 during the swaps ÷ without", "–", spread(&p999, 2), true),
            Row::new(
                "from a publication to answers from it, at most",
                "≤ 2 s",
                format!("{within:.2} s"),
                within <= 2.0,
            ),
        ])
    }

    /// Publishes the other edition as an import does in its last step, and waits until the server answers from it.
    fn swap(&self) -> Result<f64, Failure> {
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

    /// Imports on the server's core: of normal and of idle priority, and by the server itself.
    fn imports(&self) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        for (name, mut import) in [
            ("beside an import of normal priority on the server's core", self.normal_import()),
            ("beside an import of idle priority there, as `kuraka dataset import` has it", self.idle_import()),
        ] {
            let _server = serve::start(self.bench)?;
            let load = Load::start(self, usize::MAX)?;
            let seconds = program::run(&mut import)?.seconds;
            rows.push(self.during(name, seconds, load.end()?));
        }
        let _published = self.published()?;
        let before = self.current()?;
        let _server = serve::start_with(self.bench, &update_settings())?;
        let load = Load::start(self, usize::MAX)?;
        let began = Instant::now();
        while self.current()? == before {
            if began.elapsed() > MAX_WAIT {
                return Err("the server does not update the padrón".into());
            }
            thread::sleep(Duration::from_millis(50));
        }
        wait_for(&self.current()?)?;
        rows.push(self.during("beside the server's own update", began.elapsed().as_secs_f64(), load.end()?));
        Ok(rows)
    }

    fn during(&self, name: &str, seconds: f64, found: Latency) -> Row {
        eprintln!("{name}, {seconds:.0} s: {}", found.text());
        let text = format!("{:.2} / {:.2} ms, once, {seconds:.0} s", found.p99, found.p999);
        Row::new(format!("`POST /ruc` {name}: p99 / p99.9"), "–", text, true)
    }

    /// Calls after a start with the edition not in the page cache (the server reads all of it before it is ready), and on
    /// pages that were taken from a running server, which are read again one by one.
    fn cold_starts(&self) -> Result<Vec<Row>, Failure> {
        let (mut ready, mut restarted, mut evicted) = (Vec::new(), Vec::new(), Vec::new());
        let file = self.folder().join("editions").join(format!("{}.kuraka", self.current()?));
        for _ in 0..self.bench.pairs {
            uncache(&file)?;
            let started = Instant::now();
            let server = serve::start(self.bench)?;
            ready.push(started.elapsed().as_secs_f64());
            restarted.push(Load::start(self, COLD_CALLS)?.end()?);
            let evict =
                Command::new("python3").arg("bench/evict.py").arg(server.0.id().to_string()).arg(&file).status();
            if evict?.success() {
                uncache(&file)?;
                evicted.push(Load::start(self, COLD_CALLS)?.end()?);
            }
        }
        let mut rows = vec![Row::new(
            "start to ready with the edition not in the page cache",
            "–",
            format!("{} s", spread(&ready, 2)),
            true,
        )];
        for (name, asked, found) in [
            ("after a restart with the edition not in the page cache", COLD, restarted),
            ("after the edition's pages were taken from a running server", COLD, evicted),
        ] {
            if found.is_empty() {
                let row = format!("the first {COLD_CALLS} calls {name}: p99; the longest");
                rows.push(Row::new(row, asked, "not measured, because it needs root", false));
                continue;
            }
            let p99: Vec<f64> = found.iter().map(|found| found.p99).collect();
            let longest = found.iter().map(|found| found.longest).fold(0.0, f64::max);
            eprintln!("{name}: {}", found.iter().map(Latency::text).collect::<Vec<_>>().join("; "));
            rows.push(Row::new(
                format!("the first {COLD_CALLS} calls {name}: p99; the longest"),
                asked,
                format!("{} ms; {longest:.1} ms", spread(&p99, 2)),
                median(&p99) <= 10.0 && longest <= 250.0,
            ));
        }
        Ok(rows)
    }

    /// The padrón's folder.
    fn folder(&self) -> PathBuf {
        import::folder(&self.bench.data(), import::PADRON)
    }

    /// The label of the current edition.
    fn current(&self) -> Result<String, Failure> {
        let current = fs::read_to_string(self.folder().join("CURRENT"))?;
        Ok(current.split(' ').next().unwrap_or_default().to_owned())
    }

    /// The import of the padrón on the server's core, by a program without the command's idle priority.
    fn normal_import(&self) -> Command {
        let mut import = Command::new("taskset");
        import.args(["-c", "0"]).arg(self.bench.peers.join("measure"));
        import.arg("import").arg(self.bench.data().join("registry")).arg(&self.padron.zip);
        import
    }

    /// The import of the next day's padrón on the server's core, by the command.
    fn idle_import(&self) -> Command {
        let mut import = Command::new("taskset");
        import.args(["-c", "0"]).arg(self.bench.release.join("kuraka")).env("KURAKA__DATA_DIR", self.bench.data());
        import.args(["dataset", "import", "--force", import::PADRON]).arg(&self.next_day);
        import
    }

    /// A web server with the padrón, on core 0.
    fn published(&self) -> Result<Beside, Failure> {
        let folder = self.padron.zip.parent().ok_or("the padrón has no folder")?;
        let (host, port) = PUBLISHED.split_once(':').ok_or("no port")?;
        let mut command = Command::new("taskset");
        command.args(["-c", "0", "python3", "-m", "http.server", port, "--bind", host, "--directory"]).arg(folder);
        Beside::start(&mut command, &self.bench.scratch.join("published.log"))
    }
}

/// The settings of a server that updates the padrón when it starts.
fn update_settings() -> Settings {
    [
        ("UPDATE_EVERY", "1h".to_owned()),
        ("ENABLED", import::PADRON.to_owned()),
        ("PADRON__URL", format!("http://{PUBLISHED}/{ZIP}")),
    ]
    .map(|(key, value)| (format!("DATASETS__{key}"), value))
    .to_vec()
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

/// Waits until the server answers from the edition with this label. Returns the seconds.
fn wait_for(label: &str) -> Result<f64, Failure> {
    let began = Instant::now();
    let series = format!("edition=\"{label}\"");
    while !serve::admin("/metrics")?.contains(&series) {
        if began.elapsed() > MAX_WAIT {
            return Err(format!("the server does not answer from {label}").into());
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(began.elapsed().as_secs_f64())
}

/// Takes the file's pages that no process has mapped out of the page cache.
fn uncache(file: &Path) -> Result<(), Failure> {
    let mut input = std::ffi::OsString::from("if=");
    input.push(file);
    program::run(Command::new("dd").arg(input).args(["iflag=nocache", "count=0"]))?;
    Ok(())
}
