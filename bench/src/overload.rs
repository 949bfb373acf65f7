//! `make overload`: the goodput curve. For each operation the capacity is measured with a closed loop, and then an open
//! loop offers 0.5, 1, 2, 5 and 10 times as much. Goodput is the answers per second; refusals are not answers.
//!
//! The server has core 0. The load, the sandbox and the relays have core 1, so rates are limited by what one core can
//! generate beside the sandbox and PostgreSQL.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::curve::{self, Curve};
use crate::program::{Beside, figure};
use crate::serve::Settings;
use crate::{Bench, Failure, import, number, page, program, relay, serve};

const SANDBOX: &str = "127.0.0.1:18082";
/// How long a source takes to answer.
const SOURCE_TAKES: Duration = Duration::from_millis(200);
/// How long the store takes to answer. One statement writes the leases that wait, at most one for each account.
const LEASE_TAKES: Duration = Duration::from_millis(40);
/// Accounts that call in turn. Leases of one account are taken one after another.
const ACCOUNTS: usize = 100;
const MULTIPLES: [f64; 5] = [0.5, 1.0, 2.0, 5.0, 10.0];
const CONNECTIONS: &str = "4096";
const PAGE: &str = "docs/reference/reliability.md";
const PICTURE: &str = "docs/images/goodput.svg";
const SAMPLE: &str = "crates/sandbox/sample/padron_reducido_ruc.txt";

const BY_RUC: &str = r#"{"ruc":"{ruc}"}"#;
const COMPANY: &str = r#"{"ruc":"20100119227"}"#;
const VOUCHER: &str = r#"{"ruc_emisor":"20999990062","codigo_tipo_documento":"01","serie_documento":"F001","numero_documento":"{n}","fecha_de_emision":"2026-01-15","total":118.00}"#;

/// One operation under load.
struct Subject {
    name: &'static str,
    path: &'static str,
    body: &'static str,
    /// Clients of the closed loop: enough to keep the source or the store busy, and not more than it admits.
    clients: usize,
    on_slow_store: bool,
}

const SUBJECTS: [Subject; 3] = [
    Subject { name: "/ruc, slow store", path: "/ruc", body: COMPANY, clients: 64, on_slow_store: true },
    Subject { name: "/ruc-official", path: "/ruc-official", body: BY_RUC, clients: 15, on_slow_store: false },
    Subject { name: "/cpe", path: "/cpe", body: VOUCHER, clients: 48, on_slow_store: false },
];

pub fn measure(bench: &Bench, machine: &str) -> Result<(), Failure> {
    let seconds = number("KURAKA_OVERLOAD_SECONDS", 10.0)?;
    let longest = number("KURAKA_OVERLOAD_LONGEST", 60.0)?;
    let scratch = bench.scratch.join("overload");
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch)?;
    let mut sandbox = Command::new(bench.release.join("kuraka"));
    let mut sandbox = Beside(sandbox.args(["sandbox", "--bind", SANDBOX]).stdout(Stdio::piped()).spawn()?);
    let slow_sources = relay::start(SANDBOX.parse()?, SOURCE_TAKES)?.to_string();
    let mut common: Settings = voucher_settings(&mut sandbox)?;
    for (_, value) in &mut common {
        *value = value.replace(SANDBOX, &slow_sources);
    }
    common.push(("OFFICIAL__URL".into(), format!("http://{slow_sources}/cl-ti-itmrconsruc/jcrS00Alias")));
    for (key, value) in [
        ("OFFICIAL__MIN_INTERVAL_MS", "0"),
        ("PLANS__SMALL__QUERIES", "9999"),
        ("PLANS__SMALL__RATE", "1000000"),
        ("PLANS__SMALL__BURST", "1000000"),
    ] {
        common.push((key.into(), value.into()));
    }
    let (mut curves, mut table) = (Vec::new(), String::new());
    for (index, subject) in SUBJECTS.iter().enumerate() {
        let folder = scratch.join(index.to_string());
        let mut settings = common.clone();
        settings.push(("DATA_DIR".into(), folder.display().to_string()));
        let direct = settings.clone();
        if subject.on_slow_store {
            let (address, slow) = slow_store()?;
            settings.push(("STORE__URL".into(), slow));
            make_accounts(bench, &folder, &[direct, vec![("STORE__URL".into(), address)]].concat())?;
        } else {
            make_accounts(bench, &folder, &direct)?;
        }
        let server = serve::start_with(bench, &settings)?;
        let load = |phases: &[String]| load(bench, subject, &folder.join("tokens"), phases);
        load(&[format!("closed:{}:2", subject.clients)])?;
        let measured = load(&[format!("closed:{}:{seconds}", subject.clients)])?;
        let capacity = figure(&measured, "0.goodput")?;
        eprintln!("{}: {capacity:.0} answers a second", subject.name);
        let mut curve = Curve { name: subject.name.to_owned(), capacity, points: Vec::new() };
        for multiple in MULTIPLES {
            let found = load(&[format!("open:{}:{seconds}", capacity * multiple)])?;
            let goodput = figure(&found, "0.goodput")? / capacity;
            eprintln!("  {multiple} times: {}", summary(&found, 0, goodput)?);
            curve.points.push((multiple, goodput));
        }
        let found = load(&[format!("open:{}:{longest}", capacity * 10.0), format!("open:{capacity}:15")])?;
        let goodput = figure(&found, "0.goodput")? / capacity;
        table.push_str(&row(subject, capacity, goodput, &found)?);
        eprintln!("  10 times for {longest} s: {}", summary(&found, 0, goodput)?);
        eprintln!("  then at capacity: {}", summary(&found, 1, figure(&found, "1.goodput")? / capacity)?);
        curves.push(curve);
        drop(server);
    }
    std::fs::write(PICTURE, curve::draw(&curves))?;
    let head = "| calls | capacity | goodput at 10 times | answers p50 / p99 / p99.9 | refusals p50 / p99 / p99.9 | failed | \
                recovered in | |\n|---|---|---|---|---|---|---|---|\n";
    let picture = "![Answers per second by offered load, both as multiples of the capacity](../images/goodput.svg)";
    let found = format!(
        "{picture}\n\n{machine} · {longest} s at 10 times the capacity, then 15 s at the capacity.\n\n{head}{table}"
    );
    println!("\n{found}");
    page::keep_in(PAGE, "make overload", &found)
}

