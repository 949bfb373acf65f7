//! Taxpayers on random days, compared with a replay of the editions: all datasets, with rollbacks, files of earlier days,
//! days without editions and lost lists of changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_app::{AgeLimits, HistoryError, LookupError, RegistryBatch};
use kuraka_domain::{Date, OnDay, Ruc, RucKind, TaxpayerSummary};
use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_ports::TaxpayerRegistry;
use kuraka_ports::fake::ManualClock;
use kuraka_registry::dataset::{
    BUENOS_CONTRIBUYENTES, Dataset, PADRON, PERCEPCION_COMBUSTIBLES, PERCEPCION_VENTA_INTERNA, RETENCION, SANCIONES,
    SSCO,
};
use kuraka_registry::{Import, NoProgress, SourceFile, import, open_current, rollback, update_records};
use tempfile::TempDir;

use super::reliability::{figure, number};

const DATASETS: [&Dataset; 7] = [
    &PADRON,
    &RETENCION,
    &BUENOS_CONTRIBUYENTES,
    &PERCEPCION_VENTA_INTERNA,
    &PERCEPCION_COMBUSTIBLES,
    &SSCO,
    &SANCIONES,
];
/// How long an edition covers the days after it.
const DAYS: [(&str, u32); 3] = [("padron", 7), ("ssco", 20), ("retencion", 12)];
/// Taxpayers that occur, companies and persons.
const TAXPAYERS: u32 = 60;
/// The first day of publications, and today.
const FIRST: &str = "2025-01-01";
const TODAY: &str = "2027-06-30";

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

fn taxpayer(number: u32) -> Ruc {
    let kind = if number.is_multiple_of(4) { RucKind::NaturalPerson } else { RucKind::LegalPerson };
    Ruc::from_parts(kind, 60_000_000 + number * 7).unwrap()
}

fn day(days: i32) -> Date {
    Date::from_days_since_epoch(days).unwrap()
}

fn days(date: &str) -> i32 {
    Date::parse(date).unwrap().days_since_epoch()
}

/// What an edition said: of the padrón the summaries, of others who had rows.
struct Said {
    date: Date,
    label: String,
    taxpayers: BTreeMap<Ruc, Option<TaxpayerSummary>>,
}

/// A dataset's publications that were not undone, and the first of them that the record reaches.
#[derive(Default)]
struct Record {
    said: Vec<Said>,
    first: usize,
}

impl Record {
    /// The edition that covers a day.
    fn on(&self, date: Date, dataset: &str, today: Date) -> Option<&Said> {
        let limit = DAYS.iter().find(|(name, _)| *name == dataset).map(|(_, days)| *days as i32);
        let mut known: Vec<&Said> = self.said[self.first..].iter().collect();
        known.sort_by_key(|said| said.date);
        let said = known.into_iter().rfind(|said| said.date <= date)?;
        let apart = date.days_since_epoch() - said.date.days_since_epoch();
        (date <= today && limit.is_none_or(|limit| apart <= limit)).then_some(said)
    }
}

struct Scene {
    folder: TempDir,
    random: Random,
    records: BTreeMap<&'static str, Record>,
}

impl Scene {
    fn registry(&self) -> PathBuf {
        self.folder.path().join("registry")
    }

    /// Publishes a random file of a day.
    fn publish(&mut self, dataset: &'static Dataset, date: Date) {
        let path = self.folder.path().join("published");
        fs::write(&path, file(dataset, &mut self.random)).unwrap();
        let request =
            Import { date: Some(date), force: true, ..Import::new(SourceFile::local(&path), day(days(TODAY))) };
        let report = import(&self.registry(), dataset, &request, &NoProgress).unwrap();
        assert!(report.history_error.is_none(), "{:?}", report.history_error);
        let edition = open_current(&self.registry(), dataset).unwrap().edition.unwrap();
        let said = |ruc: Ruc| (edition.count(ruc).unwrap() > 0).then(|| (ruc, edition.summary(ruc).unwrap()));
        let taxpayers = (0..TAXPAYERS).filter_map(|number| said(taxpayer(number))).collect();
        let said = Said { date, label: edition.label().to_owned(), taxpayers };
        let record = self.records.entry(dataset.name).or_default();
        // The same file of the same day is no publication.
        if record.said.last().is_none_or(|last| last.label != said.label) {
            record.said.push(said);
        }
    }

