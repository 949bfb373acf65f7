//! The four lists, with every line end, in both encodings, with and without the pipe at the end.

use std::collections::HashMap;

use kuraka_domain::{ListMembership, Ruc};
use kuraka_generators::dataset::{Encoding, LIST_COLUMNS, ListEntry, Since, TextForm, list_entries};

use super::{World, padron, text, zipped};

/// Dataset, title and file name of each list, in the order of answers.
const LISTS: [(&str, &str, &str); 4] = [
    ("retencion", "Agentes de retención del IGV", "AgenRet_TXT"),
    ("buenos_contribuyentes", "Buenos contribuyentes", "BueCont_TXT"),
    ("percepcion_venta_interna", "Agentes de percepción del IGV: ventas internas", "AgenPercVI_TXT"),
    ("percepcion_combustibles", "Agentes de percepción del IGV: combustibles", "AgenPerc_TXT"),
];

/// Whether the entry can be told from one with shifted columns: after a pipe in the name, only a date shows where the
/// next column begins.
fn is_readable(entry: &ListEntry) -> bool {
    !entry.name.contains('|') || matches!(entry.since, Since::Day(_))
}

fn model(list: usize, entries: &[ListEntry]) -> HashMap<Ruc, ListMembership> {
    let (dataset, title, _) = LISTS[list];
    let membership = |entry: &ListEntry| ListMembership {
        dataset,
        title,
        since: match entry.since {
            Since::Day(day) => Some(day),
            Since::Broken | Since::Missing => None,
        },
        resolution: entry.resolution.clone().unwrap_or_default(),
    };
    entries.iter().filter(|entry| is_readable(entry)).map(|entry| (entry.ruc, membership(entry))).collect()
}

fn file(form: TextForm, list: usize, entries: &[ListEntry]) -> Vec<u8> {
    let lines: Vec<_> = entries.iter().map(|entry| entry.cells().to_vec()).collect();
    let bad: [(usize, &[&str]); 3] =
        [(0, &["2010011922", "DIEZ DIGITOS", "01/06/2002", "R"]), (5, &["20100119227", "CORTADA"]), (9, &["ruido"])];
    zipped(&format!("{}.txt", LISTS[list].2), &text(form, &LIST_COLUMNS, &lines, &bad))
}

/// The memberships of each list.
pub(super) fn import(world: &World, variant: usize) -> Vec<HashMap<Ruc, ListMembership>> {
    let (line_end, encoding, trailing) = [
        ("\r", Encoding::Windows1252, true),
        ("\n", Encoding::Utf8, true),
        ("\r\n", Encoding::Utf8WithMark, true),
        ("\r", Encoding::Windows1252, false),
    ][variant];
    let form = TextForm { line_end, encoding, trailing, ..TextForm::LIST };
    let (mut models, mut quirks) = (Vec::new(), [0, 0]);
    for (index, (dataset, _, file_name)) in LISTS.into_iter().enumerate() {
        let entries: Vec<_> = list_entries(padron(), index as u32, 2, 25).collect();
        let report = world.import(dataset, &format!("{file_name}.zip"), &file(form, index, &entries));
        let unreadable = entries.iter().filter(|entry| !is_readable(entry)).count() as u64;
        assert_eq!(report.rejected_lines(), 3 + unreadable, "{dataset} {form:?}");
        quirks = [quirks[0] + report.repeated, quirks[1] + unreadable];
        models.push(model(index, &entries));
    }
    assert!(quirks[0] > 20 && quirks[1] > 2, "{quirks:?}");
    models
}
