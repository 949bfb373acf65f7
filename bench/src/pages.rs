//! Reading SUNAT's page compared with BeautifulSoup and lxml.

use std::process::Command;

use crate::program::{figure, figures};
use crate::{Bench, Failure, Row, median, spread};

/// A recorded page of a public body, and its RUC.
const PAGE: &str = "crates/adapters/fixtures/sunat_portal/regional_government/response.html";
const RUC: &str = "20440374248";

pub fn measure(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let python = python(bench)?;
    let (mut micros, mut soup, mut lxml) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..bench.pairs {
        let ours = figures(Command::new(bench.release.join("examples").join("read_page")).args([PAGE, RUC]))?;
        let theirs = figures(Command::new(&python).args(["bench/read_page.py", PAGE]))?;
        let ours = figure(&ours, "micros")?;
        micros.push(ours);
        soup.push(figure(&theirs, "soup_lxml")?.min(figure(&theirs, "soup_html_parser")?) / ours);
        lxml.push(figure(&theirs, "lxml")? / ours);
    }
    Ok(vec![
        Row::new(
            "the page read into a record",
            "≤ 350 µs",
            format!("{} µs", spread(&micros, 0)),
            median(&micros) <= 350.0,
        ),
        Row::new("BeautifulSoup (its faster parser) ÷ that", "≥ 15", spread(&soup, 1), median(&soup) >= 15.0),
        Row::new("lxml ÷ that", "–", spread(&lxml, 2), true),
    ])
}

/// A Python with the two libraries, installed if missing.
fn python(bench: &Bench) -> Result<std::path::PathBuf, Failure> {
    let folder = bench.scratch.join("python");
    let python = folder.join("bin").join("python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "beautifulsoup4", "lxml"]))?;
    }
    Ok(python)
}

fn run(command: &mut Command) -> Result<(), Failure> {
    if command.status()?.success() { Ok(()) } else { Err(format!("{command:?} failed").into()) }
}