/// The settings for vouchers that the sandbox prints, without `KURAKA__`.
fn voucher_settings(sandbox: &mut Beside) -> Result<Settings, Failure> {
    let output = sandbox.0.stdout.take().ok_or("the sandbox has no output")?;
    let mut settings = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        let Some((key, value)) = line.split_once('=') else { continue };
        let Some(key) = key.strip_prefix("KURAKA__").filter(|key| key.starts_with("VOUCHERS")) else { continue };
        settings.push((key.to_owned(), value.to_owned()));
        if key.ends_with("CLIENT_SECRET") {
            return Ok(settings);
        }
    }
    Err("the sandbox ended before it printed its settings".into())
}

/// The address of PostgreSQL, directly and through a relay that makes each lease slow.
fn slow_store() -> Result<(String, String), Failure> {
    let address = serve::postgres()?;
    let server = address.split(['@', '/']).find(|part| part.starts_with("127.0.0.1:")).ok_or("not on this machine")?;
    let slow = address.replace(server, &relay::start(server.parse()?, LEASE_TAKES)?.to_string());
    Ok((address, slow))
}

/// Imports the sample and makes the accounts, whose plan is so small that each call takes a lease.
fn make_accounts(bench: &Bench, folder: &Path, settings: &Settings) -> Result<(), Failure> {
    serve::kuraka(bench, settings, &["dataset", "import", import::PADRON, SAMPLE])?;
    serve::accounts(bench, settings, "small", ACCOUNTS, &folder.join("tokens"))
}

type Figures = std::collections::HashMap<String, f64>;

fn load(bench: &Bench, subject: &Subject, tokens: &PathBuf, phases: &[String]) -> Result<Figures, Failure> {
    let mut command = Command::new("taskset");
    command.args(["-c", "1"]).arg(bench.peers.join("open_loop"));
    command.args([serve::API, subject.path, subject.body]).arg(tokens).arg(CONNECTIONS).args(phases);
    let found = program::figures(&mut command)?;
    for phase in 0..phases.len() {
        let bare = figure(&found, &format!("{phase}.refused_without_retry_after"))?;
        if bare > 0.0 {
            return Err(format!("{bare} refusals had no Retry-After").into());
        }
    }
    for (phase, plan) in phases.iter().enumerate() {
        // A generator that falls behind its plan measures itself, not the server.
        let Some((planned, _)) = plan.strip_prefix("open:").and_then(|plan| plan.split_once(':')) else { continue };
        let (planned, offered) = (planned.parse::<f64>()?, figure(&found, &format!("{phase}.offered"))?);
        if offered < 0.95 * planned {
            return Err(format!("{offered:.0} calls a second were offered, {planned:.0} were planned").into());
        }
    }
    Ok(found)
}

fn times(found: &Figures, phase: usize, class: &str) -> Result<[f64; 3], Failure> {
    let at = |label: &str| figure(found, &format!("{phase}.{class}_{label}_ms"));
    Ok([at("p50")?, at("p99")?, at("p999")?])
}

fn summary(found: &Figures, phase: usize, goodput: f64) -> Result<String, Failure> {
    let count = |class: &str| figure(found, &format!("{phase}.{class}"));
    Ok(format!(
        "goodput {:.0} %; {} answered {:.1?} ms, {} refused {:.1?} ms, {} failed {:.1?} ms",
        goodput * 100.0,
        count("answered")?,
        times(found, phase, "answered")?,
        count("refused")?,
        times(found, phase, "refused")?,
        count("failed")?,
        times(found, phase, "failed")?
    ))
}

fn row(subject: &Subject, capacity: f64, goodput: f64, found: &Figures) -> Result<String, Failure> {
    let (answered, refused) = (times(found, 0, "answered")?, times(found, 0, "refused")?);
    let (failed, recovered) = (figure(found, "0.failed")?, figure(found, "1.recovered_s")?);
    let met = goodput >= 0.9 && answered[1] <= 500.0 && refused[1] <= 50.0 && recovered <= 5.0;
    let mark = if met { "met" } else { "**missed**" };
    let millis = |[p50, p99, p999]: [f64; 3]| format!("{p50:.0} / {p99:.0} / {p999:.0} ms");
    let name = match subject.name.split_once(", ") {
        Some((path, how)) => format!("`{path}`, {how}"),
        None => format!("`{}`", subject.name),
    };
    Ok(format!(
        "| {name} | {capacity:.0} a second | {:.0} % | {} | {} | {failed} | {recovered} s | {mark} |\n",
        goodput * 100.0,
        millis(answered),
        millis(refused),
    ))
}
