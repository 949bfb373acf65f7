//! `POST /ruc` compared with a bare server that answers a constant. Each in turn gets a load of 64 connections, with the
//! server on one core and the load on the other.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::padron::{self, Padron};
use crate::program::{Beside, figure, figures};
use crate::{Bench, Failure, Row, import, median, serve, spread};

const BARE: &str = "127.0.0.1:18081";
const CONNECTIONS: &str = "64";
const SECONDS: &str = "5s";
/// Rows of the small padrón, which stays in the processor's cache.
const FEW: u64 = 1_000;

/// The result of one load on one server.
pub struct Load {
    pub per_second: f64,
    pub cpu_micros: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
}

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let (ratios, cpu, anonymous) = beside_bare(bench, padron, &[])?;
    let few = padron::open(bench, FEW)?;
    let data = bench.scratch.join("few");
    let _ = fs::remove_dir_all(&data);
    // So small a padrón has empty lists, without which a server that should have them is not ready.
    let settings = [("DATA_DIR", data.display().to_string()), ("DATASETS__ENABLED", "padron".to_owned())]
        .map(|(key, value)| (key.to_owned(), value));
    import::dataset(bench, &data, import::PADRON, &few.zip)?;
    let (few_ratios, ..) = beside_bare(bench, &few, &settings)?;
    fs::remove_dir_all(&data)?;
    let mebibytes = anonymous / f64::from(1 << 20);
    let goal = |what: String, least: f64, found: &[f64]| {
        Row::new(what, format!("≥ {least:.2}"), spread(found, 2), median(found) >= least)
    };
    Ok(vec![
        goal(format!("`POST /ruc` ÷ bare constant POST, requests a second, {} rows", bench.rows), 0.70, &ratios),
        goal("the same with 1000 rows".to_owned(), 0.75, &few_ratios),
        Row::new("server CPU a request ÷ that of bare", "≤ 1.45", spread(&cpu, 2), median(&cpu) <= 1.45),
        Row::new("anonymous memory after serving", "≤ 24 MiB", format!("{mebibytes:.1} MiB"), mebibytes <= 24.0),
    ])
}

/// Measures the server with these settings and the bare server in turn. Returns the ratios of the requests a second and
/// of the CPU time, and the server's anonymous memory in bytes.
fn beside_bare(
    bench: &Bench,
    padron: &Padron,
    settings: &[(String, String)],
) -> Result<(Vec<f64>, Vec<f64>, f64), Failure> {
    let token = token_in(bench, settings)?;
    let ours = serve::start_with(bench, settings)?;
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(bench.peers.join("bare")).arg(BARE);
    let bare = Beside::start(&mut command, &bench.scratch.join("bare.log"))?;
    load(&ours, serve::API, "1s", &token, &padron.rucs)?;
    load(&bare, BARE, "1s", &token, &padron.rucs)?;
    let (mut ratios, mut cpu) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let us = load(&ours, serve::API, SECONDS, &token, &padron.rucs)?;
        let them = load(&bare, BARE, SECONDS, &token, &padron.rucs)?;
        eprintln!(
            "pair {pair}: ours {:.0}/s, {:.2} µs of CPU; bare {:.0}/s, {:.2} µs",
            us.per_second, us.cpu_micros, them.per_second, them.cpu_micros
        );
        ratios.push(us.per_second / them.per_second);
        cpu.push(us.cpu_micros / them.cpu_micros);
    }
    Ok((ratios, cpu, ours.anonymous_bytes()? as f64))
}

/// Sends `POST /ruc` over 64 connections for this time. The token may be `@FILE` of tokens (see `post.lua`).
pub fn load(server: &Beside, address: &str, time: &str, token: &str, rucs: &Path) -> Result<Load, Failure> {
    let before = server.cpu_seconds()?;
    let mut wrk = Command::new("taskset");
    wrk.args(["-c", "1", "wrk", "-t1", "-c", CONNECTIONS, "-d", time, "-s", "bench/post.lua"]);
    wrk.arg(format!("http://{address}/ruc")).arg("--").arg(token).arg(rucs);
    let figures = figures(&mut wrk)?;
    let cpu = server.cpu_seconds()? - before;
    let (requests, micros) = (figure(&figures, "requests")?, figure(&figures, "micros")?);
    let bad = figure(&figures, "not_ok")? + figure(&figures, "failed")?;
    if bad > 0.0 {
        return Err(format!("{bad} of {requests} requests to {address} were not answered 200").into());
    }
    Ok(Load {
        per_second: requests / micros * 1e6,
        cpu_micros: cpu * 1e6 / requests,
        p50_ms: figure(&figures, "p50_us")? / 1e3,
        p99_ms: figure(&figures, "p99_us")? / 1e3,
    })
}

/// A token of an account whose plan has no practical limit.
pub fn token(bench: &Bench) -> Result<String, Failure> {
    token_in(bench, &[])
}

/// Like [`token`], with these settings.
pub fn token_in(bench: &Bench, settings: &[(String, String)]) -> Result<String, Failure> {
    // It fails if the account exists, which an earlier part of the run has made then.
    let _ =
        serve::kuraka(bench, settings, &["account", "create", "--email", "bench@kuraka.example", "--plan", "bench"]);
    serve::kuraka(bench, settings, &["token", "create", "--email", "bench@kuraka.example", "--name", "bench"])
}
