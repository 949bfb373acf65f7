//! Times the reading of one kept page of the tax authority, for the benchmark table: `read_page FILE RUC`.
//!
//! Prints `bytes` and `micros` (the median of many readings, from the bytes to the finished record).
#![allow(clippy::print_stdout, reason = "a program that prints figures")]
#![allow(clippy::disallowed_methods, reason = "a measurement reads the clock")]

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use kuraka_adapters::sources::sunat_portal::read;
use kuraka_domain::Ruc;

/// Readings timed, after as many that warm up.
const READINGS: usize = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, ruc] = arguments.as_slice() else { return Err("usage: read_page FILE RUC".into()) };
    let (page, ruc) = (std::fs::read(file)?, Ruc::parse(ruc)?);
    let mut micros = Vec::with_capacity(2 * READINGS);
    for _ in 0..2 * READINGS {
        let start = Instant::now();
        let record = black_box(read(black_box(&page), None, ruc))?;
        micros.push(start.elapsed().as_secs_f64() * 1e6);
        if record.is_none() {
            return Err("the page holds no record".into());
        }
    }
    let mut timed = micros.split_off(READINGS);
    timed.sort_by(f64::total_cmp);
    println!("bytes {}", page.len());
    println!("micros {:.1}", timed.get(READINGS / 2).copied().unwrap_or_default());
    Ok(())
}
