//! A recorded change as data of the feed.

use kuraka_domain::{DatasetRole, Date, DomicileCondition, TaxpayerStatus, TaxpayerSummary, Ubigeo};
use kuraka_ports::{ChangedDatum, DatumChange, SanctionPeriod};
use kuraka_registry::changes::{Cell, Change, ChangeKind, FieldChange, Row};
use kuraka_registry::dataset::{ALL, Dataset};

pub(in crate::datasets) fn all() -> Vec<ChangedDatum> {
    let is_list = |dataset: &&&Dataset| matches!(dataset.role, DatasetRole::List(_)) && dataset.history.is_some();
    ChangedDatum::all(ALL.iter().filter(is_list).map(|dataset| dataset.name))
}

/// The data of a change, in the order of an answer.
pub(super) fn changes(dataset: &Dataset, fields: &[String], change: &Change) -> Vec<DatumChange> {
    let datum = match dataset.role {
        DatasetRole::Summary => ChangedDatum::Existence,
        DatasetRole::Sanctions => return sanctions(fields, &change.kind),
        DatasetRole::Capacity => ChangedDatum::Capacity,
        DatasetRole::List(_) => ChangedDatum::List(dataset.name),
        // They record no changes.
        DatasetRole::Annexes | DatasetRole::OpenData | DatasetRole::ExchangeRate => return Vec::new(),
    };
    match &change.kind {
        ChangeKind::New { .. } => vec![DatumChange::yes_no(datum, false, true)],
        ChangeKind::Gone { .. } => vec![DatumChange::yes_no(datum, true, false)],
        ChangeKind::Changed { fields: changed } if datum == ChangedDatum::Existence => {
            let (mut before, mut after) = (TaxpayerSummary::empty(change.ruc), TaxpayerSummary::empty(change.ruc));
            for FieldChange { field, before: old, after: new } in changed {
                let field = fields.get(*field).map_or("", String::as_str);
                set(&mut before, field, old);
                set(&mut after, field, new);
            }
            DatumChange::between_summaries(&before, &after).collect()
        }
        // It stays on the list, with other facts.
        ChangeKind::Changed { .. } | ChangeKind::Rows { .. } => Vec::new(),
    }
}

fn set(summary: &mut TaxpayerSummary, field: &str, value: &Cell) {
    let text = value.clone().unwrap_or_default();
    match field {
        "nombre_o_razon_social" => summary.name = text,
        "estado" => summary.status = TaxpayerStatus::from_text(&text),
        "condicion" => summary.condition = DomicileCondition::from_text(&text),
        // Another program may have written the list.
        "direccion" | "ubigeo" if summary.ruc.is_personal() => {}
        "direccion" => summary.address = text,
        "ubigeo" => summary.ubigeo = Ubigeo::parse(&text).ok(),
        _ => {}
    }
}

fn sanctions(fields: &[String], change: &ChangeKind) -> Vec<DatumChange> {
    let place = |name: &str| fields.iter().position(|field| field == name);
    let (Some(since), Some(until)) = (place("desde"), place("hasta")) else { return Vec::new() };
    let day = |cell: Option<&Cell>| cell?.as_deref().and_then(|text| Date::parse(text).ok());
    let period = |row: &Row| Some((day(row.get(since))?, day(row.get(until))));
    let periods = |rows: &[Row]| -> Vec<SanctionPeriod> { rows.iter().filter_map(period).collect() };
    let (before, after) = match change {
        ChangeKind::New { rows } => (Vec::new(), periods(rows)),
        ChangeKind::Gone { rows } => (periods(rows), Vec::new()),
        ChangeKind::Rows { removed, added } => (periods(removed), periods(added)),
        ChangeKind::Changed { .. } => return Vec::new(),
    };
    DatumChange::between_sanctions(&before, &after)
}
