//! A history says of every taxpayer what each edition of its record said, whatever happened in between.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use kuraka_domain::{Date, Ruc};
use kuraka_registry::dataset::{ANEXOS, Dataset, PADRON, RETENCION, SANCIONES, Value};
use kuraka_registry::history::History;
use kuraka_registry::{Edition, Import, rollback, update_records};

use crate::published::{company, published};
use crate::reliability::{figure, number};
use crate::workspace::{Dice, Workspace, date, windows_1252};

/// What varies of a company: name, status, condition, address, district.
type Companies = BTreeMap<u32, [u32; 5]>;

fn text(dataset: &Dataset, day: u32, companies: &Companies) -> Vec<u8> {
    if dataset.name != SANCIONES.name {
        let rows = companies.iter().map(|(&n, variant)| (n, vec![*variant])).collect();
        return crate::changes::replay::text(dataset, &rows);
    }
    let header = "FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|NUMERO_RESOLUCION|\
        ID_MOTIVO_INFRACCION|DE_MOTIVO_INFRACCION|\n";
    let rows = companies.iter().flat_map(|(&n, [rows, first, last, ..])| {
        (0..=rows % 3).map(move |row| {
            let until = if last % 3 == 0 { "-".to_owned() } else { format!("2031010{}", 1 + row) };
            let (cutoff, since, ruc) = (1 + day % 9, 1 + (first + row) % 7, company(n));
            format!("2026010{cutoff}|{ruc}|X|2025010{since}|{until}|R {row}|1|MOTIVO|\n")
        })
    });
    windows_1252(&(header.to_owned() + &rows.collect::<String>()))
}

/// What an edition says of its taxpayers, as far as a history has it.
fn said(edition: &Edition) -> BTreeMap<Ruc, String> {
    let value = |value: Value<'_>| if let Value::Date(date) = value { date.to_string() } else { String::new() };
    let say = |ruc| match edition.dataset().name {
        "padron" => format!("{:?}", edition.summary(ruc).unwrap().unwrap()),
        "sanciones" => {
            let places = ["desde", "hasta"].map(|field| SANCIONES.field(field).unwrap());
            let rows = edition.rows(ruc).unwrap();
            let mut rows: Vec<_> = rows.iter().map(|row| places.map(|place| value(row[place]))).collect();
            rows.sort();
            format!("{rows:?}")
        }
        _ => "present".to_owned(),
    };
    edition.rucs().map(Result::unwrap).map(|ruc| (ruc, say(ruc))).collect()
}

/// What the history says of one taxpayer in each of its editions.
fn told(history: &History, edition: &Edition, ruc: Ruc) -> Vec<Option<String>> {
    let at = history.place_of(edition).unwrap();
    let states: Vec<(usize, Option<String>)> = match edition.dataset().name {
        "padron" => {
            let states = history.summaries(edition, at, ruc).unwrap();
            states.into_iter().map(|(place, state)| (place, state.map(|state| format!("{state:?}")))).collect()
        }
        "sanciones" => {
            let states = history.rows(edition, at, ruc).unwrap().into_iter();
            let rows = |mut rows: Vec<Vec<Option<String>>>| {
                rows.sort();
                let cell = |cell: &Option<String>| cell.clone().unwrap_or_default();
                let rows: Vec<[String; 2]> = rows.iter().map(|row| [cell(&row[0]), cell(&row[1])]).collect();
                (!rows.is_empty()).then(|| format!("{rows:?}"))
            };
            states.map(|(place, state)| (place, rows(state))).collect()
        }
        _ => {
            let states = history.presence(edition, at, ruc).unwrap().into_iter();
            states.map(|(place, is_there)| (place, is_there.then(|| "present".to_owned()))).collect()
        }
    };
    let at_place = |place| states.iter().find(|(first, _)| *first <= place).unwrap().1.clone();
    (0..=at).map(at_place).collect()
}

/// The editions that lead to the current one: label and what they say.
type Record = Vec<(String, BTreeMap<Ruc, String>)>;

