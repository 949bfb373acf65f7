//! A thousand accounts on the free plan compared with one account on a large plan, in each store. A call of a small
//! account leases a block of one query, so each call waits for a commit; a large account leases many queries at once.
//!
//! The accounts are made with the program's own commands, which stay valid when the schema of the store changes. They
//! are new in each run, so no account runs out of its 9,999 queries: a run uses about a thousand of them. If one did, a
//! call would be refused, and the run would fail.

use crate::padron::Padron;
use crate::serve::Settings;
use crate::{Bench, Failure, Row, http, median, serve, spread};

const ACCOUNTS: usize = 1_000;
const SECONDS: &str = "4s";

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let postgres = vec![("STORE__URL".to_owned(), serve::postgres()?)];
    let mut rows = Vec::new();
    for (store, settings, asked) in [("SQLite", Vec::new(), 0.5), ("PostgreSQL", postgres, 0.3)] {
        let (ratios, p99) = in_store(bench, padron, store, settings)?;
        let name = if store == "SQLite" { "SQLite" } else { "PostgreSQL that does not sync" };
        rows.push(Row::new(
            format!("1,000 accounts on the free plan ÷ one on a large plan, answers a second, {name}"),
            format!("≥ {asked}"),
            spread(&ratios, 2),
            median(&ratios) >= asked,
        ));
        if store == "SQLite" {
            rows.push(Row::new("their p99", "≤ 10 ms", format!("{} ms", spread(&p99, 1)), median(&p99) <= 10.0));
        }
    }
    Ok(rows)
}

/// The ratios and the small accounts' p99 in milliseconds.
fn in_store(
    bench: &Bench,
    padron: &Padron,
    store: &str,
    mut settings: Settings,
) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    for (key, value) in [("QUERIES", "9999"), ("RATE", "1000000"), ("BURST", "1000000")] {
        settings.push((format!("PLANS__FREE__{key}"), value.to_owned()));
    }
    let large = http::token_in(bench, &settings)?;
    let tokens = bench.scratch.join("tokens");
    eprintln!("making {ACCOUNTS} accounts in {store} …");
    serve::accounts(bench, &settings, "free", ACCOUNTS, &tokens)?;
    let small = format!("@{}", tokens.display());
    let server = serve::start_with(bench, &settings)?;
    let load = |token: &str, time: &str| http::load(&server, serve::API, time, token, &padron.rucs);
    load(&small, "2s")?;
    load(&large, "1s")?;
    let (mut ratios, mut p99) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let small = load(&small, SECONDS)?;
        let large = load(&large, SECONDS)?;
        eprintln!(
            "pair {pair}, {store}: 1,000 accounts {:.0}/s, p99 {:.1} ms; one account {:.0}/s, p99 {:.1} ms",
            small.per_second, small.p99_ms, large.per_second, large.p99_ms
        );
        ratios.push(small.per_second / large.per_second);
        p99.push(small.p99_ms);
    }
    Ok((ratios, p99))
}
