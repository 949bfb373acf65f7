//! A lookup with decoding of random RUCs in process: one by one, and in batches of 1,000.

use std::process::Command;

use crate::padron::Padron;
use crate::program::{figure, figures};
use crate::{Bench, Failure, Row, median, spread};

pub fn measure(bench: &Bench, _: &Padron) -> Result<Vec<Row>, Failure> {
    let edition = bench.data().join("registry");
    let (mut p50, mut p99) = (Vec::new(), Vec::new());
    for _ in 0..bench.pairs {
        let found = figures(Command::new(bench.peers.join("measure")).arg("lookup").arg(&edition))?;
        p50.push(figure(&found, "lookup_p50_nanoseconds")? / 1e3);
        p99.push(figure(&found, "lookup_p99_nanoseconds")? / 1e3);
    }
    let mut batch = Command::new(bench.peers.join("measure_snapshot"));
    let batches = figures(batch.arg("batch").arg(&edition).arg(bench.pairs.to_string()))?;
    let share = |pair: usize| -> Result<f64, Failure> {
        let of = |name: &str| figure(&batches, &format!("pair_{pair}_{name}_micros"));
        Ok(of("batch")? / of("single")?)
    };
    let shares = (1..=bench.pairs).map(share).collect::<Result<Vec<_>, _>>()?;
    Ok(vec![
        Row::new(
            "batch of 1,000 RUCs in process ÷ the loop of single lookups",
            "≤ 0.65",
            spread(&shares, 2),
            median(&shares) <= 0.65,
        ),
        Row::new("lookup with decode, warm: p50", "≤ 0.6 µs", format!("{} µs", spread(&p50, 2)), median(&p50) <= 0.6),
        Row::new("lookup with decode, warm: p99", "≤ 1.5 µs", format!("{} µs", spread(&p99, 2)), median(&p99) <= 1.5),
    ])
}
