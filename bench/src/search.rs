//! Searches by name beside SQLite FTS5, and what the index of names costs: its share of the import and of the edition.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::padron::Padron;
use crate::program::{self, figure, figures};
use crate::{Bench, Failure, Row, median, spread};

/// The kinds of queries: the name that `measure_search` has for it, what it is, and the asked p50 and p99 in µs.
const KINDS: [(&str, &str, [f64; 2]); 3] = [
    ("prefix", "beginning of the name", [60.0, 3000.0]),
    ("two_words", "two words", [300.0, 3000.0]),
    ("rare_substring", "five letters inside of a word, rare", [300.0, 3000.0]),
];
/// Queries of each kind. The peers get the first hundred.
const QUERIES: &str = "1000";

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let folder = bench.scratch.join("search");
    fs::create_dir_all(&folder)?;
    let mut rows = costs(bench, padron, &folder)?;
    let mut search = Command::new(bench.peers.join("measure_search"));
    let ours = figures(search.arg(bench.data().join("registry")).arg(QUERIES).arg(&folder))?;
    for (kind, what, asked) in KINDS {
        let of = |share: &str| Ok::<_, Failure>(figure(&ours, &format!("{kind}_{share}_nanoseconds"))? / 1e3);
        let found = [of("p50")?, of("p99")?];
        rows.push(Row::new(
            format!("name search, {what}: p50 / p99"),
            format!("≤ {:.0} / {:.0} µs", asked[0], asked[1]),
            format!("{:.0} / {:.0} µs", found[0], found[1]),
            found[0] <= asked[0] && found[1] <= asked[1],
        ));
    }
    match beside(&folder) {
        Ok((what, found)) => rows.push(Row::new(what, "–", found, true)),
        Err(error) => {
            eprintln!("the peer is left out: {error}");
            rows.push(Row::new(format!("the same by SQLite: left out, {error}"), "–", "–", true));
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok(rows)
}

/// What the index of names costs.
fn costs(bench: &Bench, padron: &Padron, folder: &Path) -> Result<Vec<Row>, Failure> {
    let measure = || Command::new(bench.peers.join("measure"));
    let editions = [folder.join("with"), folder.join("without")];
    let import = |edition: &PathBuf, option: Option<&str>| -> Result<[f64; 2], Failure> {
        let _ = fs::remove_dir_all(edition);
        let found = figures(measure().arg("import").arg(edition).arg(&padron.zip).args(option))?;
        Ok([figure(&found, "import_seconds")?, figure(&found, "index_bytes")?])
    };
    let (mut builds, mut sizes) = (Vec::new(), Vec::new());
    for pair in 1..=bench.pairs {
        let [with, without] = [import(&editions[0], None)?, import(&editions[1], Some("without-names"))?];
        eprintln!("pair {pair}: import {:.2} s, without names {:.2} s", with[0], without[0]);
        builds.push((with[0] - without[0]) / with[0]);
        sizes.push((with[1] - without[1]) / with[1]);
    }
    let row = |what: &str, asked: f64, found: &[f64]| {
        Row::new(what, format!("≤ {asked}"), spread(found, 2), median(found) <= asked)
    };
    Ok(vec![row("index of names ÷ edition", 0.15, &sizes), row("build of the index of names ÷ import", 0.45, &builds)])
}

/// The row of SQLite: what it is, and its figures of each kind.
fn beside(folder: &Path) -> Result<(String, String), Failure> {
    let printed = program::printed(Command::new("python3").arg("bench/peers/search.py").arg(folder))?;
    let value = |name: &str| {
        let value = printed.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        value.ok_or_else(|| Failure::from(format!("the peer printed no {name}")))
    };
    let mut found = Vec::new();
    for (kind, ..) in KINDS {
        let micros = |share: &str| Ok::<_, Failure>(value(&format!("{kind}_{share}_microseconds"))?.parse::<f64>()?);
        found.push(format!("{:.0} / {:.0}", micros("p50")?, micros("p99")?));
    }
    let seconds: f64 = value("build_seconds")?.parse()?;
    let what = format!("the same three by {}, through Python; its index takes {seconds:.0} s", value("version")?);
    Ok((what, format!("{} µs", found.join(" · "))))
}
