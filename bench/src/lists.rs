//! A list of 1,000 RUCs compared with 1,000 single calls, over HTTP on one connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

use crate::padron::Padron;
use crate::{Bench, Failure, Row, http, median, serve, spread};

/// RUCs of a list.
const RUCS: usize = 1_000;

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let token = http::token(bench)?;
    let _ours = serve::start(bench)?;
    let text = std::fs::read_to_string(&padron.rucs)?;
    let rucs: Vec<&str> = text.lines().collect();
    let mut connection = BufReader::new(TcpStream::connect(serve::API)?);
    connection.get_ref().set_nodelay(true)?;
    let mut ratios = Vec::new();
    // The first pair warms up.
    for (pair, rucs) in rucs.chunks_exact(RUCS).take(bench.pairs + 1).enumerate() {
        let started = Instant::now();
        for ruc in rucs {
            ask(&mut connection, &token, "/ruc", &format!(r#"{{"ruc":"{ruc}"}}"#))?;
        }
        let single = started.elapsed().as_secs_f64();
        let started = Instant::now();
        ask(&mut connection, &token, "/ruc-multiple", &format!(r#"{{"rucs":["{}"]}}"#, rucs.join("\",\"")))?;
        let list = started.elapsed().as_secs_f64();
        eprintln!("pair {pair}: a list {:.2} ms, single calls {:.2} ms", list * 1e3, single * 1e3);
        if pair > 0 {
            ratios.push(list / single);
        }
    }
    let what = "batch of 1,000 RUCs over HTTP ÷ 1,000 single calls, one connection, time";
    Ok(vec![Row::new(what, "≤ 0.05", spread(&ratios, 3), median(&ratios) <= 0.05)])
}

/// Makes one call, which must get a 200.
fn ask(connection: &mut BufReader<TcpStream>, token: &str, path: &str, body: &str) -> Result<(), Failure> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    connection.get_mut().write_all((head + body).as_bytes())?;
    let (mut status, mut length) = (String::new(), 0);
    connection.read_line(&mut status)?;
    loop {
        let mut line = String::new();
        connection.read_line(&mut line)?;
        let line = line.trim_end().to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(text) = line.strip_prefix("content-length: ") {
            length = text.parse()?;
        }
    }
    let mut body = vec![0; length];
    connection.read_exact(&mut body)?;
    if status.starts_with("HTTP/1.1 200") {
        return Ok(());
    }
    Err(format!("{path} answered {status}").into())
}
