//! Lists of changes: what they have, what follows from them, and what a reader says where they are missing.

mod comparison;
mod damage;
mod datasets;
mod replay;
mod steps;

use std::collections::BTreeMap;

use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_registry::changes::{ChangeKind, ChangeList, Row, Step, changes};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{ImportReport, ImportRequest, OpenEdition};

use crate::workspace::{Workspace, date};

/// The rows of an edition, as a list of changes has them.
type Rows = BTreeMap<Ruc, Vec<Row>>;

fn row(taxpayer: &TaxpayerSummary) -> Row {
    let TaxpayerSummary { name, status, condition, address, ubigeo, .. } = taxpayer;
    let texts = [name.as_str(), status.as_str(), condition.as_str(), address];
    let cells = texts.map(|text| if text.is_empty() { None } else { Some(text.to_owned()) });
    cells.into_iter().chain([ubigeo.map(|ubigeo| ubigeo.to_string())]).collect()
}

fn rows(edition: &OpenEdition) -> Rows {
    edition.iter().map(Result::unwrap).map(|taxpayer| (taxpayer.ruc, vec![row(&taxpayer)])).collect()
}

/// The rows before the list's changes.
fn undone(list: &ChangeList, mut rows: Rows) -> Rows {
    for change in list.changes().unwrap().map(Result::unwrap) {
        let before = change.undo(rows.remove(&change.ruc).unwrap_or_default()).unwrap();
        if !before.is_empty() {
            rows.insert(change.ruc, before);
        }
    }
    rows
}

fn steps(workspace: &Workspace) -> Vec<Step> {
    changes(&workspace.registry(), &PADRON, None).unwrap().collect()
}

/// The only step's list.
fn only_list(workspace: &Workspace) -> ChangeList {
    let mut steps = steps(workspace);
    assert_eq!(steps.len(), 1, "{steps:?}");
    steps.remove(0).changes.unwrap()
}

/// Imports a padrón of a day of November, whatever the guards say.
fn import(workspace: &Workspace, day: u32, padron: &[u8]) -> ImportReport {
    let date = Some(date(&format!("2026-11-{day:02}")));
    workspace.try_import(&ImportRequest { date, force: true, ..workspace.request(padron) }).unwrap()
}

/// RUC and field names of each change; a new or gone taxpayer has one of these words instead.
fn described(list: &ChangeList) -> Vec<String> {
    let describe = |kind: ChangeKind| match kind {
        ChangeKind::New => "new".to_owned(),
        ChangeKind::Gone { .. } => "gone".to_owned(),
        ChangeKind::Changed { fields } => {
            let cell = |cell: &Option<String>| cell.clone().unwrap_or_default();
            let texts = fields.iter().map(|change| {
                format!("{} {} > {}", list.facts().fields[change.field], cell(&change.before), cell(&change.after))
            });
            texts.collect::<Vec<_>>().join("; ")
        }
        ChangeKind::Rows { .. } => "rows".to_owned(),
    };
    let changes = list.changes().unwrap().map(Result::unwrap);
    changes.map(|change| format!("{} {}", change.ruc, describe(change.kind))).collect()
}
