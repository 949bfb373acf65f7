//! `kuraka lookup --file --output xlsx`: the workbook for people.

use kuraka_sandbox::sample;
use kuraka_tables::{Choice, Reading, Source};

use super::program::Home;

/// A sheet of the workbook of a file with these bytes.
fn sheet(bytes: &str, arguments: &[&str], sheet: &str) -> Reading {
    let home = Home::new();
    home.import(sample::PADRON);
    let file = home.write("compras.csv", bytes);
    let all = [&["lookup", "--file", &file, "--output", "xlsx"], arguments].concat();
    let done = home.command(&all).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let choice = Choice { sheet: Some(sheet.to_owned()), heading: Some(1), ..Choice::default() };
    Source::read("", &done.stdout, 1_000, || true).unwrap().reading(&choice, 1_000).unwrap()
}

/// The cells of a sheet, without empty ones at the end of a row.
fn rows(reading: &Reading) -> Vec<Vec<&str>> {
    reading.rows.iter().map(|(_, row)| row.iter().collect()).collect()
}

#[test]
fn a_workbook_has_the_own_columns_and_the_results_red_first() {
    let note = "una nota larga ".repeat(20);
    let (company, absent) = (sample::COMPANY, sample::ABSENT);
    let file = format!("Nota;Total;RUC;Fecha;Código\n{note};1,180.50;{company};04/09/2026;001\n;20;{absent};;\n");
    let found = sheet(&file, &["--column", "RUC"], "Proveedores");
    assert_eq!(found.sheets, ["Resumen", "Proveedores", "Fuentes"]);
    let heads =
        ["Fila", "Nota", "Total", "RUC", "Fecha", "Código", "Resultado", "Situación", "Observaciones", "Nombre"];
    assert_eq!(found.names[..10], heads);
    let rows = rows(&found);
    assert_eq!(rows[1][..9], ["3", "", "20", absent, "", "", "Rojo", "No existe", "No existe"]);
    let own = ["2", &note, "1180.5", company, "2026-09-04", "001"];
    assert_eq!((&rows[2][..6], rows[2][9]), (&own[..], "3M PERU S A"));
}

#[test]
fn the_summary_names_the_file_and_the_sums() {
    let file = format!("RUC;Total\n{};100.00\n{};20.50\n", sample::COMPANY, sample::ABSENT);
    let found = sheet(&file, &[], "Resumen");
    let rows = rows(&found);
    for expected in [&["Lista", "compras.csv"][..], &["Rojo", "1"], &["En riesgo", "PEN", "20.5"]] {
        assert!(rows.iter().any(|row| row.starts_with(expected)), "{expected:?}: {rows:?}");
    }
}

#[test]
fn a_column_of_days_gives_the_taxpayers_on_these_days() {
    let file = format!("proveedor,día\n{},1/1/2000\n", sample::COMPANY);
    let found = sheet(&file, &["--date-column", "día"], "Proveedores");
    assert!(found.names.contains(&"Edición del padrón".to_owned()), "{:?}", found.names);
    assert!(rows(&found)[1].iter().any(|cell| cell.starts_with("El historial no cubre el 1 ene 2000.")));
}
