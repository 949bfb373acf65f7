//! The subjects without operating capacity, in workbooks of both epochs and with cells of every form.

use std::collections::HashMap;

use kuraka_domain::{OperatingIncapacity, Ruc};
use kuraka_generators::dataset::{INCAPACITY_COLUMNS, Incapacity, incapacities};
use kuraka_generators::workbook::{Cell, Epoch, workbook};

use super::{World, date, padron, squeezed};

fn model(rows: &[Incapacity]) -> HashMap<Ruc, OperatingIncapacity> {
    let answer = |row: &Incapacity| OperatingIncapacity {
        resolution: squeezed(&row.resolution),
        resolved: row.resolved,
        final_since: row.last,
    };
    rows.iter().map(|row| (row.ruc, answer(row))).collect()
}

fn file(epoch: Epoch, rows: &[Incapacity]) -> Vec<u8> {
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

pub(super) fn import(world: &World, variant: usize) -> HashMap<Ruc, OperatingIncapacity> {
    let epoch = [Epoch::Windows, Epoch::Macintosh][variant % 2];
    let rows: Vec<_> = incapacities(padron(), 1_200).collect();
    let report = world.import("ssco", "sujesincapacidadOperativa.xlsx", &file(epoch, &rows));
    assert_eq!((report.rows, report.repeated, report.rejected_lines()), (1_200, 1, 6), "{epoch:?}");
    model(&rows)
}
