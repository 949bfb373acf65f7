//! `POST /cpe` compared with the same request to its source: the latency that Kuraka adds. The source is the sandbox,
//! which answers at once. The two kinds of call alternate, one at a time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::padron::Padron;
use crate::program::Beside;
use crate::serve::Settings;
use crate::{Bench, Failure, Row, http, serve};

const SOURCE: &str = "127.0.0.1:18082";
/// Number of calls of each kind.
const CALLS: u32 = 2_000;
/// Number of calls of each kind before the measurement, for connections, tokens and leases.
const WARM_UP: u32 = 100;
/// One voucher, in the form of the source and in that of Kuraka. Answers are not cached, so each call makes a request.
const QUESTION: &str = r#"{"numRuc":"20999990062","codComp":"01","numeroSerie":"F001","numero":1,"fechaEmision":"15/01/2026","monto":118.00}"#;
const CALL: &str = r#"{"ruc_emisor":"20999990062","codigo_tipo_documento":"01","serie_documento":"F001","numero_documento":"1","fecha_de_emision":"2026-01-15","total":118.00}"#;

pub fn measure(bench: &Bench, _padron: &Padron) -> Result<Vec<Row>, Failure> {
    let token = http::token(bench)?;
    let mut command = Command::new(bench.release.join("kuraka"));
    command.args(["sandbox", "--bind", SOURCE]).stdout(Stdio::piped());
    let mut source = Beside(command.spawn()?);
    let settings = settings(&mut source)?;
    let _ours = serve::start_with(bench, &settings)?;
    let setting = |name: &str| -> Result<&str, Failure> {
        let found = settings.iter().find(|(key, _)| key == &format!("VOUCHERS__{name}"));
        found.map(|(_, value)| value.as_str()).ok_or_else(|| format!("the sandbox printed no {name}").into())
    };
    let bearer = bearer(setting("TOKEN_URL")?, setting("CLIENT_ID")?, setting("CLIENT_SECRET")?)?;
    let api = path_of(&setting("API_URL")?.replace("{ruc}", setting("RUC")?))?;

    let mut through = TcpStream::connect(serve::API)?;
    through.set_nodelay(true)?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for call in 0..WARM_UP + CALLS {
        let direct = timed(|| {
            let mut stream = TcpStream::connect(SOURCE)?;
            ask(&mut stream, SOURCE, &api, &bearer, QUESTION)
        })?;
        let called = timed(|| ask(&mut through, serve::API, "/cpe", &token, CALL))?;
        if call >= WARM_UP {
            theirs.push(direct);
            ours.push(called);
        }
    }
    let [direct, called] =
        [theirs, ours].map(|mut times| [0.50, 0.99].map(|share| percentile(&mut times, share) * 1e3));
    let [median, tail] = [called[0] - direct[0], called[1] - direct[1]];
    eprintln!(
        "{CALLS} of each, p50 and p99 in ms: a request to the source {direct:.2?}, a call of Kuraka {called:.2?}"
    );
    let found = format!("{median:.2} / {tail:.2} ms");
    Ok(vec![Row::new("`POST /cpe` over its source, added latency p50 / p99", "–", found, true)])
}

/// The settings for vouchers that the sandbox prints, without `KURAKA__`.
pub fn settings(source: &mut Beside) -> Result<Settings, Failure> {
    let output = source.0.stdout.take().ok_or("the sandbox has no output")?;
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

fn bearer(url: &str, id: &str, secret: &str) -> Result<String, Failure> {
    let path = path_of(&url.replace("{client_id}", id))?;
    let form = format!(
        "grant_type=client_credentials&scope=https%3A%2F%2Fapi.sunat.gob.pe%2Fv1%2Fcontribuyente%2Fcontribuyentes\
         &client_id={id}&client_secret={secret}"
    );
    let mut stream = TcpStream::connect(SOURCE)?;
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: {SOURCE}\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n{form}",
        form.len()
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("the token endpoint gave no answer")?;
    let granted: Value = serde_json::from_str(body)?;
    Ok(granted["access_token"].as_str().ok_or("the token endpoint gave no token")?.to_owned())
}

fn path_of(url: &str) -> Result<String, Failure> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').and_then(|at| rest.get(at..)).map(str::to_owned).ok_or_else(|| format!("no path in {url}").into())
}

/// Makes one request, which must get a 200.
fn ask(stream: &mut TcpStream, host: &str, path: &str, token: &str, body: &str) -> Result<(), Failure> {
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let (mut answer, mut buffer) = (Vec::new(), [0; 4096]);
    while !is_whole(&answer) {
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Err(format!("{host} hung up").into());
        }
        answer.extend_from_slice(buffer.get(..read).unwrap_or_default());
    }
    if answer.starts_with(b"HTTP/1.1 200") {
        return Ok(());
    }
    Err(format!("{host} answered {}", String::from_utf8_lossy(&answer)).into())
}

fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
    length.is_some_and(|length: usize| body.len() >= length)
}

fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

/// A percentile of the times, in seconds.
fn percentile(times: &mut [Duration], share: f64) -> f64 {
    times.sort();
    times.get((times.len() as f64 * share) as usize).map_or(0.0, Duration::as_secs_f64)
}
