//! The date of an edition, and where it comes from.

use kuraka_domain::Date;
use kuraka_registry::dataset::{DATOS_ABIERTOS, PADRON};
use kuraka_registry::{DateOrigin, Import};
use zip::DateTime;
use zip::write::SimpleFileOptions;

use crate::published::published;
use crate::workspace::{Workspace, companies, date};

#[test]
fn a_plausible_date_of_the_zip_entry_is_used() {
    let zip_of = |year, month, day| {
        let options = SimpleFileOptions::default()
            .last_modified_time(DateTime::from_date_and_time(year, month, day, 1, 2, 4).unwrap());
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        writer.start_file("padron_reducido_ruc.txt", options).unwrap();
        std::io::Write::write_all(&mut writer, &companies(3)).unwrap();
        writer.finish().unwrap().into_inner()
    };
    for (file, expected, origin, implausible) in [
        (zip_of(2026, 11, 18), "2026-11-18", DateOrigin::ZipEntry, None),
        (zip_of(2026, 11, 21), "2026-11-20", DateOrigin::Today, Some("2026-11-21")),
        (zip_of(1990, 1, 1), "2026-11-20", DateOrigin::Today, Some("1990-01-01")),
        (companies(3), "2026-11-20", DateOrigin::Today, None),
    ] {
        let report = Workspace::new().import(&PADRON, &file);
        assert_eq!((report.date, report.date_origin), (date(expected), origin));
        assert_eq!(report.implausible_date, implausible.map(date));
        assert!(report.label.starts_with(expected) && report.label.len() == 19, "{}", report.label);
    }
    let workspace = Workspace::new();
    let request = Import { date: Some(date("2026-11-17")), ..workspace.request(&zip_of(2026, 11, 18)) };
    let report = workspace.try_import(&PADRON, &request).unwrap();
    assert_eq!((report.date, report.date_origin), (date("2026-11-17"), DateOrigin::Request));
}

#[test]
fn a_servers_implausible_date_is_reported_and_not_taken() {
    let workspace = Workspace::new();
    let request = Import { served_on: Some(date("2026-11-21")), ..workspace.request(&companies(3)) };
    let report = workspace.try_import(&PADRON, &request).unwrap();
    assert_eq!((report.date, report.date_origin), (date("2026-11-20"), DateOrigin::Today));
    assert_eq!(report.implausible_date, Some(date("2026-11-21")));
}

#[test]
fn a_monthly_file_is_dated_by_its_rows() {
    let text = |month: &str| String::from_utf8(published(&DATOS_ABIERTOS, [(1, 1)])).unwrap().replace("202610", month);
    for (month, expected, origin) in [
        ("202609", Date::new(2026, 9, 1), DateOrigin::Rows),
        // Not yet, and long before.
        ("202701", Date::new(2026, 11, 20), DateOrigin::Today),
        ("190001", Date::new(2026, 11, 20), DateOrigin::Today),
    ] {
        let report = Workspace::new().import(&DATOS_ABIERTOS, text(month).as_bytes());
        assert_eq!((report.date, report.date_origin), (expected.unwrap(), origin), "{month}");
    }
}
