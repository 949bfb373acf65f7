//! Figures of the history for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure_history FOLDER DAYS PADRON NEXT_PADRON   makes DAYS lists, and imports both padrones in turn for ten more
//! measure_history update FOLDER                    brings the history up to date, and prints its time and memory
//! measure_history lookup FOLDER                    compares lookups for a day with lookups of today
//! ```
//!
//! The made lists change 0.6 % of the taxpayers of the first edition a day, each by chance, as a day's real list does:
//! half of the changes are of status or condition.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use kuraka_domain::{Date, Ruc};
use kuraka_measure::{Figures, Random, StageClock, latencies, median, peak, share};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::history::History;
use kuraka_registry::{Edition, Import, NoProgress, SourceFile, import, open_current, row_id_of, update_records};
use serde_json::json;

/// Taxpayers that change in a day, in ten-thousandths.
const CHANGED: usize = 60;
/// Lookups measured, each on its own.
const CALLS: usize = 300_000;
/// Editions that are imported after the made lists.
const IMPORTS: u32 = 10;

fn main() -> Figures {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["update", folder] => {
            let start = Instant::now();
            update_records(Path::new(folder), &PADRON)?;
            println!("update_seconds {:.3}", start.elapsed().as_secs_f64());
            println!("update_peak {}", peak()?);
            Ok(())
        }
        ["lookup", folder] => lookups(Path::new(folder)),
        [folder, days, padron, next] => lists(Path::new(folder), days.parse()?, padron, next),
        _ => Err("usage: measure_history FOLDER DAYS PADRON NEXT_PADRON | update FOLDER | lookup FOLDER".into()),
    }
}

fn lists(folder: &Path, days: u32, padron: &str, next: &str) -> Figures {
    let request =
        |source, date| Import { date: Some(date), force: true, ..Import::new(SourceFile::local(source), date) };
    let date = |day: u32| Date::from_days_since_epoch(20_000 + day as i32).ok_or("no date");
    if open_current(folder, &PADRON)?.edition.is_none() {
        import(folder, &PADRON, &request(padron, date(days)?), &NoProgress)?;
    }
    let edition = open_current(folder, &PADRON)?.edition.ok_or("no edition")?;
    make(folder, &edition, days)?;
    drop(edition);
    own("update", folder)?;
    println!("made_bytes {}", size(folder)?);
    for nth in 1..=IMPORTS {
        let (start, clock) = (Instant::now(), StageClock::default());
        let source = if nth % 2 == 1 { next } else { padron };
        let before = fs::read(History::path(folder, &PADRON))?;
        let report = import(folder, &PADRON, &request(source, date(days + nth)?), &clock)?;
        let (all, publication) = (start.elapsed().as_secs_f64(), clock.publication().unwrap_or_default());
        if let Some(error) = report.history_error {
            return Err(error.into());
        }
        let (recorded, bytes) = report.changes.map_or((0, 0), |changes| (changes.counts.total(), changes.bytes));
        println!("changes {recorded} list_bytes {bytes} import_seconds {all:.3}");
        println!("publication_to_rest {:.4}", publication / (all - publication));
        if let Some(changes) = clock.changes() {
            println!("changes_to_rest {:.4}", changes / (all - changes));
        }
        if nth == IMPORTS {
            // The same extension once more, in a process of its own.
            fs::write(History::path(folder, &PADRON), before)?;
            own("update", folder)?;
        }
    }
    println!("history_bytes {} edition_bytes {}", size(folder)?, edition_size(folder)?);
    println!("history_to_edition {:.3}", size(folder)? as f64 / edition_size(folder)? as f64);
    own("lookup", folder)
}

fn lookups(folder: &Path) -> Figures {
    let edition = open_current(folder, &PADRON)?.edition.ok_or("no edition")?;
    let history = History::open(folder, &PADRON)?;
    let at = history.place_of(&edition).ok_or("the history does not lead to the edition")?;
    let rucs = edition.rucs().collect::<Result<Vec<_>, _>>()?;
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut ratios = Vec::new();
    for run in 0..6 {
        let keys: Vec<(Ruc, usize)> =
            (0..CALLS).filter_map(|_| Some((*rucs.get(random.below(rucs.len()))?, random.below(at + 1)))).collect();
        let today = latencies(&keys, |(ruc, _)| {
            black_box(edition.summary(ruc)?);
            Ok(())
        })?;
        let on_day = latencies(&keys, |(ruc, day)| {
            let states = history.summaries(&edition, at, ruc).map_err(|error| error.to_string())?;
            black_box(states.iter().find(|(first, _)| *first <= day));
            Ok(())
        })?;
        let (now, then) = (share(&today, 0.5), share(&on_day, 0.5));
        if run > 0 {
            println!("today_nanoseconds {now} on_day_nanoseconds {then} ratio {:.2}", then / now);
            ratios.push(then / now);
        }
    }
    println!("on_day_to_today {:.2}", median(ratios));
    Ok(())
}

/// Runs this program with other arguments, so that its memory is its own.
fn own(what: &str, folder: &Path) -> Figures {
    let status = Command::new(std::env::current_exe()?).arg(what).arg(folder).status()?;
    if status.success() { Ok(()) } else { Err(what.to_owned().into()) }
}

fn size(folder: &Path) -> Result<u64, Box<dyn Error>> {
    Ok(fs::metadata(History::path(folder, &PADRON))?.len())
}

