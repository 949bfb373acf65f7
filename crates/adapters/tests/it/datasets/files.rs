//! Small files of every dataset in their published forms, and their import.

use std::borrow::Borrow;
use std::fs;
use std::ops::Range;
use std::path::Path;

use kuraka_domain::{Date, EditionOrigin, Ruc, RucKind};
use kuraka_generators::dataset::LIST_COLUMNS;
use kuraka_generators::dataset::{ANNEX_COLUMNS, INCAPACITY_COLUMNS, OPEN_DATA_COLUMNS, SANCTION_COLUMNS};
use kuraka_generators::padron::HEADER;
use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset, PADRON, SANCIONES, SSCO};
use kuraka_registry::{Import, ImportReport, NoProgress, SourceFile, import};

/// A company on the list of withholding agents.
pub(crate) const CUSTOMS: &str = "20131312955|SUPERINTENDENCIA NACIONAL DE ADUANAS|ACTIVO|HABIDO|150101|AV.|GARCILASO DE LA VEGA|URB.|CERCADO DE LIMA|1472|-|-|-|-|-|";

/// A company with a status cut at 20 characters and every part that an address can have after its street.
pub(crate) const MARKET: &str = "20100070970|SUPERMERCADOS DEL CALLAO S.A.|BAJA PROV. POR OFICI|NO HABIDO|070101|CALLE|UNO|----|-|-|2|5|403|B|21.5|";

/// The RUC of a line.
pub(crate) fn ruc(line: &str) -> Ruc {
    Ruc::parse(&line[..11]).unwrap()
}

/// An invented person.
pub(crate) fn person() -> Ruc {
    Ruc::from_parts(RucKind::NaturalPerson, 99_999_901).unwrap()
}

/// The person's line.
pub(crate) fn person_line() -> String {
    format!("{}|PEÑA NÚÑEZ JOSÉ|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|", person())
}

/// An invented company.
pub(crate) fn company(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, 99_990_000 + n).unwrap()
}

/// The company's line in the padrón.
pub(crate) fn company_line(n: u32) -> String {
    format!("{}|EMPRESA INVENTADA {n} S.A.C.|ACTIVO|HABIDO|150101|JR.|UNO|-|-|{n}|-|-|-|-|-|", company(n))
}

/// The day of the imported files.
pub(crate) fn day_of_files() -> Date {
    Date::new(2026, 11, 20).unwrap()
}

/// Imports a file of this content as the dataset. Forced, because it may have fewer rows than the current edition.
pub(crate) fn import_file(folder: &Path, dataset: &'static Dataset, content: &[u8]) -> ImportReport {
    import_as(folder, dataset, content, EditionOrigin::Published)
}

/// The same with a file of this origin.
pub(crate) fn import_as(
    folder: &Path,
    dataset: &'static Dataset,
    content: &[u8],
    origin: EditionOrigin,
) -> ImportReport {
    let file = folder.join("sources").join(dataset.name);
    fs::create_dir_all(folder.join("sources")).unwrap();
    fs::write(&file, content).unwrap();
    let of = Import::new(SourceFile::local(file), Date::new(2026, 11, 21).unwrap());
    let request = Import { date: Some(day_of_files()), origin, force: true, ..of };
    import(folder, dataset, &request, &NoProgress).unwrap()
}

