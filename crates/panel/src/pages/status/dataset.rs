//! The text of a dataset's row on the status page.

use crate::dataset_status::{AttemptResult, DatasetAttempt, DatasetState, DatasetStatus};
use crate::spanish;

/// A dataset, as text.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) tone: &'static str,
    pub(super) word: &'static str,
    pub(super) edition: Option<Edition>,
    pub(super) last_attempt: Option<Attempt>,
    pub(super) meaning: &'static str,
}

/// A dataset's edition, as text.
pub(super) struct Edition {
    pub(super) date: String,
    pub(super) age: String,
    pub(super) rows: String,
}

/// An attempt to update a dataset, as text.
pub(super) struct Attempt {
    pub(super) at: String,
    pub(super) result: &'static str,
}

pub(super) fn row(dataset: DatasetStatus) -> Row {
    let (tone, word, meaning) = words(&dataset);
    let edition = dataset.edition.map(|edition| Edition {
        date: spanish::day(edition.date),
        age: age(edition.age_days),
        rows: spanish::number(edition.rows),
    });
    let last_attempt = dataset.last_attempt.map(attempt);
    Row { name: dataset.name, title: dataset.title, tone, word, edition, last_attempt, meaning }
}

/// Tone and word of a dataset's state, and what it means for callers if it is not the usual one.
fn words(dataset: &DatasetStatus) -> (&'static str, &'static str, &'static str) {
    match dataset.state {
        DatasetState::Loaded if dataset.edition.as_ref().is_some_and(|edition| edition.is_sample) => {
            ("warn", "Muestra", "")
        }
        DatasetState::Loaded if dataset.is_overdue => {
            ("warn", "Atrasado", "Responde con su última edición; falta una más reciente.")
        }
        DatasetState::Loaded => ("good", "Al día", ""),
        DatasetState::Fallback => {
            ("warn", "Edición anterior", "La última edición está dañada: responde con la anterior.")
        }
        DatasetState::Unreadable | DatasetState::Unusable => {
            ("bad", "Dañado", "Su archivo no se puede leer. Se vuelve a intentar solo.")
        }
        DatasetState::InPadron => {
            ("good", "En el padrón", "Responde con lo importado junto al padrón, sin fecha ni resolución.")
        }
        DatasetState::NeverImported => ("", "No importado", ""),
        DatasetState::NotEnabled => ("", "No se usa", ""),
    }
}

/// `hoy`, `hace 1 día`, `hace 20 días`.
pub(super) fn age(days: i32) -> String {
    match days {
        ..=0 => "hoy".to_owned(),
        1 => "hace 1 día".to_owned(),
        days => format!("hace {days} días"),
    }
}

pub(super) fn attempt(attempt: DatasetAttempt) -> Attempt {
    let result = match attempt.result {
        AttemptResult::Published => "se actualizó",
        AttemptResult::Unchanged => "sin novedades",
        AttemptResult::Failed => "falló",
    };
    Attempt { at: spanish::moment(attempt.at), result }
}

/// The sources of the datasets that answer, each once.
pub(super) fn attributions(datasets: &[DatasetStatus]) -> Vec<&'static str> {
    let mut texts: Vec<&'static str> = Vec::new();
    for dataset in datasets.iter().filter(|dataset| dataset.edition.is_some()) {
        if !texts.contains(&dataset.attribution) {
            texts.push(dataset.attribution);
        }
    }
    texts
}