/// Fails unless the history has the last editions of the record, and says what they say, of every so many taxpayers.
/// Returns how many editions it has, and how many states of taxpayers were compared.
#[track_caller]
fn check(workspace: &Workspace, dataset: &'static Dataset, record: &Record, step: usize) -> (usize, usize) {
    let (history, edition) = (History::open(&workspace.registry(), dataset).unwrap(), workspace.edition(dataset));
    let at = history.place_of(&edition).unwrap();
    let labels: Vec<_> = history.editions()[..=at].iter().map(|edition| edition.label.clone()).collect();
    let record = &record[record.len() - labels.len()..];
    assert_eq!(labels, record.iter().map(|(label, _)| label.clone()).collect::<Vec<_>>());
    let mut compared = 0;
    let some = record.last().into_iter().chain(record.first()).flat_map(|(_, said)| said.keys());
    for ruc in some.copied().step_by(step).chain([company(99_999)]) {
        let expected: Vec<_> = record.iter().map(|(_, said)| said.get(&ruc).cloned()).collect();
        assert_eq!(told(&history, &edition, ruc), expected, "{ruc}");
        compared += expected.len();
    }
    (labels.len(), compared)
}

fn flip(path: &PathBuf, dice: &mut Dice) {
    let mut bytes = fs::read(path).unwrap();
    let at = dice.below(bytes.len());
    bytes[at] ^= 1 << dice.below(8);
    fs::write(path, bytes).unwrap();
}

#[test]
fn every_edition_of_a_random_record_is_told() {
    let mut compared = 0;
    for (seed, dataset) in [(1, &PADRON), (2, &RETENCION), (3, &SANCIONES), (4, &PADRON)] {
        let (workspace, mut dice) = (Workspace::new(), Dice(seed));
        let mut companies: Companies = (0..200).map(|n| (n * 3, [n, 0, n % 3, n, n])).collect();
        let (mut record, mut lengths) = (Record::new(), [0; 3]);
        for day in 0..number("DAYS", 45) as u32 {
            for _ in 0..dice.below(20) {
                let variant = companies.entry(dice.below(900) as u32).or_insert([day, 1, 1, 1, 1]);
                variant[dice.below(5)] += 1 + dice.below(3) as u32;
                companies.remove(&(dice.below(900) as u32));
            }
            // Now and then the date is an earlier one.
            let date = Date::from_days_since_epoch(20_400 + day as i32 - dice.below(2) as i32 * 3);
            let request = Import { date, force: true, ..workspace.request(&text(dataset, day, &companies)) };
            let report = workspace.try_import(dataset, &request).unwrap();
            assert!(report.history_error.is_none(), "{:?}", report.history_error);
            record.push((report.label, said(&workspace.edition(dataset))));
            let mut checked = |record: &Record, step| {
                let (length, states) = check(&workspace, dataset, record, step);
                compared += states;
                length
            };
            lengths[0] = checked(&record, 29).max(lengths[0]);
            let path = workspace.folder(dataset).join("history.kuraka-history");
            match dice.below(12) {
                0 => flip(&path, &mut dice),
                1 => fs::remove_file(&path).unwrap(),
                2 => {
                    let oldest = workspace.change_lists(dataset).into_iter().take(3);
                    oldest.for_each(|list| fs::remove_file(list).unwrap());
                }
                3 if day % 40 == 0 => {
                    workspace.change_lists(dataset).last().into_iter().for_each(|list| flip(list, &mut dice))
                }
                4..6 => {
                    if let Ok(rolled_back) = rollback(&workspace.registry(), dataset) {
                        let to = record.iter().rposition(|(label, _)| *label == rolled_back.to).unwrap();
                        record.truncate(to + 1);
                        lengths[1] += 1;
                        checked(&record, 29);
                    }
                }
                _ => continue,
            }
            update_records(&workspace.registry(), dataset).unwrap();
            lengths[2] = checked(&record, 29).max(lengths[2]);
        }
        compared += check(&workspace, dataset, &record, 1).1;
        assert!(lengths[0] > 12 && lengths[1] > 3 && lengths[2] > 10, "{}: {lengths:?}", dataset.name);
    }
    let tried = format!("{compared} states of taxpayers on days of records with rollbacks, gaps and damage");
    figure("R18", &tried, "0 that differ from the edition of the day");
}

