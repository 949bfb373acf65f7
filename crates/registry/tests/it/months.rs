//! The record of the open data's months: what it says of each company, whatever the form and the order of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use kuraka_domain::EditionOrigin;
use kuraka_registry::dataset::DATOS_ABIERTOS;
use kuraka_registry::history::HistoryError;
use kuraka_registry::months::{Month, MonthError, Months, add_file};
use kuraka_registry::{GuardError, Import, NoProgress, SourceFile, import, rollback, update_records};

use crate::published::company;
use crate::workspace::{Dice, Workspace, date, windows_1252, zip};

const STATES: [[&str; 2]; 5] = [
    ["ACTIVO", "HABIDO"],
    ["ACTIVO", "NO HABIDO"],
    ["BAJA PROVISIONAL POR OFICIO", "HABIDO"],
    ["SUSPENSIÓN TEMPORAL", "NO HALLADO"],
    ["", "PENDIENTE"],
];

/// The state of each company in one month's file.
type Companies = BTreeMap<u32, usize>;

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

/// A published file in one of its forms.
fn published(month: Month, companies: &Companies, form: usize) -> Vec<u8> {
    let delimiter = if form.is_multiple_of(3) { "|" } else { "," };
    let mut header: Vec<&str> = DATOS_ABIERTOS.columns.iter().map(|column| column.header).collect();
    let mut extra = ["-"; 11].to_vec();
    if form.is_multiple_of(4) {
        header.extend(["COLUMNA_NUEVA"]);
        extra.push("1");
    }
    let mut text = format!("{}\n10000000014{delimiter}ACTIVO\n", header.join(delimiter));
    for (&company_number, &state) in companies {
        let ([status, condition], ruc) = (STATES[state], company(company_number));
        let status = if status.is_empty() { "NO DISPONIBLE" } else { status };
        let compact = month.compact();
        let mut cells = vec![ruc.to_string(), status.to_owned(), condition.to_owned()];
        cells.extend(["-"; 12].map(str::to_owned));
        cells.push(compact);
        cells.extend(extra.get(11).map(|&cell| cell.to_owned()));
        let line = cells.join(delimiter) + "\n";
        text.push_str(&line.repeat(1 + usize::from(company_number.is_multiple_of(7))));
    }
    let bytes = match form % 2 {
        0 => format!("\u{feff}{text}").into_bytes(),
        _ => windows_1252(&text),
    };
    if form.is_multiple_of(5) { bytes } else { zip(&[(&format!("PadronRUC_{}.csv", month.compact()), &bytes)]) }
}

/// What the months say of a company, by the definition.
fn expected(months: &BTreeMap<Month, Companies>, company: u32) -> Vec<(Month, Option<[&'static str; 2]>)> {
    let mut states: Vec<(Month, Option<[&str; 2]>)> = Vec::new();
    for (&month, companies) in months {
        let state = companies.get(&company).map(|&state| STATES[state]);
        if states.last().is_none_or(|(_, last)| *last != state) {
            states.push((month, state));
        }
    }
    states
}

fn found(months: &Months, number: u32) -> Vec<(Month, Option<[&str; 2]>)> {
    let states = months.states(company(number)).unwrap();
    states.into_iter().map(|(month, state)| (month, state.map(|(status, condition)| [status, condition]))).collect()
}

fn add(registry: &Path, month: Month, bytes: &[u8]) -> Result<usize, MonthError> {
    add_with(registry, month, bytes, true)
}

fn add_with(registry: &Path, month: Month, bytes: &[u8], force: bool) -> Result<usize, MonthError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    add_file(registry, month, &path, force, &NoProgress)
}

/// Months with companies that come, change, go and come again.
fn some_months(count: u32) -> BTreeMap<Month, Companies> {
    let mut dice = Dice(5);
    let mut companies = Companies::new();
    let months = std::iter::successors(Some(Month::FIRST), |month| Some(month.next())).take(count as usize);
    let next = |month| {
        for _ in 0..60 {
            let company = dice.below(400) as u32;
            match dice.below(4) {
                0 => drop(companies.remove(&company)),
                _ => drop(companies.insert(company, dice.below(STATES.len()))),
            }
        }
        (month, companies.clone())
    };
    months.map(next).collect()
}

#[test]
fn months_in_any_form_and_order_say_what_each_file_said() {
    let months = some_months(23);
    let order: Vec<Month> = months.keys().copied().collect();
    let mut orders = vec![order.clone(), order.iter().rev().copied().collect()];
    // From the middle on, then the first half.
    orders.push([&order[11..], &order[..11]].concat());
    for (nth, order) in orders.into_iter().enumerate() {
        let work = Workspace::new();
        let mut known = BTreeMap::new();
        for (form, month) in order.into_iter().enumerate() {
            if form == 7 {
                // A month that was not published.
                continue;
            }
            let companies = &months[&month];
            let count = add(&work.registry(), month, &published(month, companies, form + nth)).unwrap();
            assert_eq!(count, companies.len(), "{month}, form {form}");
            known.insert(month, companies.clone());
        }
        let record = Months::open(&work.registry()).unwrap();
        assert_eq!(record.months().collect::<BTreeSet<_>>(), known.keys().copied().collect());
        for number in 0..400 {
            assert_eq!(found(&record, number), expected(&known, number), "{number}");
        }
    }
}

