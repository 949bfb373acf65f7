//! The watched RUCs with what the published files say of them.

use kuraka_app::{HistoryError, ListAnswer, ListItem, LookupError, RegistryBatch, calendar};
use kuraka_domain::text::without_accents;
use kuraka_domain::{ListedTaxpayer, Ruc, name};
use kuraka_ports::{FeedChange, ProfileParts, WatchCode, WatchEntry, dataset};

use crate::pages::change;
use crate::pages::status_summary::{DatasetAge, Severity, absence, glance};
use crate::panel::Panel;

/// Days in which a change is news.
pub(in crate::pages) const NEWS_DAYS: i32 = 30;
/// What the page shows of a taxpayer.
const PARTS: ProfileParts = ProfileParts::OPERATING_INCAPACITY;

#[derive(Default)]
pub(in crate::pages) struct WatchedRow {
    pub(in crate::pages) ruc: String,
    pub(super) code: String,
    pub(in crate::pages) name: String,
    pub(in crate::pages) tone: Severity,
    /// Empty if the RUC's data is not shown yet.
    pub(in crate::pages) situation: String,
    pub(super) change: Option<FeedChange>,
    /// Whether the last change is recent.
    pub(super) is_news: bool,
    /// In words, with its date.
    pub(super) last_change: String,
    pub(super) status: String,
    pub(super) condition: String,
}

/// What is searched for: texts without blanks, and the words of each.
pub(super) struct Search(Vec<(String, Vec<String>)>);

impl Search {
    pub(super) fn new(text: &str) -> Self {
        Self(text.split_whitespace().map(|part| (without_accents(part), name::words(part))).collect())
    }

    /// Whether every text is in the row's RUC or code, or its words are in the name.
    pub(super) fn finds(&self, row: &WatchedRow) -> bool {
        let Self(parts) = self;
        let (code, name) = (without_accents(&row.code), name::folded(&row.name));
        parts.iter().all(|(part, words)| {
            let is_in_name = || !words.is_empty() && words.iter().all(|word| name.contains(word.as_str()));
            row.ruc.contains(part.as_str()) || code.contains(part.as_str()) || is_in_name()
        })
    }
}

/// A person added today has RUC and code only.
pub(super) fn rows(panel: &Panel, batch: Option<&RegistryBatch>, watched: Vec<WatchEntry>) -> Vec<WatchedRow> {
    let rucs = watched.iter().map(|entry| (entry.watched.ruc, panel.watching.is_shown(entry)));
    let code = |entry: &WatchEntry| entry.watched.code.as_ref().map(WatchCode::as_str).unwrap_or_default().to_owned();
    let taxpayers = watched.iter().zip(taxpayers(panel, batch, rucs));
    taxpayers.map(|(entry, row)| WatchedRow { code: code(entry), ..row }).collect()
}

/// A row of each RUC, in order. One whose data is not shown has no situation.
pub(in crate::pages) fn taxpayers(
    panel: &Panel,
    batch: Option<&RegistryBatch>,
    rucs: impl Iterator<Item = (Ruc, bool)>,
) -> Vec<WatchedRow> {
    // Asked once: a person may become visible while rows are made.
    let rucs: Vec<(Ruc, bool)> = rucs.collect();
    let shown = rucs.iter().filter(|(_, is_shown)| *is_shown).map(|(ruc, _)| (*ruc, None)).collect();
    let mut rows = answers(panel, batch, shown).into_iter();
    let row = |(ruc, is_shown): &(Ruc, bool)| {
        let hidden = WatchedRow { tone: Severity::Unknown, ..WatchedRow::default() };
        let shown = if *is_shown { rows.next() } else { None };
        WatchedRow { ruc: ruc.to_string(), ..shown.unwrap_or(hidden) }
    };
    rucs.iter().map(row).collect()
}

/// A row of each item, in order; without a batch, nothing is known of them.
fn answers(panel: &Panel, batch: Option<&RegistryBatch>, items: Vec<ListItem>) -> Vec<WatchedRow> {
    let Some(batch) = batch else { return items.iter().map(|_| unknown()).collect() };
    let (statuses, today) = (panel.datasets.statuses(), calendar::today(panel.clock.now()));
    let age = |name| DatasetAge::from_snapshot(&*batch.snapshot, &statuses, name);
    let (padron, incapable) = (age(dataset::PADRON), age(dataset::OPERATING_CAPACITY));
    let row = |((ruc, _), answer): (&ListItem, ListAnswer)| {
        let known = known(answer, padron, incapable);
        let change = panel.watching.last_change(&*batch.snapshot, *ruc);
        let last_change = change.as_ref().map(|last| change::with_day(last, &statuses)).unwrap_or_default();
        let days = |change: &FeedChange| today.days_since_epoch() - change.date.days_since_epoch();
        let is_news = change.as_ref().is_some_and(|change| days(change) <= NEWS_DAYS);
        WatchedRow { change, is_news, last_change, ..known }
    };
    items.iter().zip(batch.answers(&items, PARTS)).map(row).collect()
}

fn unknown() -> WatchedRow {
    WatchedRow { tone: Severity::Unknown, situation: "No se sabe".to_owned(), ..WatchedRow::default() }
}

/// What the files say of a taxpayer.
fn known(answer: ListAnswer, padron: DatasetAge, incapable: DatasetAge) -> WatchedRow {
    let absent = |is_proven| {
        let (tone, situation) = absence(is_proven);
        WatchedRow { tone, situation: situation.to_owned(), ..WatchedRow::default() }
    };
    match answer {
        Ok(Some(ListedTaxpayer::Now(profile))) => {
            let (tone, situation, _) = glance(&profile, padron, incapable);
            let summary = profile.summary;
            let (status, condition) = (summary.status.as_str().to_owned(), summary.condition.as_str().to_owned());
            WatchedRow { tone, situation, status, condition, name: summary.name, ..WatchedRow::default() }
        }
        Ok(None) => absent(true),
        Err(HistoryError::Registry(LookupError::StaleMiss { .. })) => absent(false),
        Ok(Some(ListedTaxpayer::OnDay(_))) | Err(_) => unknown(),
    }
}
