//! A recorded change as data of the feed.

use kuraka_domain::{DatasetRole, Date, TaxpayerSummary};
use kuraka_ports::{ChangedDatum, DatumChange, SanctionPeriod};
use kuraka_registry::changes::{Change, ChangeKind, FieldChange, Row, set_field};
use kuraka_registry::dataset::{ALL, Dataset};

/// What a dataset's recorded changes say of a taxpayer.
pub(in crate::datasets) enum Said {
    Summary,
    /// Whether it is there.
    Flag(ChangedDatum),
    /// The first and last days of its rows.
    Periods,
    Nothing,
}

impl Said {
    pub(in crate::datasets) const fn by(dataset: &Dataset) -> Self {
        match dataset.role {
            DatasetRole::Summary => Self::Summary,
            DatasetRole::List(_) => Self::Flag(ChangedDatum::List(dataset.name)),
            DatasetRole::Capacity => Self::Flag(ChangedDatum::Capacity),
            DatasetRole::Sanctions => Self::Periods,
            DatasetRole::Annexes | DatasetRole::OpenData | DatasetRole::ExchangeRate => Self::Nothing,
        }
    }
}

pub(in crate::datasets) fn all() -> Vec<ChangedDatum> {
    let is_list = |dataset: &&&Dataset| matches!(dataset.role, DatasetRole::List(_)) && dataset.history.is_some();
    ChangedDatum::all(ALL.iter().filter(is_list).map(|dataset| dataset.name))
}

/// The data of a change, in the order of an answer.
pub(super) fn changes(dataset: &Dataset, fields: &[String], change: &Change) -> Vec<DatumChange> {
    let datum = match Said::by(dataset) {
        Said::Summary => ChangedDatum::Existence,
        Said::Flag(datum) => datum,
        Said::Periods => return sanctions(fields, &change.kind),
        Said::Nothing => return Vec::new(),
    };
    match &change.kind {
        ChangeKind::New { .. } => vec![DatumChange::yes_no(datum, false, true)],
        ChangeKind::Gone { .. } => vec![DatumChange::yes_no(datum, true, false)],
        ChangeKind::Changed { fields: changed } if datum == ChangedDatum::Existence => {
            let (mut before, mut after) = (TaxpayerSummary::empty(change.ruc), TaxpayerSummary::empty(change.ruc));
            for FieldChange { field, before: old, after: new } in changed {
                let field = fields.get(*field).map_or("", String::as_str);
                set_field(&mut before, field, old.clone());
                set_field(&mut after, field, new.clone());
            }
            DatumChange::between_summaries(&before, &after).collect()
        }
        // It stays on the list, with other facts.
        ChangeKind::Changed { .. } | ChangeKind::Rows { .. } => Vec::new(),
    }
}

/// The first and last day of each sanction. A row without a first day is skipped: every imported row has one.
pub(in crate::datasets) fn periods(fields: &[impl AsRef<str>], rows: &[Row]) -> Vec<SanctionPeriod> {
    let day = |row: &Row, name: &str| {
        let place = fields.iter().position(|field| field.as_ref() == name)?;
        Date::parse(row.get(place)?.as_deref()?).ok()
    };
    rows.iter().filter_map(|row| Some((day(row, "desde")?, day(row, "hasta")))).collect()
}

fn sanctions(fields: &[String], change: &ChangeKind) -> Vec<DatumChange> {
    let periods = |rows: &[Row]| periods(fields, rows);
    let (before, after) = match change {
        ChangeKind::New { rows } => (Vec::new(), periods(rows)),
        ChangeKind::Gone { rows } => (periods(rows), Vec::new()),
        ChangeKind::Rows { removed, added } => (periods(removed), periods(added)),
        ChangeKind::Changed { .. } => return Vec::new(),
    };
    DatumChange::between_sanctions(&before, &after)
}
