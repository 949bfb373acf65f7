//! The annex premises, with and without the blank before the header and the pipe at the end of the lines.

use std::collections::HashMap;

use kuraka_domain::{AnnexPremises, Ruc, Ubigeo};
use kuraka_generators::dataset::{ANNEX_COLUMNS, Annex, Encoding, TextForm, annexes};

use super::{World, padron, squeezed, text, zipped};

const ROWS: u32 = 3_000;

/// The address line, part after part in the order of SUNAT's page.
fn address(columns: &[String; 11]) -> String {
    let [_, street_kind, street, zone_kind, zone, number, kilometre, interior, lot, flat, block] = columns;
    let line = [
        ("", street_kind),
        ("", street),
        ("NRO. ", number),
        ("INT. ", interior),
        ("DPTO. ", flat),
        ("MZA. ", block),
        ("LOTE. ", lot),
        ("KM. ", kilometre),
        ("", zone_kind),
        ("", zone),
    ];
    let known = line.iter().filter(|(_, text)| *text != "-" && *text != "----");
    squeezed(&known.map(|(label, text)| format!("{label}{text}")).collect::<Vec<_>>().join(" "))
}

/// The premises of each taxpayer in the file's order, each once.
fn model(rows: &[Annex]) -> HashMap<Ruc, Vec<AnnexPremises>> {
    let mut seen: HashMap<Ruc, Vec<&Annex>> = HashMap::new();
    for row in rows {
        let annexes = seen.entry(row.ruc).or_default();
        if !annexes.contains(&row) {
            annexes.push(row);
        }
    }
    let answer = |row: &&Annex| AnnexPremises {
        address: address(&row.columns),
        ubigeo: Some(Ubigeo::parse(&row.columns[0]).unwrap()),
    };
    seen.into_iter().map(|(ruc, rows)| (ruc, rows.iter().map(answer).collect())).collect()
}

fn file(form: TextForm, rows: &[Annex]) -> Vec<u8> {
    let line = |(index, row): (usize, &Annex)| {
        let mut cells = row.cells().to_vec();
        if index % 3 == 0 {
            cells[1] = cells[1].trim_start_matches('0').to_owned();
            cells[3] = cells[3].replace(' ', "   ");
        }
        cells
    };
    let lines: Vec<_> = rows.iter().enumerate().map(line).collect();
    let bad: [(usize, &[&str]); 3] = [
        (0, &["20100119227", "150101", "AV.", "CORTADA"]),
        (1, &["20100119228", "150101", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"]),
        (2, &["20100119227", "990101", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-"]),
    ];
    zipped("padron_reducido_local_anexo.txt", &text(form, &ANNEX_COLUMNS, &lines, &bad))
}

pub(super) fn import(world: &World, variant: usize) -> HashMap<Ruc, Vec<AnnexPremises>> {
    let form = TextForm::ANNEXES;
    let forms = [
        form,
        TextForm { trailing: false, leading_blank: false, line_end: "\r\n", ..form },
        TextForm { encoding: Encoding::Utf8, ..form },
        TextForm { encoding: Encoding::Utf8WithMark, trailing: false, ..form },
    ];
    let (form, rows) = (forms[variant], annexes(padron(), ROWS, 200).collect::<Vec<_>>());
    let (report, model) = (world.import("anexos", "padron_reducido_local_anexo.zip", &file(form, &rows)), model(&rows));
    let count: usize = model.values().map(Vec::len).sum();
    assert_eq!((report.rows, report.rejected_lines()), (count as u64, 3), "{form:?}");
    assert!(report.repeated > 5, "{}", report.repeated);
    model
}