/// The published file of a dataset with a row about each of these companies.
pub(crate) fn file_of(dataset: &Dataset, companies: Range<u32>) -> Vec<u8> {
    let rows = |row: fn(Ruc) -> String| companies.clone().map(company).map(row).collect::<Vec<_>>();
    let is = |other: Dataset| dataset.name == other.name;
    if is(PADRON) {
        padron(&companies.map(company_line).collect::<Vec<_>>())
    } else if is(ANEXOS) {
        annexes(&rows(|ruc| format!("{ruc}|150101|AV.|DOS|-|-|2|-|-|-|-|-")))
    } else if is(DATOS_ABIERTOS) {
        open_data_of(&rows(|ruc| format!("{ruc},ACTIVO,HABIDO,SOCIEDAD ANONIMA,,,,7,,,,150101,LIMA,LIMA,LIMA,202609")))
    } else if is(SSCO) {
        let ruc = |ruc: Ruc| Cell::Text(ruc.to_string());
        let row = |n| [ruc(company(n)), Cell::Text("R.I. 1".to_owned()), day(2025, 3, 14), day(2025, 5, 6)];
        incapacities_of(&companies.map(row).collect::<Vec<_>>())
    } else if is(SANCIONES) {
        let rucs = rows(|ruc| ruc.to_string());
        sanctions_of(&rucs.iter().map(|ruc| [&**ruc, "20240806", "20270805", "FALSEDAD"]).collect::<Vec<_>>())
    } else {
        list_of(&rows(|ruc| format!("{ruc}|EMPRESA|01/06/2002|RS 037-2002|")), "\r")
    }
}

/// A padrón of these lines.
pub(crate) fn padron<S: Borrow<str>>(lines: &[S]) -> Vec<u8> {
    latin1(&format!("{HEADER}\n{}\n", lines.join("\n")))
}

/// A list of these lines, each ended by `end`.
pub(crate) fn list_of(lines: &[String], end: &str) -> Vec<u8> {
    latin1(&format!("{}|{end}{}{end}", LIST_COLUMNS.join("|"), lines.join(end)))
}

/// Annex premises: the lines after the RUC, of this taxpayer each.
pub(crate) fn annexes_of(ruc: Ruc, premises: &[&str]) -> Vec<u8> {
    annexes(&premises.iter().map(|line| format!("{ruc}|{line}")).collect::<Vec<_>>())
}

/// Annex premises of these lines.
fn annexes(lines: &[String]) -> Vec<u8> {
    let lines: String = lines.iter().map(|line| format!("{line}|\n")).collect();
    latin1(&format!(" {}|\n{lines}", ANNEX_COLUMNS.join("|")))
}

/// The open data of these lines.
pub(crate) fn open_data_of(lines: &[String]) -> Vec<u8> {
    latin1(&format!("{}\n{}\n", OPEN_DATA_COLUMNS.join(","), lines.join("\n")))
}

/// The subjects without operating capacity: the cells of RUC, resolution, its day, and the day it became final.
pub(crate) fn incapacities_of(rows: &[[Cell; 4]]) -> Vec<u8> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let row = |[ruc, resolution, resolved, last]: &[Cell; 4]| {
        let (ruc, resolution, resolved, last) = (ruc.clone(), resolution.clone(), resolved.clone(), last.clone());
        let (document, person) = (Cell::Number(99_000_001.0), text("REPRESENTANTE INVENTADA JUANA"));
        let published = day(2026, 8, 31);
        vec![ruc, text("EMPRESA"), text("JR. UNO 1"), resolution, resolved, last, document, person, published]
    };
    let sheet: Vec<_> = [INCAPACITY_COLUMNS.map(text).to_vec()].into_iter().chain(rows.iter().map(row)).collect();
    workbook("Hoja1", Epoch::Windows, &sheet).unwrap()
}

/// A day in a workbook.
pub(crate) fn day(year: u16, month: u8, day: u8) -> Cell {
    Cell::Day(Epoch::Windows.serial(Date::new(year, month, day).unwrap()))
}

/// Sanctions: RUC, first day, last day, reason.
pub(crate) fn sanctions_of(rows: &[[&str; 4]]) -> Vec<u8> {
    let line = |[ruc, since, until, reason]: &[&str; 4]| {
        format!("20261101|{ruc}|PROVEEDOR | INVENTADO|{since}|{until}|0123-2024-TCE-S1|3|{reason}\n")
    };
    latin1(&format!("{}\n{}", SANCTION_COLUMNS.join("|"), rows.iter().map(line).collect::<String>()))
}

/// The published encoding of these lines.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}