#[test]
fn a_history_that_is_made_anew_says_the_same_as_an_extended_one() {
    let workspace = Workspace::new();
    let mut record = Record::new();
    for day in 1..=9 {
        let companies: Companies =
            (0..3_000).filter(|n| n % 1_700 != day).map(|n| (n, [n, u32::from(n % 60 == day), 0, 0, day])).collect();
        workspace.import_on(&PADRON, day as u8, &text(&PADRON, day, &companies));
        record.push((workspace.opened(&PADRON), said(&workspace.edition(&PADRON))));
    }
    assert_eq!(check(&workspace, &PADRON, &record, 1).0, 9);
    let path = History::path(&workspace.registry(), &PADRON);
    fs::remove_file(&path).unwrap();
    update_records(&workspace.registry(), &PADRON).unwrap();
    assert_eq!(check(&workspace, &PADRON, &record, 1).0, 9);
    let made = fs::read(&path).unwrap();
    update_records(&workspace.registry(), &PADRON).unwrap();
    assert!(fs::read(&path).unwrap() == made, "it was up to date");
}

#[test]
fn a_rollback_to_an_edition_that_the_history_lacks_extends_it() {
    let workspace = Workspace::new();
    let mut record = Record::new();
    for day in 1..=3 {
        let companies: Companies = (0..40).map(|n| (n, [n, day, 0, 0, day])).collect();
        workspace.import_on(&PADRON, day as u8, &text(&PADRON, day, &companies));
        record.push((workspace.opened(&PADRON), said(&workspace.edition(&PADRON))));
    }
    workspace.change_lists(&PADRON).iter().for_each(|list| fs::remove_file(list).unwrap());
    update_records(&workspace.registry(), &PADRON).unwrap();
    assert_eq!(check(&workspace, &PADRON, &record, 1).0, 1);
    rollback(&workspace.registry(), &PADRON).unwrap();
    record.pop();
    // The edition of the third day is left out, although a list leads from it.
    assert_eq!(check(&workspace, &PADRON, &record, 1).0, 1);
    update_records(&workspace.registry(), &PADRON).unwrap();
    assert_eq!(check(&workspace, &PADRON, &record, 1).0, 1);
}

#[test]
fn a_dataset_without_a_history_has_no_file() {
    let workspace = Workspace::new();
    workspace.import(&ANEXOS, &published(&ANEXOS, [(1, 1)]));
    assert!(!History::path(&workspace.registry(), &ANEXOS).exists());
}

#[test]
fn twelve_monthly_files_are_imported_in_order_without_force() {
    let workspace = Workspace::new();
    let mut companies: Companies = (0..4_000).map(|n| (n, [n, 0, 0, 0, 0])).collect();
    for month in 1..=12 {
        // In a month 9 % of the taxpayers change, 1 % are new and 1 % are gone.
        for n in 0..4_000 {
            match (n + month * 37) % 100 {
                0..9 => companies.entry(n).and_modify(|variant| variant[2] += 1).or_default(),
                9 => companies.entry(n + 5_000 * month).or_default(),
                _ => continue,
            };
        }
        companies.retain(|n, _| (n + month * 11) % 100 != 0);
        let date = date(&format!("2025-{month:02}-28"));
        let request = Import { date: Some(date), ..workspace.request(&text(&PADRON, month, &companies)) };
        workspace.try_import(&PADRON, &request).unwrap();
    }
    let history = History::open(&workspace.registry(), &PADRON).unwrap();
    assert_eq!(history.editions().len(), 12);
    assert_eq!(history.editions()[0].date, date("2025-01-28"));
}
