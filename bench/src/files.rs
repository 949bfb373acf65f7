//! `kuraka lookup --file` of a million rows, beside the same join by SQLite and DuckDB. Each writes every row of the file
//! with the taxpayer's eight fields, in order, from CSV to CSV.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::padron::Padron;
use crate::{Bench, Failure, Row, median, program, serve, spread};

/// Rows of the file.
const ROWS: usize = 1_000_000;
/// Every so many rows have a RUC that does not exist, or none.
const UNKNOWN: usize = 50;
/// The columns that a lookup adds.
const COLUMNS: &str = "nombre_o_razon_social,estado,condicion,direccion,departamento,es_agente_de_retencion,\
    es_buen_contribuyente";

/// A program that does the same join, and its version.
struct Peer {
    name: &'static str,
    version: String,
    /// Imports the taxpayers in this CSV.
    load: Command,
    /// Joins, and prints its seconds.
    join: Command,
    /// The result of the join.
    out: PathBuf,
}

pub fn measure(bench: &Bench, padron: &Padron) -> Result<Vec<Row>, Failure> {
    let folder = bench.scratch.join(format!("files-{}", bench.rows));
    fs::create_dir_all(&folder)?;
    let companies = folder.join("companies.csv");
    write_companies(padron, &companies)?;
    let (mut ours, rows) = (Vec::new(), ROWS as f64 / 1e6);
    for _ in 0..=bench.pairs {
        ours.push(rows / look_up(bench, &companies, &folder.join("kuraka.csv"))?);
    }
    // The first run warms up.
    ours.remove(0);
    let found_by_us = companies_of(&folder.join("kuraka.csv"))?;
    let mut found = vec![Row::new(
        "`kuraka lookup --file`, 1,000,000 rows, CSV to CSV",
        "≥ 0.5 M rows/s",
        format!("{} M rows/s", spread(&ours, 2)),
        median(&ours) >= 0.5,
    )];
    let taxpayers = folder.join("taxpayers.csv");
    for peer in [sqlite, duckdb] {
        match peer(&folder, &companies) {
            Ok(mut peer) => {
                if !taxpayers.exists() {
                    all_taxpayers(bench, padron, &taxpayers)?;
                }
                program::run(&mut peer.load)?;
                let mut theirs = Vec::new();
                for _ in 0..=bench.pairs {
                    let seconds: f64 = program::printed(&mut peer.join)?.parse()?;
                    theirs.push(rows / seconds);
                }
                theirs.remove(0);
                if companies_of(&peer.out)? != found_by_us {
                    return Err(format!("{} finds other taxpayers", peer.name).into());
                }
                let what = format!("the same join by {} {}", peer.name, peer.version);
                found.push(Row::new(what, "–", format!("{} M rows/s", spread(&theirs, 2)), true));
            }
            Err(error) => {
                eprintln!("a peer is left out: {error}");
                found.push(Row::new(format!("the same join: left out, {error}"), "–", "–", true));
            }
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok(found)
}

/// A file of people: an id, a RUC in random order, and a note.
fn write_companies(padron: &Padron, path: &Path) -> Result<(), Failure> {
    let mut rucs = Vec::new();
    for line in BufReader::with_capacity(1 << 20, File::open(&padron.text)?).split(b'\n').skip(1) {
        let line = line?;
        rucs.extend(line.get(..11).and_then(|ruc| std::str::from_utf8(ruc).ok()?.parse::<u64>().ok()));
    }
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "id,ruc,nota")?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for id in 0..ROWS {
        // Xorshift: the same rows in every run.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let ruc = rucs.get(state as usize % rucs.len()).ok_or("the padrón is empty")?;
        match id % UNKNOWN {
            0 => writeln!(out, "{id},20999999990,\"no existe, quizás\"")?,
            1 => writeln!(out, "{id},2010011922,corto")?,
            _ => writeln!(out, "{id},{ruc},nota {id}")?,
        }
    }
    Ok(out.flush()?)
}

/// The seconds of a lookup of a file.
fn look_up(bench: &Bench, file: &Path, out: &Path) -> Result<f64, Failure> {
    let mut command = serve::command(bench, &[], &["lookup", "--column", "ruc", "--file"]);
    command.arg(file).stdout(File::create(out)?).stderr(Stdio::null());
    let started = std::time::Instant::now();
    if !command.status()?.success() {
        return Err("kuraka lookup --file failed".into());
    }
    Ok(started.elapsed().as_secs_f64())
}

/// Every taxpayer with the fields that a lookup adds.
fn all_taxpayers(bench: &Bench, padron: &Padron, path: &Path) -> Result<(), Failure> {
    let rucs = path.with_extension("rucs");
    let cut =
        format!("echo ruc > '{1}' && tail -n +2 '{0}' | cut -c 1-11 >> '{1}'", padron.text.display(), rucs.display());
    program::run(Command::new("sh").args(["-c", &cut]))?;
    look_up(bench, &rucs, path)?;
    Ok(fs::remove_file(rucs)?)
}

/// The rows of a result, and how many of them have an active taxpayer.
fn companies_of(path: &Path) -> Result<[usize; 2], Failure> {
    let (mut rows, mut active) = (0, 0);
    for line in BufReader::with_capacity(1 << 20, File::open(path)?).lines() {
        rows += 1;
        active += usize::from(line?.contains(",ACTIVO,"));
    }
    Ok([rows, active])
}

fn script(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    // A command of sqlite3 begins its line.
    fs::write(&path, text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n"))?;
    Ok(path)
}

fn sqlite(folder: &Path, companies: &Path) -> Result<Peer, Failure> {
    let version = program::printed(Command::new("sqlite3").arg("--version"))?;
    let version = version.split(' ').next().unwrap_or_default().to_owned();
    let (companies, taxpayers) = (companies.display(), folder.join("taxpayers.csv"));
    let columns = COLUMNS.replace(',', " TEXT, ");
    // Filled without an index: the RUCs are not sorted.
    let load = format!(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        CREATE TABLE all_taxpayers (ruc INTEGER, resultado TEXT, mensaje TEXT, {columns} TEXT);
        .import --csv --skip 1 {} all_taxpayers
        CREATE TABLE taxpayers (ruc INTEGER PRIMARY KEY, {columns} TEXT);
        INSERT OR IGNORE INTO taxpayers SELECT ruc, {COLUMNS} FROM all_taxpayers WHERE resultado = 'found' ORDER BY ruc;
        DROP TABLE all_taxpayers;",
        taxpayers.display()
    );
    let join = format!(
        "PRAGMA mmap_size = 17179869184; PRAGMA temp_store = MEMORY; ATTACH ':memory:' AS m;
        CREATE TABLE m.companies (id TEXT, ruc TEXT, nota TEXT);
        .import --csv --skip 1 --schema m {companies} companies
        .headers on
        .mode csv
        .output {}
        SELECT c.id, c.ruc, c.nota, {COLUMNS} FROM m.companies c
        LEFT JOIN taxpayers t ON t.ruc = CAST(c.ruc AS INTEGER) ORDER BY c.rowid;",
        folder.join("sqlite.csv").display()
    );
    let (load, join) = (script(folder, "load.sql", &load)?, script(folder, "join.sql", &join)?);
    let database = folder.join("sqlite.db");
    let _ = fs::remove_file(&database);
    let run = |script: &Path| format!("sqlite3 '{}' < '{}' > /dev/null", database.display(), script.display());
    let timed = format!("s=$(date +%s%N); {} && echo $(($(date +%s%N) - s)) | sed 's/.........$/.&/'", run(&join));
    let (mut loading, mut joining) = (Command::new("sh"), Command::new("sh"));
    loading.args(["-c", &run(&load)]);
    joining.args(["-c", &timed]);
    Ok(Peer { name: "SQLite", version, load: loading, join: joining, out: folder.join("sqlite.csv") })
}

fn duckdb(folder: &Path, companies: &Path) -> Result<Peer, Failure> {
    let python = folder.join("python").join("bin").join("python");
    program::run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("python")))?;
    program::run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "duckdb"]))?;
    let version = program::printed(Command::new(&python).args(["-c", "import duckdb; print(duckdb.__version__)"]))?;
    let (database, taxpayers) = (folder.join("duck.db"), folder.join("taxpayers.csv"));
    let _ = fs::remove_file(&database);
    let load = format!(
        "import duckdb
duckdb.connect('{}').execute(\"\"\"CREATE TABLE taxpayers AS SELECT DISTINCT ON (ruc) ruc, {COLUMNS}
FROM read_csv('{}', all_varchar = true) WHERE resultado = 'found' ORDER BY ruc\"\"\")",
        database.display(),
        taxpayers.display()
    );
    let join = format!(
        "import duckdb, time
database, start = duckdb.connect('{}', read_only = True), time.time()
database.execute(\"\"\"COPY (SELECT c.*, t.* EXCLUDE ruc FROM read_csv('{}', all_varchar = true) c
LEFT JOIN taxpayers t ON t.ruc = c.ruc) TO '{}' (HEADER)\"\"\")
print(time.time() - start)",
        database.display(),
        companies.display(),
        folder.join("duckdb.csv").display()
    );
    let (mut loading, mut joining) = (Command::new(&python), Command::new(&python));
    loading.arg(script(folder, "load.py", &load)?);
    joining.arg(script(folder, "join.py", &join)?);
    Ok(Peer { name: "DuckDB", version, load: loading, join: joining, out: folder.join("duckdb.csv") })
}
