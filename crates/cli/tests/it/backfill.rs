//! `kuraka dataset backfill`: past months of the open data, one after the other, also over several interrupted runs.

use std::fs;
use std::io::{Cursor, Write};
use std::time::Duration;

use kuraka_generators::dataset::{OPEN_DATA_COLUMNS, TextForm, open_data_after};
use kuraka_generators::padron::Padron;
use kuraka_generators::zip_file::zip_file;
use kuraka_registry::months::{Month, Months};
use tokio::time::Instant;

use super::datasets::downloads;
use super::program::{Home, eventually};
use super::publisher::Publisher;
use super::reliability::{figure, number};
use super::update::without_publishers;

/// Months of which files are published, from the first one on; the third one is not.
const MONTHS: i32 = 9;
const NOT_PUBLISHED: &str = "2022-10";

fn months() -> impl Iterator<Item = (i32, Month)> {
    (0..MONTHS).zip(std::iter::successors(Some(Month::FIRST), |month| Some(month.next())))
}

/// The text of a month.
fn text(nth: i32, month: Month) -> Vec<u8> {
    let rows = number("BACKFILL_ROWS", 10_000) as u32;
    let mut text = Vec::new();
    let rows = open_data_after(Padron::new(2 * rows, 3), rows, 1, 4 * nth).map(|row| row.cells(&month.compact()));
    TextForm::OPEN_DATA.write(&OPEN_DATA_COLUMNS, rows, &mut text).unwrap();
    text
}

/// A publisher of the months, one of which is a text, and the address of all.
fn publisher() -> Publisher {
    let published = months().filter(|(_, month)| month.to_string() != NOT_PUBLISHED);
    let file = |(nth, month): (i32, Month)| {
        let name = format!("PadronRUC_{}", month.compact());
        let mut zip = zip_file(Cursor::new(Vec::new()), &format!("{name}.csv"), month.first_day()).unwrap();
        zip.write_all(&text(nth, month)).unwrap();
        (format!("{name}.zip"), zip.finish().unwrap().into_inner())
    };
    Publisher::for_months("PadronRUC_{AAAAMM}.zip", published.map(file).collect())
}

fn home(publisher: &Publisher) -> Home {
    Home::new().with("KURAKA__DATASETS__DATOS_ABIERTOS__URL", &publisher.url)
}

const BACKFILL: [&str; 3] = ["dataset", "backfill", "datos_abiertos"];

#[test]
fn a_backfill_reads_each_published_month_once() {
    let publisher = publisher();
    let home = home(&publisher);
    let out = home.run(&BACKFILL).succeeded();
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), MONTHS as usize, "{out}");
    assert!(lines[0] == "added 2022-08: 700 companies", "{out}");
    assert_eq!(lines[8], "8 months from 2022-08 to 2023-04; not published: 2022-10");
    assert_eq!(downloads(&home, "datos_abiertos"), [""; 0]);
    let bytes = fs::read(Months::path(&home.data("registry"))).unwrap();
    let asked = publisher.requests().len();
    assert_eq!(home.run(&BACKFILL).succeeded().trim_end(), lines[8]);
    let again = &publisher.requests()[asked..];
    assert!(again.iter().all(|head| !head.contains("padronruc_202208")), "{again:?}");
    assert_eq!(fs::read(Months::path(&home.data("registry"))).unwrap(), bytes);
    let late = Home::new().with("KURAKA__DATASETS__DATOS_ABIERTOS__URL", &publisher.url);
    let out = late.run(&[&BACKFILL[..], &["--from", "2023-02"]].concat()).succeeded();
    assert!(out.ends_with("3 months from 2023-02 to 2023-04\n"), "{out}");
}

#[test]
fn a_backfill_says_what_it_cannot_read() {
    let home = home(&publisher());
    let error = home.run(&[&BACKFILL[..], &["--from", "2021-12"]].concat());
    assert_eq!(error.code, Some(2), "{error:?}");
    assert_eq!(home.run(&["dataset", "backfill", "padron"]).code, Some(2));
    let one = Publisher::new("PadronRUC.zip", b"x", "\"1\"");
    let error = Home::new().with("KURAKA__DATASETS__DATOS_ABIERTOS__URL", &one.url).run(&BACKFILL).failed();
    assert_eq!(error, "the address of datos_abiertos has no {AAAAMM}: set datasets.datos_abiertos.url");
    let files = vec![("PadronRUC_202208.zip".to_owned(), b"no open data".to_vec())];
    let done =
        home.with("KURAKA__DATASETS__DATOS_ABIERTOS__URL", &Publisher::for_months("PadronRUC_{AAAAMM}.zip", files).url);
    let done = done.run(&BACKFILL);
    assert!(done.stderr.contains("warning: 2022-08 is not added: "), "{done:?}");
    assert_eq!(done.code, Some(1));
}

#[test]
fn a_backfill_killed_at_any_instant_ends_with_the_same_file() {
    // `make reliability` sets a higher number.
    let kills = number("BACKFILL_KILLS", 4);
    let publisher = publisher();
    let whole = home(&publisher);
    let began = Instant::now();
    whole.run(&BACKFILL).succeeded();
    let usual = began.elapsed();
    let expected = fs::read(Months::path(&whole.data("registry"))).unwrap();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut killed, mut files) = (0, 0);
    while killed < kills {
        let home = home(&publisher);
        let path = Months::path(&home.data("registry"));
        loop {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let delay = Duration::from_micros((seed >> 33) % (usual.as_micros() as u64 / 2));
            if killed == kills || !home.start(&BACKFILL).kill_after(delay) {
                break;
            }
            killed += 1;
            // What is left is a whole file with some of the months.
            assert!(!path.exists() || Months::open(&home.data("registry")).is_ok());
        }
        home.run(&BACKFILL).succeeded();
        assert!(fs::read(&path).unwrap() == expected, "after {killed} kills");
        assert_eq!(downloads(&home, "datos_abiertos"), [""; 0]);
        files += 1;
    }
    figure("C1", &format!("backfills killed at {killed} random instants"), &format!("{files} files, all the same"));
}

#[tokio::test]
async fn a_server_reads_the_past_months_by_itself_and_goes_on_after_a_kill() {
    let publisher = publisher();
    let whole = home(&publisher);
    whole.run(&BACKFILL).succeeded();
    let expected = fs::read(Months::path(&whole.data("registry"))).unwrap();
    let home = without_publishers().with("KURAKA__DATASETS__DATOS_ABIERTOS__URL", &publisher.url);
    let home = home.with("KURAKA__DATASETS__UPDATE_EVERY", "24h");
    let home = home.with("KURAKA__DATASETS__DATOS_ABIERTOS__BACKFILL_FROM", "2022-08");
    let path = Months::path(&home.data("registry"));
    let killed = home.serve();
    eventually("the first month is there", || path.exists().then_some(())).await;
    killed.kill();
    // There is no file of this year, and after a failed update a server waits for ten minutes.
    fs::remove_file(home.data("registry").join("datos_abiertos/downloads/last_attempt")).unwrap();
    let asked = publisher.requests().len();
    let mut serving = home.serve();
    serving.log("the past months are read");
    assert_eq!(fs::read(&path).unwrap(), expected);
    let again = &publisher.requests()[asked..];
    assert!(again.iter().all(|head| !head.contains("padronruc_202208")), "{again:?}");
    serving.stop();
}
