//! The changes of a taxpayer in all datasets, in one order.

use std::cmp::Reverse;
use std::sync::Arc;

use kuraka_domain::{Date, Ruc};
use kuraka_ports::{ChangedDatum, DatumChange, Edition, FeedChange, TaxpayerHistory};

const MAX_CHANGES: usize = 200;

/// The last changes of `ruc` since `from`, newest edition first, and whether there are more.
pub(crate) fn changes(history: &TaxpayerHistory<'_>, ruc: Ruc, from: Date) -> (Vec<FeedChange>, bool) {
    let TaxpayerHistory { summaries, flags, sanctions, .. } = history;
    let mut found = Vec::new();
    let mut add = |edition: &Edition, what| {
        if edition.date >= from {
            found.push(FeedChange { ruc, date: edition.date, edition: Arc::clone(&edition.label), what });
        }
    };
    for (edition, before, after) in summaries.changes() {
        if let (Some(before), Some(after)) = (before, after) {
            DatumChange::between_summaries(before, after).for_each(|change| add(edition, change));
        } else if before.is_some() != after.is_some() {
            add(edition, DatumChange::yes_no(ChangedDatum::Existence, before.is_some(), after.is_some()));
        }
    }
    for (datum, timeline) in flags {
        let changed = timeline.changes().filter(|(_, before, after)| before != after);
        changed.for_each(|(edition, before, after)| add(edition, DatumChange::yes_no(*datum, *before, *after)));
    }
    for (edition, before, after) in sanctions.changes() {
        DatumChange::between_sanctions(before, after).into_iter().for_each(|change| add(edition, change));
    }
    // Stable: within an edition the order of the data stays.
    found.sort_by_key(|change| Reverse(change.date));
    let has_more = found.len() > MAX_CHANGES;
    found.truncate(MAX_CHANGES);
    (found, has_more)
}