#[test]
fn a_month_that_is_read_again_is_replaced() {
    let (work, months) = (Workspace::new(), some_months(5));
    for (&month, companies) in &months {
        add(&work.registry(), month, &published(month, companies, 1)).unwrap();
    }
    let bytes = fs::read(Months::path(&work.registry())).unwrap();
    let (&third, companies) = months.iter().nth(2).unwrap();
    add(&work.registry(), third, &published(third, companies, 1)).unwrap();
    assert_eq!(fs::read(Months::path(&work.registry())).unwrap(), bytes, "the same file changes nothing");
    let mut other = months.clone();
    let companies: Companies = (100..300).map(|company| (company, 1)).collect();
    add(&work.registry(), third, &published(third, &companies, 1)).unwrap();
    other.insert(third, companies);
    let record = Months::open(&work.registry()).unwrap();
    for number in 0..400 {
        assert_eq!(found(&record, number), expected(&other, number), "{number}");
    }
}

#[test]
fn a_published_edition_adds_its_month() {
    let (work, months) = (Workspace::new(), some_months(3));
    let mut known = BTreeMap::new();
    for (&month, companies) in &months {
        let file = work.file(&format!("PadronRUC_{}.csv", month.compact()), &published(month, companies, 5));
        let source = SourceFile::local(&file);
        let request = Import { force: true, ..Import::new(source, date("2026-11-22")) };
        let report = import(&work.registry(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
        assert!(report.history_error.is_none(), "{:?}", report.history_error);
        known.insert(month, companies.clone());
        let record = Months::open(&work.registry()).unwrap();
        for number in 0..400 {
            assert_eq!(found(&record, number), expected(&known, number), "{number}");
        }
    }
    // The same file changes nothing.
    let bytes = fs::read(Months::path(&work.registry())).unwrap();
    let (&last, companies) = months.last_key_value().unwrap();
    add(&work.registry(), last, &published(last, companies, 5)).unwrap();
    assert_eq!(fs::read(Months::path(&work.registry())).unwrap(), bytes);
}

#[test]
fn a_rollback_takes_the_month_of_its_file_out() {
    let (work, mut months) = (Workspace::new(), some_months(4));
    let publish = |month: Month, companies: &Companies| {
        let file = work.file(&format!("PadronRUC_{}.csv", month.compact()), &published(month, companies, 5));
        let request = Import { force: true, ..Import::new(SourceFile::local(&file), date("2026-11-22")) };
        let report = import(&work.registry(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
        assert!(report.history_error.is_none(), "{:?}", report.history_error);
    };
    let is_told = |known: &BTreeMap<Month, Companies>| {
        let record = Months::open(&work.registry()).unwrap();
        assert!(record.months().eq(known.keys().copied()));
        (0..400).for_each(|number| assert_eq!(found(&record, number), expected(known, number), "{number}"));
    };
    let [(first, _), (second, _), (bad, _), (last, _)] = Vec::from_iter(months.clone()).try_into().unwrap();
    publish(first, &months[&first]);
    publish(bad, &months[&bad]);
    for month in [second, last] {
        add(&work.registry(), month, &published(month, &months[&month], 5)).unwrap();
    }
    is_told(&months);

    let companies = months.remove(&bad).unwrap();
    assert!(rollback(&work.registry(), &DATOS_ABIERTOS).unwrap().history_error.is_none());
    is_told(&months);
    let error = add_with(&work.registry(), bad, &published(bad, &companies, 5), false).unwrap_err();
    assert!(matches!(error, MonthError::Guard(GuardError::RolledBack { .. })), "{error}");
    is_told(&months);

    publish(bad, &companies);
    months.insert(bad, companies);
    is_told(&months);
    update_records(&work.registry(), &DATOS_ABIERTOS).unwrap();
    is_told(&months);
}

#[test]
fn a_rollback_to_the_same_file_keeps_its_month() {
    let (work, months) = (Workspace::new(), some_months(1));
    let (&month, companies) = months.first_key_value().unwrap();
    let file = work.file("PadronRUC_202208.csv", &published(month, companies, 5));
    for day in ["2022-09-05", "2022-09-06"] {
        let request = Import { date: Some(date(day)), ..Import::new(SourceFile::local(&file), date("2026-11-22")) };
        import(&work.registry(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
    }
    rollback(&work.registry(), &DATOS_ABIERTOS).unwrap();
    assert!(Months::open(&work.registry()).unwrap().months().eq([month]));
}

#[test]
fn a_sample_and_published_months_are_not_mixed() {
    let (work, months) = (Workspace::new(), some_months(2));
    let (&first, companies) = months.first_key_value().unwrap();
    let file = work.file("PadronRUC_202208.csv", &published(first, companies, 5));
    let source = SourceFile::local(&file);
    let request = Import { origin: EditionOrigin::Sample, ..Import::new(source, date("2026-11-22")) };
    import(&work.registry(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
    assert_eq!(Months::open(&work.registry()).unwrap().origin(), EditionOrigin::Sample);
    let (&last, companies) = months.last_key_value().unwrap();
    add(&work.registry(), last, &published(last, companies, 5)).unwrap();
    let record = Months::open(&work.registry()).unwrap();
    assert_eq!((record.origin(), record.months().collect::<Vec<_>>()), (EditionOrigin::Published, vec![last]));
    // Nothing else has published months.
    import(&work.registry(), &DATOS_ABIERTOS, &Import { force: true, ..request }, &NoProgress).unwrap();
    assert_eq!(Months::open(&work.registry()).unwrap().origin(), EditionOrigin::Published);
}

#[test]
fn a_file_of_another_month_or_another_dataset_is_refused() {
    let (work, months) = (Workspace::new(), some_months(1));
    let (&first, companies) = months.first_key_value().unwrap();
    let error = add(&work.registry(), month("2024-05"), &published(first, companies, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the file is not of 2024-05: {} of its companies are in other months", rows(companies))
    );
    for bytes in [&b"<html>"[..], b"", b"Ruc|Nombre/Razon|A partir del|Resolucion|\r"] {
        assert!(matches!(add(&work.registry(), first, bytes), Err(MonthError::Read(_))));
    }
    let whole = published(first, companies, 1);
    assert!(matches!(add(&work.registry(), first, &whole[..whole.len() - 30]), Err(MonthError::Read(_))));
    assert!(!Months::path(&work.registry()).exists());
}

#[test]
fn a_month_that_is_far_smaller_or_hardly_readable_needs_force() {
    let work = Workspace::new();
    let try_add = |text: &str, count, force| {
        let companies = (0..count).map(|company| (company, 0)).collect();
        add_with(&work.registry(), month(text), &published(month(text), &companies, 1), force)
    };
    try_add("2024-05", 200, false).unwrap();
    for text in ["2024-04", "2024-06"] {
        let error = try_add(text, 127, false).unwrap_err();
        assert_eq!(error.to_string(), "the file holds 127 rows, fewer than 64 % of the previous 200");
        assert_eq!(try_add(text, 128, false).unwrap(), 128);
    }
    assert_eq!(try_add("2024-07", 3, true).unwrap(), 3);
    let unreadable = "20100119227,ACTIVO\n".repeat(2_000).into_bytes();
    let companies = (0..200).map(|company| (company, 0)).collect();
    let bytes = [published(month("2024-08"), &companies, 5), unreadable].concat();
    let error = add_with(&work.registry(), month("2024-08"), &bytes, false).unwrap_err();
    assert!(matches!(error, MonthError::Guard(_)), "{error}");
    assert_eq!(Months::open(&work.registry()).unwrap().months().count(), 4);
}

/// Rows of a file; some are there twice.
fn rows(companies: &Companies) -> usize {
    companies.keys().map(|company| 1 + usize::from(company.is_multiple_of(7))).sum()
}

#[test]
fn a_record_with_a_changed_byte_is_refused_and_stays() {
    let (work, months) = (Workspace::new(), some_months(2));
    for (&month, companies) in &months {
        add(&work.registry(), month, &published(month, companies, 1)).unwrap();
    }
    let path = Months::path(&work.registry());
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert!(Months::open(&work.registry()).is_err());
    let (&first, companies) = months.first_key_value().unwrap();
    let file = published(first, companies, 5);
    let error = add(&work.registry(), first, &file).unwrap_err();
    assert!(matches!(error, MonthError::Record(HistoryError::Months { .. })), "{error:?}");
    let file = work.file("PadronRUC_202208.csv", &file);
    let request = Import::new(SourceFile::local(&file), date("2026-11-22"));
    let report = import(&work.registry(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
    let error = report.history_error.unwrap().to_string();
    assert!(error.contains("remove it and run `kuraka dataset backfill datos_abiertos`"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), damaged);
    fs::remove_file(&path).unwrap();
    for (&month, companies) in &months {
        add(&work.registry(), month, &published(month, companies, 1)).unwrap();
    }
    assert_eq!(fs::read(&path).unwrap(), whole);
}