    /// Publishes, rolls back, or loses the lists of a dataset by chance.
    fn step(&mut self, dataset: &'static Dataset) {
        let registry = self.registry();
        let last = self.records.get(dataset.name).and_then(|record| record.said.last());
        let last = last.map_or(days(FIRST), |said| said.date.days_since_epoch());
        match self.random.below(20) {
            0..=2 if rollback(&registry, dataset).is_ok() => {
                let record = self.records.get_mut(dataset.name).unwrap();
                record.said.pop();
                record.first = record.first.min(record.said.len() - 1);
                // A server's job does it within the hour, if the lists between the two were lost.
                update_records(&registry, dataset).unwrap();
            }
            3 => {
                let Some(record) = self.records.get_mut(dataset.name) else { return };
                let lists = fs::read_dir(registry.join(dataset.name).join("changes")).unwrap();
                lists.for_each(|list| fs::remove_file(list.unwrap().path()).unwrap());
                update_records(&registry, dataset).unwrap();
                record.first = record.said.len() - 1;
            }
            4 => {
                let earlier = last - self.random.below(9) as i32;
                self.publish(dataset, day(earlier));
            }
            // A hole that no edition covers.
            5 => self.publish(dataset, day(last + 15)),
            _ => {
                let next = last + 1 + self.random.below(4) as i32;
                self.publish(dataset, day(next));
            }
        }
    }

    /// Compares the answer about a taxpayer on a day with the replay. Returns whether the day was covered.
    fn compare(&self, batch: &RegistryBatch, ruc: Ruc, date: Date) -> bool {
        let today = day(days(TODAY));
        let padron = &self.records[PADRON.name];
        let answer = batch.history(ruc, Some(Ok(date)));
        let Some(said) = padron.on(date, PADRON.name, today) else {
            assert!(matches!(answer, Err(HistoryError::NotCovered { .. })), "{date} is not covered");
            return false;
        };
        if padron.said[padron.first..].iter().all(|said| !said.taxpayers.contains_key(&ruc)) {
            let stale = matches!(answer, Err(HistoryError::Registry(LookupError::StaleMiss { .. })));
            assert!(stale || answer.is_ok_and(|taxpayer| taxpayer.is_none()), "{ruc} is in no edition");
            return true;
        }
        let OnDay { edition, taxpayer, .. } = answer.unwrap().unwrap().on_day.unwrap();
        assert_eq!(*edition, *said.label, "{ruc} on {date}");
        let expected = said.taxpayers.get(&ruc).cloned().flatten();
        assert_eq!(taxpayer.is_some(), expected.is_some(), "{ruc} on {date}");
        let (Some(known), Some(expected)) = (taxpayer, expected) else { return true };
        let TaxpayerSummary { withholding_agent, good_taxpayer, .. } = known.summary;
        let expected = TaxpayerSummary { withholding_agent, good_taxpayer, ..expected };
        assert_eq!(known.summary, expected, "{ruc} on {date}");
        let on = |dataset: &Dataset| {
            let said = self.records.get(dataset.name)?.on(date, dataset.name, today)?;
            Some(said.taxpayers.contains_key(&ruc))
        };
        let lists: Vec<&str> =
            DATASETS[1..5].iter().filter(|list| on(list) == Some(true)).map(|list| list.name).collect();
        assert_eq!(known.lists, lists, "{ruc} on {date}");
        let flags = (withholding_agent, good_taxpayer, known.without_capacity);
        assert_eq!(flags, (on(&RETENCION), on(&BUENOS_CONTRIBUYENTES), on(&SSCO)), "{ruc} on {date}");
        true
    }
}

