//! The changes of a taxpayer in all datasets, in one order.

use std::cmp::Reverse;
use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::{ChangedDatum, DatumChange, Edition, TaxpayerHistory};

/// The most changes of an answer.
const MOST: usize = 200;

/// One changed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryChange {
    /// The date of the first edition with the new value.
    pub date: Date,
    /// That edition's label.
    pub edition: Arc<str>,
    /// What changed.
    pub what: DatumChange,
}

/// The last changes since `from`, the newest edition first, and whether there are more.
pub(super) fn changes(history: &TaxpayerHistory, from: Date) -> (Vec<HistoryChange>, bool) {
    let TaxpayerHistory { summaries, lists, incapacity, sanctions, .. } = history;
    let mut found: Vec<(&Edition, DatumChange)> = Vec::new();
    for (edition, before, after) in summaries.changes() {
        let changes = match (before, after) {
            (Some(before), Some(after)) => DatumChange::of_summaries(before, after),
            (None, None) => Vec::new(),
            (before, after) => {
                vec![DatumChange::yes_no(ChangedDatum::Existence, before.is_some(), after.is_some())]
            }
        };
        found.extend(changes.into_iter().map(|change| (edition, change)));
    }
    let flags = lists.iter().map(|(list, timeline)| (ChangedDatum::List(list), timeline));
    for (datum, timeline) in flags.chain([(ChangedDatum::Capacity, incapacity)]) {
        let changed = timeline.changes().filter(|(_, before, after)| before != after);
        found.extend(changed.map(|(edition, before, after)| (edition, DatumChange::yes_no(datum, *before, *after))));
    }
    for (edition, before, after) in sanctions.changes() {
        found.extend(DatumChange::of_sanctions(before, after).into_iter().map(|change| (edition, change)));
    }
    found.retain(|(edition, _)| edition.date >= from);
    // Stable: in an edition, the changes stay in the order of the data.
    found.sort_by_key(|(edition, _)| Reverse(edition.date));
    let has_more = found.len() > MOST;
    let change = |(edition, what): (&Edition, _)| HistoryChange {
        date: edition.date,
        edition: Arc::clone(&edition.label),
        what,
    };
    (found.into_iter().take(MOST).map(change).collect(), has_more)
}