fn edition_size(folder: &Path) -> Result<u64, Box<dyn Error>> {
    let kept = kuraka_registry::editions(folder, &PADRON)?;
    Ok(kept.into_iter().find(|edition| edition.current).map_or(0, |edition| edition.bytes))
}

/// Writes the lists of so many days before the edition, as the format's page describes them.
fn make(folder: &Path, edition: &Edition, days: u32) -> Figures {
    let mut rucs = edition.rucs().collect::<Result<Vec<_>, _>>()?;
    rucs.sort_unstable_by_key(|ruc| row_id_of(*ruc));
    let history = History::open(folder, &PADRON)?;
    let last = &history.editions().last().ok_or("no edition")?;
    let identity = |day: u32| if day == days { last.identity.clone() } else { format!("{day:064x}") };
    let label = |day: u32| -> Result<(String, Date), Box<dyn Error>> {
        let date = Date::from_days_since_epoch(20_000 + day as i32).ok_or("no date")?;
        Ok((if day == days { last.label.clone() } else { format!("{date}-{day:08x}") }, date))
    };
    let changes = folder.join("padron/changes");
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    // Going backwards: a taxpayer that is new on a day has no change before it.
    let mut absent: HashSet<u32> = HashSet::new();
    for day in (1..=days).rev() {
        let mut chosen: Vec<usize> = (0..rucs.len() * CHANGED / 10_000).map(|_| random.below(rucs.len())).collect();
        chosen.sort_unstable();
        chosen.dedup();
        let (mut rows, mut counts) = (Vec::new(), [0_u64; 3]);
        for place in chosen {
            let Some(&ruc) = rucs.get(place) else { continue };
            let id = row_id_of(ruc);
            if absent.contains(&id) {
                continue;
            }
            let mut change = Vec::new();
            // As a real day: 40 % new, 50 % status or condition, 8 % address, 2 % name.
            match random.below(100) {
                0..40 => {
                    change.push(0);
                    absent.insert(id);
                    counts[0] += 1;
                }
                what => {
                    let summary = edition.summary(ruc)?.ok_or("a taxpayer is missing")?;
                    // Each has a text of its own before, as in a real list.
                    let (field, before, after) = match what {
                        40..65 => (1, "BAJA DE OFICIO".to_owned(), summary.status.as_str()),
                        65..90 => (2, "NO HABIDO".to_owned(), summary.condition.as_str()),
                        90..98 => (3, summary.address, "JR. LOS EJEMPLOS NRO. 123 INT. 4 URB. LAS FLORES"),
                        _ => (0, summary.name, "EMPRESA INVENTADA DEL NORTE S.A.C."),
                    };
                    push(&mut change, 1 << 2 | 2);
                    push(&mut change, field);
                    for text in [&before, after] {
                        push(&mut change, text.len() as u32);
                        change.extend_from_slice(text.as_bytes());
                    }
                    counts[2] += 1;
                }
            }
            rows.push((id, change));
        }
        let ((from, from_date), (to, to_date)) = (label(day - 1)?, label(day)?);
        let facts = json!({
            "dataset": "padron",
            "from": {"number": day, "label": from, "date": from_date, "identity": identity(day - 1), "taxpayers": rucs.len()},
            "to": {"number": day + 1, "label": to, "date": to_date, "identity": identity(day), "taxpayers": rucs.len()},
            "fields": ["nombre_o_razon_social", "estado", "condicion", "direccion", "ubigeo"],
            "counts": {"new": counts[0], "gone": 0, "changed": counts[2]},
            "is_rollback": false,
            "gap": null,
        });
        fs::write(
            changes.join(format!("{:06}-{from}..{to}.kuraka-changes", day + 1)),
            list(&rows, &facts.to_string())?,
        )?;
    }
    fs::write(folder.join("padron/CURRENT"), format!("{} {}\n", last.label, days + 1))?;
    Ok(())
}

/// The file of a list with these changes.
fn list(rows: &[(u32, Vec<u8>)], facts: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let (mut blocks, mut index, mut rest) = (Vec::new(), Vec::new(), rows);
    while let Some((first, _)) = rest.first() {
        let (mut keys, mut values, mut least) = (Vec::new(), Vec::new(), *first);
        let mut count = 0;
        for (id, change) in rest {
            if keys.len() + values.len() >= 8 << 10 {
                break;
            }
            push(&mut keys, id - least);
            push(&mut keys, change.len() as u32);
            values.extend_from_slice(change);
            (least, count) = (id + 1, count + 1);
        }
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::new(2));
        deflated.write_all(&values)?;
        let block = [&keys[..], &deflated.finish()?].concat();
        for number in [*first, keys.len() as u32, block.len() as u32, crc32fast::hash(&block)] {
            index.extend(number.to_le_bytes());
        }
        blocks.extend(block);
        rest = rest.get(count..).unwrap_or_default();
    }
    let tail = [&index[..], facts.as_bytes()].concat();
    let mut header = b"\x89KURCHG\n".to_vec();
    header.extend(4_u32.to_le_bytes());
    header.extend((index.len() as u32).to_le_bytes());
    header.extend((36 + (blocks.len() + tail.len()) as u64).to_le_bytes());
    header.extend((facts.len() as u32).to_le_bytes());
    header.extend(crc32fast::hash(&tail).to_le_bytes());
    let crc = crc32fast::hash(&header);
    header.extend(crc.to_le_bytes());
    Ok([&header, &*blocks, &*tail].concat())
}

fn push(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
