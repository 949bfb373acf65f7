//! Lists of changes: what they have, what follows from them, and what a reader says where they are missing.

mod builders;
mod comparison;
pub(crate) mod replay;
mod steps;

use std::collections::BTreeMap;

use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_registry::changes::{Change, ChangeKind, ChangeList, Publication, Row, publications};
use kuraka_registry::dataset::{Dataset, PADRON, RETENCION, RecordForm, Value};
use kuraka_registry::{Edition, Import, ImportReport};

use crate::workspace::{Workspace, date};

/// A dataset of each form of records.
static FORMS: [&Dataset; 2] = [&PADRON, &RETENCION];

/// The rows of an edition, as a list of changes has them, in no order.
type Rows = BTreeMap<Ruc, Vec<Row>>;

fn summary_row(taxpayer: &TaxpayerSummary) -> Row {
    let TaxpayerSummary { name, status, condition, address, ubigeo, .. } = taxpayer;
    let texts = [name.as_str(), status.as_str(), condition.as_str(), address];
    let cells = texts.map(|text| if text.is_empty() { None } else { Some(text.to_owned()) });
    cells.into_iter().chain([ubigeo.map(|ubigeo| ubigeo.to_string())]).collect()
}

fn row(values: &[Value<'_>]) -> Row {
    let cell = |value: &Value<'_>| match value {
        Value::Absent => None,
        Value::Text(text) => Some((*text).to_owned()),
        Value::Date(date) => Some(date.to_string()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Ubigeo(ubigeo) => Some(ubigeo.to_string()),
    };
    values.iter().map(cell).collect()
}

fn rows(edition: &Edition) -> Rows {
    let rows = |ruc| match edition.dataset().records() {
        RecordForm::Summary => vec![summary_row(&edition.summary(ruc).unwrap().unwrap())],
        RecordForm::Fields => edition.rows(ruc).unwrap().iter().map(row).collect(),
    };
    edition.rucs().map(Result::unwrap).map(|ruc| (ruc, sorted(rows(ruc)))).collect()
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort();
    rows
}

/// The rows of a taxpayer before a change.
fn before(change: &Change, mut rows: Vec<Row>) -> Vec<Row> {
    match &change.kind {
        ChangeKind::New { .. } => rows.clear(),
        ChangeKind::Gone { rows: gone } => rows.clone_from(gone),
        ChangeKind::Changed { fields } => fields.iter().for_each(|change| {
            assert_eq!(rows[0][change.field], change.after);
            rows[0][change.field].clone_from(&change.before);
        }),
        ChangeKind::Rows { removed, added } => {
            for row in added {
                rows.remove(rows.iter().position(|known| known == row).unwrap());
            }
            rows.extend(removed.clone());
        }
    }
    sorted(rows)
}

/// The rows before the list's changes.
fn undone(list: &ChangeList, mut rows: Rows) -> Rows {
    for change in list.changes().map(Result::unwrap) {
        let before = before(&change, rows.remove(&change.ruc).unwrap_or_default());
        if !before.is_empty() {
            rows.insert(change.ruc, before);
        }
    }
    rows
}

fn steps(workspace: &Workspace, dataset: &'static Dataset) -> Vec<Publication> {
    publications(&workspace.registry(), dataset).unwrap().steps.clone()
}

/// The only step's list.
fn only_list(workspace: &Workspace, dataset: &'static Dataset) -> ChangeList {
    let steps = steps(workspace, dataset);
    assert_eq!(steps.len(), 1, "{steps:?}");
    steps[0].changes().unwrap()
}

/// Imports a file of a day of November, whatever the guards say.
fn import(workspace: &Workspace, dataset: &'static Dataset, day: u32, content: &[u8]) -> ImportReport {
    let date = Some(date(&format!("2026-11-{day:02}")));
    workspace.try_import(dataset, &Import { date, force: true, ..workspace.request(content) }).unwrap()
}

/// RUC and field names of each change; a new or gone taxpayer has one of these words instead.
fn described(list: &ChangeList) -> Vec<String> {
    let describe = |kind: ChangeKind| match kind {
        ChangeKind::New { .. } => "new".to_owned(),
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
    let changes = list.changes().map(Result::unwrap);
    changes.map(|change| format!("{} {}", change.ruc, describe(change.kind))).collect()
}
