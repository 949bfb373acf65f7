//! A taxpayer's past on its sheet: a day, the changes, the months of the open data.

use kuraka_app::{HistoryError, RecordedTaxpayer};
use kuraka_domain::{Date, DomicileCondition, TaxpayerStatus};
use kuraka_ports::{ChangedDatum, DatasetStatus, FeedChange, MonthlyHistory};

use crate::pages::change;
use crate::pages::status_summary::{Severity, condition_tone, status_tone};
use crate::spanish;

/// Changes and months shown at first.
pub(super) const SHOWN: usize = 5;

#[derive(Default)]
pub(super) struct History {
    pub(super) asked: String,
    pub(super) refused: Option<String>,
    pub(super) bounds: Option<(Date, Date)>,
    /// Since when the shown values hold, or why that is unknown.
    pub(super) since: String,
    pub(super) changes: Vec<Entry>,
    pub(super) has_more: bool,
    pub(super) months: Vec<Entry>,
    pub(super) months_note: String,
}

/// A day or a month, and what was new.
pub(super) struct Entry {
    pub(super) when: String,
    pub(super) tone: Severity,
    pub(super) texts: Vec<String>,
}

impl History {
    pub(super) fn new(
        asked: &str,
        known: Result<Option<RecordedTaxpayer>, HistoryError>,
        without_day: impl FnOnce() -> Option<RecordedTaxpayer>,
        statuses: &[DatasetStatus],
        today: Date,
    ) -> Self {
        let (known, refused) = match known {
            Ok(known) => (known, None),
            Err(HistoryError::NotCovered { date, periods }) => {
                (without_day(), Some(spanish::not_covered(date.ok(), &periods)))
            }
            Err(HistoryError::NoRecord | HistoryError::Registry(_)) => (None, None),
        };
        let asked = asked.to_owned();
        let Some(known) = known else {
            let since = "Este servicio no puede leer su registro de cambios ahora.".to_owned();
            return Self { asked, since, refused, ..Self::default() };
        };
        let months = known.months.as_ref();
        Self {
            asked,
            refused,
            bounds: Some((known.from, today)),
            since: since(&known, today),
            changes: by_day(&known.changes, statuses),
            has_more: known.has_more_changes,
            months: months.map(month_entries).unwrap_or_default(),
            months_note: months.map(about_months).unwrap_or_default(),
        }
    }

    /// Whether it says more than "nothing has changed".
    pub(super) fn is_printed(&self) -> bool {
        !self.changes.is_empty() || self.months.len() > 1
    }
}

fn since(known: &RecordedTaxpayer, today: Date) -> String {
    let text = |date: Date| match date <= known.from {
        true => format!("desde el {} o antes", spanish::day(known.from)),
        false => format!("desde el {}", spanish::day(date)),
    };
    if let Some(day) = &known.on_day {
        let is_of_state = |change: &&FeedChange| {
            let what = change.what.datum;
            what == ChangedDatum::Status || what == ChangedDatum::Condition || what == ChangedDatum::Existence
        };
        let last = known.changes.iter().filter(is_of_state).find(|change| change.date <= day.date);
        return match last {
            Some(change) => format!("Era así {}.", text(change.date)),
            None if known.has_more_changes => String::new(),
            None => format!("Era así {}.", text(known.from)),
        };
    }
    let Some((status, condition)) = known.valid_since else {
        return format!("El registro de este servicio comienza el {}.", spanish::day(known.from));
    };
    let changed = status.max(condition);
    let ago = match today.days_since_epoch() - changed.days_since_epoch() {
        _ if changed <= known.from => String::new(),
        0 => " Cambió hoy.".to_owned(),
        1 => " Cambió hace 1 día.".to_owned(),
        days => format!(" Cambió hace {days} días."),
    };
    if status == condition {
        return format!("El estado y la condición actuales rigen {}.{ago}", text(status));
    }
    format!("La condición actual rige {}; el estado, {}.{ago}", text(condition), text(status))
}

/// Changes by day, newest first.
fn by_day(changes: &[FeedChange], statuses: &[DatasetStatus]) -> Vec<Entry> {
    let entry = |changes: &[FeedChange]| Entry {
        when: changes.first().map(|change| spanish::day(change.date)).unwrap_or_default(),
        tone: changes.iter().map(tone).max().unwrap_or(Severity::Plain),
        texts: changes.iter().map(|change| change::text(&change.what, statuses)).collect(),
    };
    changes.chunk_by(|a, b| a.date == b.date).map(entry).collect()
}

fn tone(change: &FeedChange) -> Severity {
    let is_yes = change.what.after == "SI";
    if change.what.datum == ChangedDatum::Status {
        status_tone(&TaxpayerStatus::from_text(&change.what.after))
    } else if change.what.datum == ChangedDatum::Condition {
        condition_tone(&DomicileCondition::from_text(&change.what.after))
    } else if change.what.datum == ChangedDatum::Capacity && is_yes {
        Severity::Bad
    } else if change.what.datum == ChangedDatum::Existence && !is_yes {
        Severity::Warn
    } else {
        Severity::Note
    }
}

fn month_entries(months: &MonthlyHistory) -> Vec<Entry> {
    let entries = months.changes.iter().map(|(month, state)| {
        let (tone, text) = match state {
            None => (Severity::Plain, "No figura en el archivo de ese mes".to_owned()),
            Some(state) => {
                let condition = condition_tone(&DomicileCondition::from_text(&state.condition));
                let tone = condition.max(status_tone(&TaxpayerStatus::from_text(&state.status)));
                (tone, format!("{} · {}", state.condition, state.status))
            }
        };
        Entry { when: spanish::month_of(*month), tone, texts: vec![text] }
    });
    entries.collect()
}

fn about_months(months: &MonthlyHistory) -> String {
    let record = &months.record;
    let missing = match record.missing.len() {
        0 => String::new(),
        1 => " Falta un mes.".to_owned(),
        many => format!(" Faltan {many} meses."),
    };
    let (first, last) = (spanish::month_of(record.first), spanish::month_of(record.last));
    if first == last {
        return format!("Solo hay datos de {first}. El dato es mensual: no indica el día exacto.");
    }
    format!("Cada mes en que cambió, de {first} a {last}.{missing} El dato es mensual: no indica el día.")
}