/// A file of a dataset about random taxpayers.
fn file(dataset: &Dataset, random: &mut Random) -> Vec<u8> {
    let mut chosen = Vec::new();
    for number in 0..TAXPAYERS {
        // The first one is in every file, which may not be empty.
        if number == 1 || random.below(3) > 0 {
            chosen.push(taxpayer(number));
        }
    }
    let mut pick = |texts: &[&'static str]| texts[random.below(texts.len() as u32) as usize];
    match dataset.name {
        "padron" => {
            let columns = dataset.columns.iter().map(|column| column.header).collect::<Vec<_>>().join("|");
            let row = |ruc: &Ruc| {
                let (name, status) = (pick(&["A S.A.", "B S.A.C.", "C"]), pick(&["ACTIVO", "BAJA DE OFICIO"]));
                let condition = pick(&["HABIDO", "NO HALLADO", "NO HABIDO"]);
                let address = pick(&["150101|AV.|GRAU|-|-|12|-|-|-|-|-|", "-|-|-|-|-|-|-|-|-|-|-|"]);
                format!("{ruc}|{name}|{status}|{condition}|{address}\n")
            };
            let text = format!("{columns}|\n{}", chosen.iter().map(row).collect::<String>());
            text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
        }
        "ssco" => {
            let text = |text: &str| Cell::Text(text.to_owned());
            let header = dataset.columns.iter().map(|column| text(column.header)).collect();
            let row = |ruc: &Ruc| {
                let mut row = vec![text(&ruc.to_string()); 1];
                row.extend(["X", "X", "R 1", "01/01/2024", "01/02/2024", "X", "X", "01/03/2024"].map(text));
                row
            };
            let rows: Vec<Vec<Cell>> = std::iter::once(header).chain(chosen.iter().map(row)).collect();
            workbook("Hoja1", Epoch::Windows, &rows).unwrap()
        }
        "sanciones" => {
            let header = "FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|NUMERO_RESOLUCION|\
                          ID_MOTIVO_INFRACCION|DE_MOTIVO_INFRACCION|\n";
            let row = |ruc: &Ruc| format!("20250101|{ruc}|X|20250102|-|R 1|1|MOTIVO|\n");
            (header.to_owned() + &chosen.iter().map(row).collect::<String>()).into_bytes()
        }
        _ => {
            let row = |ruc: &Ruc| format!("{ruc}|X|01/01/2020|R.S. 1|\r");
            format!("Ruc|Nombre/Razon|A partir del|Resolucion|\r{}", chosen.iter().map(row).collect::<String>())
                .into_bytes()
        }
    }
}

#[test]
fn every_random_day_is_what_the_replayed_editions_said() {
    // `make reliability` sets higher numbers.
    let (steps, asked) = (number("REPLAY_STEPS", 60), number("REPLAYED_DAYS", 2_000));
    let mut scene =
        Scene { folder: tempfile::tempdir().unwrap(), random: Random(0x1f83_d9ab), records: BTreeMap::new() };
    for dataset in DATASETS {
        scene.publish(dataset, day(days(FIRST)));
    }
    let clock = Arc::new(ManualClock::at(format!("{TODAY}T12:00:00Z").parse::<Timestamp>().unwrap()));
    let (mut compared, mut covered) = (0, 0);
    let parts = 4;
    for part in 1..=parts {
        for _ in 0..steps / parts {
            // The padrón is published more often than the others.
            let at = scene.random.below(DATASETS.len() as u32 * 2) as usize;
            scene.step(DATASETS.get(at).copied().unwrap_or(&PADRON));
        }
        let registry = EmbeddedRegistry::open(&scene.registry()).unwrap().0;
        let batch = RegistryBatch::new(registry.snapshot().unwrap(), AgeLimits::new(clock.clone(), DAYS));
        let last = scene.records[PADRON.name].said.iter().map(|said| said.date.days_since_epoch()).max().unwrap();
        while compared < asked * part / parts {
            let number = scene.random.below(TAXPAYERS);
            let date = days(FIRST) - 5 + scene.random.below((last - days(FIRST) + 25) as u32) as i32;
            covered += u64::from(scene.compare(&batch, taxpayer(number), day(date)));
            compared += 1;
        }
    }
    assert!(covered > compared / 10, "{covered} of {compared}");
    figure("R18", &format!("{compared} random days against a replay of {steps} steps"), "0 differences");
}
