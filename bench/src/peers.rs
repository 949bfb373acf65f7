//! Kuraka beside services as a user would assemble them from a web framework and SQLite: the same rows, the same request
//! and the same fields in the answer, which is checked. Each has one worker on one core; they are loaded in turn.

mod install;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::padron::Padron;
use crate::program::{Beside, Ran};
use crate::{Bench, Failure, client, http, import, median, serve};

/// Time of each load.
const SECONDS: &str = "5s";
/// Answers that are compared, picked evenly from the RUCs of the load, and from each list.
const COMPARED: usize = 200;
const COMPARED_OF_LIST: usize = 20;
/// How long to wait for a peer to answer.
const MAX_WAIT: Duration = Duration::from_secs(30);

/// A service of the table.
struct Service {
    name: String,
    address: &'static str,
    import: Ran,
    disk: u64,
    server: Beside,
    loads: Vec<http::Load>,
}

/// Returns the table, and why each peer that it lacks could not be measured.
pub fn measure(bench: &Bench, padron: &Padron) -> Result<(String, Vec<String>), Failure> {
    let token = http::token(bench)?;
    let mut services = vec![kuraka(bench, padron)?];
    let sample = sample(padron)?;
    let (mut versions, mut missing) = (Vec::new(), Vec::new());
    for (name, install) in install::PEERS {
        let peer = install(bench).and_then(|peer| {
            eprintln!("{name}: importing …");
            let import = peer.load(padron, &token)?;
            eprintln!("{name}: imported in {:.0} s", import.seconds);
            let (disk, server) = (fs::metadata(peer.database())?.len(), peer.start()?);
            let service = Service { name: name.to_owned(), address: peer.address, import, disk, server, loads: vec![] };
            check(&service, &token, &sample)?;
            Ok((service, peer.version))
        });
        match peer {
            Ok((service, version)) => {
                services.push(service);
                versions.push(version);
            }
            Err(why) => {
                eprintln!("{name} is left out: {why}");
                missing.push(format!("{name}: {why}"));
            }
        }
    }
    let table = load(bench, padron, &token, &mut services).and_then(|()| table(&services, &versions, &missing));
    // The servers end before their databases go.
    drop(services);
    install::forget(bench);
    Ok((table?, missing))
}

fn kuraka(bench: &Bench, padron: &Padron) -> Result<Service, Failure> {
    let data = bench.scratch.join("peers").join("kuraka");
    let _ = fs::remove_dir_all(&data);
    let import = import::into(bench, padron, &data)?;
    let mut disk = import::index_bytes(&data, import::PADRON)?;
    for list in import::LISTS {
        disk += import::index_bytes(&data, list)?;
    }
    fs::remove_dir_all(&data)?;
    let server = serve::start(bench)?;
    Ok(Service { name: "**Kuraka**".to_owned(), address: serve::API, import, disk, server, loads: Vec::new() })
}

/// The RUCs whose answers are compared.
fn sample(padron: &Padron) -> Result<Vec<String>, Failure> {
    let asked = fs::read_to_string(&padron.rucs)?;
    let step = (asked.lines().count() / COMPARED).max(1);
    let mut rucs: Vec<String> = asked.lines().step_by(step).map(str::to_owned).collect();
    for list in [&padron.withholding, &padron.good_taxpayers] {
        // The lists end their lines with a carriage return.
        let lines = BufReader::new(fs::File::open(list)?).split(b'\r').skip(1).take(COMPARED_OF_LIST);
        for line in lines {
            rucs.push(String::from_utf8_lossy(line?.get(..11).unwrap_or_default()).into_owned());
        }
    }
    Ok(rucs)
}

/// Waits for a peer, and compares its answers with Kuraka's.
fn check(service: &Service, token: &str, rucs: &[String]) -> Result<(), Failure> {
    let first = rucs.first().ok_or("there is no RUC")?;
    let started = Instant::now();
    while let Err(why) = client::ask(service.address, token, first) {
        if started.elapsed() > MAX_WAIT {
            return Err(format!("it does not answer: {why}").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    for ruc in rucs {
        let (our_status, ours) = client::ask(serve::API, token, ruc)?;
        let (status, theirs) = client::ask(service.address, token, ruc)?;
        if status != our_status || !is_same(&ours, &theirs) {
            return Err(format!("it answers {status} {theirs}, and Kuraka {our_status} {ours}").into());
        }
    }
    match client::ask(service.address, "kur_not_this_one", first)? {
        (401, _) => Ok(()),
        (status, _) => Err(format!("it answers {status} to a wrong token").into()),
    }
}

/// Whether two answers agree in code and fields. The padrón cuts status and condition off after 20 characters: Kuraka
/// completes them, and a peer answers what is printed.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    let (Some(our_data), Some(their_data)) = (ours["data"].as_object(), theirs["data"].as_object()) else {
        return ours["code"] == theirs["code"] && ours["data"] == theirs["data"];
    };
    let is_same_field = |(name, ours): (&String, &Value)| match (name.as_str(), ours.as_str()) {
        ("estado" | "condicion", Some(ours)) => their_data
            .get(name)
            .and_then(Value::as_str)
            .is_some_and(|theirs| theirs == ours || theirs.chars().count() == 20 && ours.starts_with(theirs)),
        _ => their_data.get(name) == Some(ours),
    };
    ours["code"] == theirs["code"] && our_data.len() == their_data.len() && our_data.iter().all(is_same_field)
}

/// Loads the services in turn.
fn load(bench: &Bench, padron: &Padron, token: &str, services: &mut [Service]) -> Result<(), Failure> {
    let once = |service: &Service, time: &str| http::load(&service.server, service.address, time, token, &padron.rucs);
    for service in services.iter() {
        once(service, "2s")?;
    }
    for pair in 1..=bench.pairs {
        for service in services.iter_mut() {
            let found = once(service, SECONDS)?;
            eprintln!("round {pair}, {}: {:.0}/s, p99 {:.2} ms", service.name, found.per_second, found.p99_ms);
            service.loads.push(found);
        }
    }
    Ok(())
}

fn table(services: &[Service], versions: &[String], missing: &[String]) -> Result<String, Failure> {
    let mut text = String::from(
        "| | answers per second | p50 / p99 | memory, of it anonymous | import, peak memory | on disk |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for service in services {
        let of = |figure: fn(&http::Load) -> f64| median(&service.loads.iter().map(figure).collect::<Vec<_>>());
        text.push_str(&format!(
            "| {} | {} | {:.1} / {:.1} ms | {}, {} | {:.0} s, {} | {} |\n",
            service.name,
            grouped(of(|load| load.per_second)),
            of(|load| load.p50_ms),
            of(|load| load.p99_ms),
            mebibytes(service.server.resident_bytes()?),
            mebibytes(service.server.anonymous_bytes()?),
            service.import.seconds,
            mebibytes(service.import.peak_bytes),
            mebibytes(service.disk),
        ));
    }
    if !versions.is_empty() {
        text.push_str(&format!("\n{}. Imports were measured once.\n", versions.join("; ")));
    }
    for peer in missing {
        text.push_str(&format!("\nNot measured: {}.\n", peer.lines().next().unwrap_or_default()));
    }
    Ok(text)
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", grouped(bytes as f64 / f64::from(1 << 20)))
}

/// A whole number with its thousands apart.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The database of a peer with what SQLite keeps beside it.
fn remove_database(database: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut file = database.as_os_str().to_owned();
        file.push(suffix);
        let _ = fs::remove_file(file);
    }
}
