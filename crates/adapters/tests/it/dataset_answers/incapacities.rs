//! The subjects without operating capacity, in workbooks of both epochs and with cells of every form.

use std::collections::HashMap;

use kuraka_domain::{OperatingIncapacity, Ruc};
use kuraka_generators::dataset::{INCAPACITY_COLUMNS, Incapacity, incapacities};
use kuraka_generators::workbook::{Cell, Epoch, workbook};

use super::{World, date, padron, squeezed};

pub(super) fn rows() -> Vec<Incapacity> {
    incapacities(padron(), 1_200).collect()
}

pub(super) fn model(rows: &[Incapacity]) -> HashMap<Ruc, OperatingIncapacity> {
    let answer = |row: &Incapacity| OperatingIncapacity {
        resolution: squeezed(&row.resolution),
        resolved: row.resolved,
        final_since: row.last,
    };
    rows.iter().map(|row| (row.ruc, answer(row))).collect()
}

pub(super) fn file(epoch: Epoch, rows: &[Incapacity]) -> Vec<u8> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut sheet = vec![INCAPACITY_COLUMNS.map(text).to_vec()];
    for row in rows {
        sheet.push(row.cells(epoch, date("2026-08-31")));
        if sheet.len() % 500 == 0 {
            // An empty row, a wrong check digit, half a number, and a note.
            sheet.push(vec![]);
            sheet.push(vec![Cell::Number(20_100_119_228.0)]);
            sheet.push(vec![Cell::Number(20_100_119_227.5)]);
            sheet.push(vec![text("Nota: fuente inventada")]);
        }
    }
    sheet.push(sheet[1].clone());
    workbook("Hoja1", epoch, &sheet).unwrap()
}

#[test]
fn answers_about_operating_capacity_equal_the_model() {
    let rows = rows();
    let model = model(&rows);
    for epoch in [Epoch::Windows, Epoch::Macintosh] {
        let world = World::new();
        let report = world.import("ssco", "sujesincapacidadOperativa.xlsx", &file(epoch, &rows));
        assert_eq!((report.rows, report.repeated, report.rejected_lines()), (1_200, 1, 6), "{epoch:?}");
        world.compare(|profile| profile.operating_incapacity, |ruc| Some(model.get(&ruc).cloned()));
    }
}
