//! A list of 1,000 RUCs compared with 1,000 single calls, over HTTP on one connection.

use std::time::Instant;

use crate::client::Connection;
use crate::padron::Padron;
use crate::{Bench, Failure, Row, http, median, serve, spread};

/// RUCs of a list.
const RUCS: usize = 1_000;

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let token = http::token(bench)?;
    let _ours = serve::start(bench)?;
    let text = std::fs::read_to_string(&padron.rucs)?;
    let rucs: Vec<&str> = text.lines().collect();
    let mut connection = Connection::open(serve::API)?;
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
fn ask(connection: &mut Connection, token: &str, path: &str, body: &str) -> Result<(), Failure> {
    match connection.post(path, token, body)? {
        (200, _) => Ok(()),
        (status, _) => Err(format!("{path} answered {status}").into()),
    }
}
