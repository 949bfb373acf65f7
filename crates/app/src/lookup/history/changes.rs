//! The changes of a taxpayer in all datasets, in one order.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use kuraka_domain::{Date, TaxpayerSummary};
use kuraka_ports::{Edition, TaxpayerHistory};

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
    pub datum: ChangedDatum,
    /// Its value before.
    pub before: Cow<'static, str>,
    /// Its value after.
    pub after: Cow<'static, str>,
}

/// What changed, in the order of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedDatum {
    /// Whether the padrón has the taxpayer.
    Existence,
    /// The name.
    Name,
    /// The status.
    Status,
    /// The condition.
    Condition,
    /// The address.
    Address,
    /// The department.
    Department,
    /// The province.
    Province,
    /// The district.
    District,
    /// Whether it is on the list with this name.
    List(&'static str),
    /// Whether it was declared without operating capacity.
    Capacity,
    /// A sanction.
    Sanction,
}

/// The last changes since `from`, the newest edition first, and whether there are more.
pub(super) fn changes(history: &TaxpayerHistory, from: Date) -> (Vec<HistoryChange>, bool) {
    let TaxpayerHistory { summaries, lists, incapacity, sanctions, .. } = history;
    let mut found = Vec::new();
    for (edition, before, after) in summaries.changes() {
        match (before, after) {
            (Some(before), Some(after)) => summary(edition, before, after, &mut found),
            (None, None) => {}
            (before, after) => found.push(yes_no(edition, ChangedDatum::Existence, before.is_some(), after.is_some())),
        }
    }
    let flags = lists.iter().map(|(list, timeline)| (ChangedDatum::List(list), timeline));
    for (datum, timeline) in flags.chain([(ChangedDatum::Capacity, incapacity)]) {
        let changed = timeline.changes().filter(|(_, before, after)| before != after);
        found.extend(changed.map(|(edition, before, after)| yes_no(edition, datum, *before, *after)));
    }
    for (edition, before, after) in sanctions.changes() {
        let mut added: Vec<_> = after.clone();
        let mut removed = before.clone();
        removed.retain(|old| added.iter().position(|new| new == old).map(|at| added.swap_remove(at)).is_none());
        for (mut periods, is_new) in [(removed, false), (added, true)] {
            periods.sort();
            for (since, until) in periods {
                let kind = if until.is_some() { "TEMPORAL" } else { "DEFINITIVA" };
                let text = Cow::Owned(format!("{kind} desde {since}"));
                let (before, after) = if is_new { (Cow::Borrowed(""), text) } else { (text, Cow::Borrowed("")) };
                found.push(change(edition, ChangedDatum::Sanction, before, after));
            }
        }
    }
    found.retain(|change| change.date >= from);
    // Stable: in an edition, the changes stay in the order of the data.
    found.sort_by_key(|change| Reverse(change.date));
    let has_more = found.len() > MOST;
    found.truncate(MOST);
    (found, has_more)
}

fn summary(edition: &Edition, before: &TaxpayerSummary, after: &TaxpayerSummary, found: &mut Vec<HistoryChange>) {
    if before.name != after.name {
        found.push(texts(edition, ChangedDatum::Name, &before.name, &after.name));
    }
    if before.status != after.status {
        found.push(texts(edition, ChangedDatum::Status, before.status.as_str(), after.status.as_str()));
    }
    if before.condition != after.condition {
        found.push(texts(edition, ChangedDatum::Condition, before.condition.as_str(), after.condition.as_str()));
    }
    if before.address != after.address {
        found.push(texts(edition, ChangedDatum::Address, &before.address, &after.address));
    }
    if before.ubigeo != after.ubigeo {
        let places = |summary: &TaxpayerSummary| {
            let place = summary.ubigeo;
            let province = place.and_then(|place| place.province()).unwrap_or_default();
            let district = place.and_then(|place| place.district()).unwrap_or_default();
            [
                (ChangedDatum::Department, summary.department()),
                (ChangedDatum::Province, province),
                (ChangedDatum::District, district),
            ]
        };
        let pairs = places(before).into_iter().zip(places(after)).filter(|(before, after)| before != after);
        let place = |((datum, before), (_, after))| change(edition, datum, Cow::Borrowed(before), Cow::Borrowed(after));
        found.extend(pairs.map(place));
    }
}

fn yes_no(edition: &Edition, datum: ChangedDatum, before: bool, after: bool) -> HistoryChange {
    let text = |is: bool| Cow::Borrowed(if is { "SI" } else { "NO" });
    change(edition, datum, text(before), text(after))
}

fn texts(edition: &Edition, datum: ChangedDatum, before: &str, after: &str) -> HistoryChange {
    change(edition, datum, Cow::Owned(before.to_owned()), Cow::Owned(after.to_owned()))
}

fn change(
    edition: &Edition,
    datum: ChangedDatum,
    before: Cow<'static, str>,
    after: Cow<'static, str>,
) -> HistoryChange {
    HistoryChange { date: edition.date, edition: Arc::clone(&edition.label), datum, before, after }
}
