//! `POST /ruc` with accounts and usage in PostgreSQL compared with SQLite: what the shared store costs a call. The two
//! are measured in turn. PostgreSQL runs on this machine, started by `tests/postgres.sh`.

use crate::padron::Padron;
use crate::{Bench, Failure, Row, http, median, serve, spread};

const SECONDS: &str = "4s";

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let (sqlite, postgres) = (Vec::new(), vec![("STORE__URL".to_owned(), serve::postgres()?)]);
    let tokens = [http::token_in(bench, &sqlite)?, http::token_in(bench, &postgres)?];
    let mut ratios = Vec::new();
    for pair in 1..=bench.pairs {
        let mut per_second = [0.0; 2];
        for ((settings, token), found) in [&sqlite, &postgres].into_iter().zip(&tokens).zip(&mut per_second) {
            let server = serve::start_with(bench, settings)?;
            http::load(&server, serve::API, "1s", token, &padron.rucs)?;
            *found = http::load(&server, serve::API, SECONDS, token, &padron.rucs)?.per_second;
        }
        let [sqlite, postgres] = per_second;
        eprintln!("pair {pair}: SQLite {sqlite:.0}/s, PostgreSQL {postgres:.0}/s");
        ratios.push(postgres / sqlite);
    }
    Ok(vec![Row::new(
        "`POST /ruc` with PostgreSQL ÷ with SQLite, a large plan",
        "≥ 0.95",
        spread(&ratios, 2),
        median(&ratios) >= 0.95,
    )])
}
