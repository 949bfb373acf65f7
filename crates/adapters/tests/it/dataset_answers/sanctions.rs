//! The sanctions, in both encodings and with three line ends.

use std::collections::HashMap;

use kuraka_domain::{Ruc, Sanction as Answer};
use kuraka_generators::dataset::{Encoding, SANCTION_COLUMNS, Sanction, TextForm, sanctions};

use super::{World, date, padron, text};

const ROWS: u32 = 1_500;

fn model(rows: &[Sanction]) -> HashMap<Ruc, Vec<Answer>> {
    let mut model: HashMap<Ruc, Vec<Answer>> = HashMap::new();
    for row in rows {
        let answer = Answer { since: row.since, until: row.until, reason: row.reason.to_owned() };
        // Foreigners' ids are no RUC.
        if let Some(ruc) = row.ruc {
            model.entry(ruc).or_default().push(answer);
        }
    }
    model
}

fn file(form: TextForm, rows: &[Sanction]) -> Vec<u8> {
    let cutoff = date("2026-10-02");
    let lines: Vec<_> = rows.iter().map(|row| row.cells(cutoff).to_vec()).collect();
    let bad: [(usize, &[&str]); 3] = [
        (0, &["20261002", "20100119227", "SIN INICIO", "", "20270101", "R", "1", "M"]),
        (1, &["20261002", "20100119227", "CORTADA", "20260101"]),
        (2, &["20261002", "20100119227", "FECHA MALA", "20261301", "", "R", "1", "M"]),
    ];
    text(form, &SANCTION_COLUMNS, &lines, &bad)
}

pub(super) fn import(world: &World, variant: usize) -> HashMap<Ruc, Vec<Answer>> {
    let form = TextForm::SANCTIONS;
    let forms = [
        form,
        TextForm { encoding: Encoding::Utf8, line_end: "\r\n", ..form },
        TextForm { encoding: Encoding::Utf8WithMark, trailing: true, ..form },
    ];
    let (form, rows) = (forms[variant % 3], sanctions(padron(), ROWS, 50).collect::<Vec<_>>());
    let (report, model) = (world.import("sanciones", "sancionados.csv", &file(form, &rows)), model(&rows));
    let foreign = rows.iter().filter(|row| row.ruc.is_none()).count() as u64;
    assert!(foreign > 10);
    assert_eq!((report.rejected_lines(), report.rucs), (foreign + 3, model.len() as u64), "{form:?}");
    model
}
