//! The watched RUCs with what the published files say of them.

use kuraka_app::{HistoryChange, calendar};
use kuraka_domain::text::without_accents;
use kuraka_domain::{Date, Ruc, name};
use kuraka_ports::{DatasetStatus, ProfileParts, RegistrySnapshot, WatchCode, WatchEntry, WatchedRuc};

use crate::pages::change;
use crate::pages::status_summary::{Severity, StatusSummary};
use crate::panel::Panel;
use crate::spanish;

/// Days in which a change is news.
pub(in crate::pages) const NEWS_DAYS: i32 = 30;
/// What the page shows of a taxpayer.
const PARTS: ProfileParts = ProfileParts::OPERATING_INCAPACITY.and(ProfileParts::SANCTIONS);

#[derive(Default)]
pub(in crate::pages) struct WatchedRow {
    pub(super) ruc: String,
    pub(super) code: String,
    pub(in crate::pages) name: String,
    pub(in crate::pages) tone: Severity,
    /// Empty if the RUC's data is not shown yet.
    pub(in crate::pages) situation: String,
    pub(super) change: Option<HistoryChange>,
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
pub(super) fn rows(panel: &Panel, watched: Vec<WatchEntry>) -> Vec<WatchedRow> {
    let (snapshot, statuses) = (panel.watching.snapshot(), panel.datasets.statuses());
    let row = |entry: WatchEntry| {
        let WatchedRuc { ruc, code } = &entry.watched;
        let known = if panel.watching.is_shown(&entry) {
            row(panel, snapshot.as_deref(), &statuses, *ruc)
        } else {
            WatchedRow { tone: Severity::Unknown, ..WatchedRow::default() }
        };
        let code = code.as_ref().map(WatchCode::as_str).unwrap_or_default().to_owned();
        WatchedRow { ruc: ruc.to_string(), code, ..known }
    };
    watched.into_iter().map(row).collect()
}

pub(in crate::pages) fn row(
    panel: &Panel,
    snapshot: Option<&dyn RegistrySnapshot>,
    statuses: &[DatasetStatus],
    ruc: Ruc,
) -> WatchedRow {
    let today = calendar::today(panel.clock.now());
    let change = snapshot.and_then(|snapshot| panel.watching.last_change(snapshot, ruc));
    let words = |last: &HistoryChange| format!("{}: {}", spanish::day(last.date), change::text(&last.what, statuses));
    let [mut name, mut status, mut condition] = [const { String::new() }; 3];
    let (tone, situation) = match snapshot.map(|snapshot| (snapshot, snapshot.profile(ruc, PARTS))) {
        Some((snapshot, Ok(Some(profile)))) => {
            let StatusSummary { tone, headline, .. } = StatusSummary::new(&profile, snapshot, statuses, today);
            let summary = profile.summary;
            (status, condition) = (summary.status.as_str().to_owned(), summary.condition.as_str().to_owned());
            name = summary.name;
            (tone, headline)
        }
        Some((_, Ok(None))) => (Severity::Warn, "No está en el padrón".to_owned()),
        Some((_, Err(_))) | None => (Severity::Unknown, "No se sabe".to_owned()),
    };
    let last_change = change.as_ref().map(words).unwrap_or_default();
    let is_news = change.as_ref().is_some_and(|change| age(change.date, today) <= NEWS_DAYS);
    WatchedRow { name, tone, situation, change, is_news, last_change, status, condition, ..WatchedRow::default() }
}

const fn age(date: Date, today: Date) -> i32 {
    today.days_since_epoch() - date.days_since_epoch()
}
