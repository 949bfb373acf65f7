//! A lookup with decoding compared with SQLite's prepared statement.

use std::process::Command;

use crate::padron::Padron;
use crate::program::{figure, figures};
use crate::{Bench, Failure, Row};

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let folder = bench.scratch.join("data").join("registry");
    let database = bench.scratch.join("padron.sqlite");
    let mut sqlite = Command::new(bench.peers.join("sqlite"));
    let sqlite = figures(sqlite.arg(&padron.text).arg(&database).arg("500000"))?;
    let ours = figures(Command::new(bench.release.join("examples").join("measure")).arg("lookup").arg(&folder))?;
    let _ = std::fs::remove_file(&database);
    let (p50, p99) = (figure(&ours, "lookup_p50_nanoseconds")?, figure(&ours, "lookup_p99_nanoseconds")?);
    let sqlite_p50 = figure(&sqlite, "p50_ns")?;
    Ok(vec![
        Row::new("lookup with decode, warm: p50", "≤ 0.6 µs", format!("{:.2} µs", p50 / 1e3), p50 <= 600.0),
        Row::new("lookup with decode, warm: p99", "≤ 1.5 µs", format!("{:.2} µs", p99 / 1e3), p99 <= 1500.0),
        Row::new(
            "SQLite prepared statement ÷ lookup, p50",
            "≥ 10",
            format!("{:.1} ({:.2} µs)", sqlite_p50 / p50, sqlite_p50 / 1e3),
            sqlite_p50 / p50 >= 10.0,
        ),
    ])
}
