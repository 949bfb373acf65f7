//! Starting the server, and how soon it is ready with an edition.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::padron::Padron;
use crate::program::Beside;
use crate::{Bench, Failure, Row, median, spread};

/// The addresses of the server.
pub const API: &str = "127.0.0.1:18080";
pub const ADMIN: &str = "127.0.0.1:18090";
/// How long to wait for the server to be ready.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// Settings of Kuraka, whose names lack `KURAKA__`.
pub type Settings = Vec<(String, String)>;

/// Sets the environment of the measured server and of its commands: one worker, a plan without a practical limit, logs
/// at `warn`, and these settings.
fn configure(command: &mut Command, bench: &Bench, settings: &[(String, String)]) {
    command.env("KURAKA__DATA_DIR", bench.data());
    for (key, value) in [
        ("HTTP__BIND", API),
        ("HTTP__WORKERS", "1"),
        ("ADMIN__BIND", ADMIN),
        ("LOG__LEVEL", "warn"),
        ("DATASETS__UPDATE_EVERY", "off"),
        ("PLANS__BENCH__QUERIES", "1000000000000"),
        ("PLANS__BENCH__RATE", "1000000"),
        ("PLANS__BENCH__BURST", "1000000"),
        ("PLANS__BENCH__BATCH", "1000"),
    ] {
        command.env(format!("KURAKA__{key}"), value);
    }
    for (key, value) in settings {
        command.env(format!("KURAKA__{key}"), value);
    }
}

/// A command of Kuraka with the settings of the measured server, and these.
pub fn command(bench: &Bench, settings: &[(String, String)], arguments: &[&str]) -> Command {
    let mut command = Command::new(bench.release.join("kuraka"));
    configure(command.args(arguments), bench, settings);
    command
}

/// Runs a command of Kuraka, and returns what it prints.
pub fn kuraka(bench: &Bench, settings: &[(String, String)], arguments: &[&str]) -> Result<String, Failure> {
    let output = command(bench, settings, arguments).output()?;
    if !output.status.success() {
        return Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Makes new accounts. Writes a token of each to a file.
pub fn accounts(
    bench: &Bench,
    settings: &[(String, String)],
    plan: &str,
    count: usize,
    file: &Path,
) -> Result<(), Failure> {
    let run = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let mut tokens = Vec::new();
    for account in 0..count {
        let email = format!("{plan}-{run}-{account}@kuraka.example");
        kuraka(bench, settings, &["account", "create", "--email", &email, "--plan", plan])?;
        tokens.push(kuraka(bench, settings, &["token", "create", "--email", &email, "--name", "bench"])?);
    }
    Ok(fs::write(file, tokens.join("\n"))?)
}

/// The address of PostgreSQL.
pub fn postgres() -> Result<String, Failure> {
    std::env::var("TEST_POSTGRES")
        .map_err(|_| "no PostgreSQL: run the make target, or tests/postgres.sh around this program".into())
}

pub fn measure(bench: &Bench, _padron: &Padron) -> Result<Vec<Row>, Failure> {
    let mut seconds = Vec::new();
    for _ in 0..bench.pairs {
        let started = Instant::now();
        let _server = start(bench)?;
        seconds.push(started.elapsed().as_secs_f64());
    }
    Ok(vec![Row::new(
        "start to ready with an edition present",
        "≤ 0.1 s",
        format!("{} s", spread(&seconds, 2)),
        median(&seconds) <= 0.1,
    )])
}

/// Starts the server and waits until it is ready.
pub fn start(bench: &Bench) -> Result<Beside, Failure> {
    start_with(bench, &[])
}

/// Like [`start`], with more settings.
pub fn start_with(bench: &Bench, settings: &[(String, String)]) -> Result<Beside, Failure> {
    let errors = bench.scratch.join("serve.log");
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(bench.release.join("kuraka")).arg("serve");
    configure(&mut command, bench, settings);
    let server = Beside::start(&mut command, &errors)?;
    let started = Instant::now();
    while !is_ready() {
        if started.elapsed() > MAX_WAIT {
            return Err(format!("the server is not ready: {}", fs::read_to_string(Path::new(&errors))?).into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(server)
}

fn is_ready() -> bool {
    admin("/readyz").is_ok_and(|answer| answer.starts_with("HTTP/1.1 200") && answer.contains("loaded"))
}

/// The answer of the admin listener, with its head.
pub fn admin(path: &str) -> std::io::Result<String> {
    let address: SocketAddr = ADMIN.parse().map_err(std::io::Error::other)?;
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_millis(200))?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}
