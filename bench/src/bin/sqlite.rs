//! The SQLite peer: the padrón in a table of text columns with the RUC as its integer key, queried with a prepared
//! statement that decodes every column into a string. `sqlite PADRON DATABASE LOOKUPS`
//!
//! Prints `build_seconds`, `bytes`, `p50_ns` and `p99_ns` as lines `name value`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::Instant;

use rusqlite::{Connection, params_from_iter};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, padron, database, lookups] = arguments.as_slice() else {
        return Err("sqlite PADRON DATABASE LOOKUPS".into());
    };
    let lookups: usize = lookups.parse()?;
    let _ = std::fs::remove_file(database);
    let mut connection = Connection::open(database)?;
    connection.execute_batch("PRAGMA journal_mode = off; PRAGMA synchronous = off; PRAGMA mmap_size = 4294967296;")?;
    let started = Instant::now();
    let keys = build(&mut connection, padron)?;
    println!("build_seconds {:.3}", started.elapsed().as_secs_f64());
    println!("bytes {}", std::fs::metadata(database)?.len());
    let mut nanos = look_up(&connection, &keys, lookups)?;
    nanos.sort_unstable();
    println!("p50_ns {}", nanos[nanos.len() / 2]);
    println!("p99_ns {}", nanos[nanos.len() * 99 / 100]);
    Ok(())
}

fn build(connection: &mut Connection, padron: &str) -> Result<Vec<i64>, Failure> {
    let columns: Vec<String> = (1..15).map(|column| format!("c{column} TEXT")).collect();
    connection.execute_batch(&format!("CREATE TABLE padron (ruc INTEGER PRIMARY KEY, {})", columns.join(", ")))?;
    let transaction = connection.transaction()?;
    let mut keys = Vec::new();
    {
        let marks = vec!["?"; 15].join(", ");
        let mut insert = transaction.prepare(&format!("INSERT OR IGNORE INTO padron VALUES ({marks})"))?;
        let mut reader = BufReader::with_capacity(1 << 20, File::open(padron)?);
        let mut line = Vec::new();
        while {
            line.clear();
            reader.read_until(b'\n', &mut line)? > 0
        } {
            let (text, _, _) = encoding_rs::WINDOWS_1252.decode(line.trim_ascii_end());
            let fields: Vec<&str> = text.split('|').take(15).collect();
            if let (15, Ok(ruc)) = (fields.len(), fields[0].parse::<i64>()) {
                insert.execute(params_from_iter(fields))?;
                keys.push(ruc);
            }
        }
    }
    transaction.commit()?;
    Ok(keys)
}

fn look_up(connection: &Connection, keys: &[i64], lookups: usize) -> Result<Vec<u64>, Failure> {
    let mut select = connection.prepare("SELECT * FROM padron WHERE ruc = ?1")?;
    let mut state = 42_u64;
    let mut nanos = Vec::with_capacity(lookups);
    let mut total = 0;
    for round in 0..2 {
        nanos.clear();
        for _ in 0..lookups {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = keys[(state >> 33) as usize % keys.len()];
            let started = Instant::now();
            let row: Vec<String> = select.query_row([key], |row| (1..15).map(|column| row.get(column)).collect())?;
            nanos.push(started.elapsed().as_nanos() as u64);
            total += row[0].len() + round;
        }
    }
    std::hint::black_box(total);
    Ok(nanos)
}
