//! `POST /ruc` compared with a bare server that answers a constant. Each in turn gets a load of 64 connections, with the
//! server on one core and the load on the other.

use std::path::Path;
use std::process::Command;

use crate::padron::Padron;
use crate::program::{Beside, figure, figures};
use crate::{Bench, Failure, Row, median, serve, spread};

const BARE: &str = "127.0.0.1:18081";
const CONNECTIONS: &str = "64";
const SECONDS: &str = "6s";

/// The result of one load on one server.
pub struct Load {
    pub per_second: f64,
    cpu_micros: f64,
}

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let token = token(bench)?;
    let ours = serve::start(bench)?;
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
    let anonymous = ours.anonymous_bytes()? as f64 / f64::from(1 << 20);
    Ok(vec![
        Row::new(
            "`POST /ruc` ÷ bare constant POST, requests a second",
            "≥ 0.75 (aim 0.90)",
            spread(&ratios, 2),
            median(&ratios) >= 0.75,
        ),
        Row::new("the same, server CPU a request", "–", spread(&cpu, 2), true),
        Row::new("anonymous memory after serving", "≤ 32 MiB", format!("{anonymous:.1} MiB"), anonymous <= 32.0),
    ])
}

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
    Ok(Load { per_second: requests / micros * 1e6, cpu_micros: cpu * 1e6 / requests })
}

/// A token of an account whose plan has no practical limit.
pub fn token(bench: &Bench) -> Result<String, Failure> {
    token_in(bench, &[])
}

/// Like [`token`], in the store of these settings, whose names lack `KURAKA__`.
pub fn token_in(bench: &Bench, settings: &[(String, String)]) -> Result<String, Failure> {
    let kuraka = |arguments: &[&str]| -> Result<String, Failure> {
        let mut command = Command::new(bench.release.join("kuraka"));
        command.args(arguments).env("KURAKA__DATA_DIR", bench.scratch.join("data"));
        for (key, value) in [("QUERIES", "1000000000000"), ("RATE", "1000000"), ("BURST", "1000000")] {
            command.env(format!("KURAKA__PLANS__BENCH__{key}"), value);
        }
        for (key, value) in settings {
            command.env(format!("KURAKA__{key}"), value);
        }
        Ok(String::from_utf8(command.output()?.stdout)?.trim().to_owned())
    };
    kuraka(&["account", "create", "--email", "bench@kuraka.example", "--plan", "bench"])?;
    kuraka(&["token", "create", "--email", "bench@kuraka.example", "--name", "bench"])
}
