//! The text of a dataset's row on the status page.

use kuraka_ports::{AttemptOutcome, DatasetAttempt, DatasetState, DatasetStatus, EditionOrigin};

use crate::spanish;

/// A dataset, as text.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) tone: &'static str,
    pub(super) word: &'static str,
    pub(super) edition: Option<Edition>,
    pub(super) last_attempt: Option<Attempt>,
    pub(super) meaning: String,
}

/// A dataset's edition, as text.
pub(super) struct Edition {
    pub(super) date: String,
    pub(super) age: String,
    pub(super) rows: String,
    pub(super) label: String,
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
        age: age(dataset.age_days.unwrap_or_default()),
        rows: spanish::number(edition.rows),
        label: edition.label.to_string(),
    });
    let last_attempt = dataset.last_attempt.map(|attempt| self::attempt(&attempt));
    Row { name: dataset.name, title: dataset.title, tone, word, edition, last_attempt, meaning }
}

/// Tone and word of a dataset's state, and what it means for callers if it is not the usual one.
fn words(dataset: &DatasetStatus) -> (&'static str, &'static str, String) {
    let is_sample = dataset.edition.as_ref().is_some_and(|edition| edition.origin == EditionOrigin::Sample);
    let (tone, word, meaning) = match dataset.state {
        DatasetState::Loaded if is_sample => ("warn", "Muestra", "Datos de demostración, no el archivo completo."),
        DatasetState::Loaded if dataset.is_too_old => ("warn", "Atrasado", dataset.when_too_old),
        DatasetState::Loaded => ("good", "Al día", ""),
        DatasetState::Fallback => {
            ("warn", "Edición anterior", "La última edición está dañada: responde con la anterior.")
        }
        DatasetState::Unreadable | DatasetState::Unusable => {
            ("bad", "Dañado", "Su archivo no se puede leer. Se vuelve a intentar solo.")
        }
        DatasetState::NeverImported if dataset.is_required => ("bad", "Sin datos", dataset.when_absent),
        DatasetState::NeverImported => ("", "No importado", dataset.when_absent),
        DatasetState::NotEnabled => ("", "No se usa", ""),
    };
    let progress = dataset.progress.map(|progress| match progress.percent {
        Some(percent) => format!("Se está actualizando: {percent} %."),
        None => "Se está actualizando.".to_owned(),
    });
    (tone, word, [meaning.to_owned(), progress.unwrap_or_default()].join(" ").trim().to_owned())
}

/// `hoy`, `hace 1 día`, `hace 20 días`.
fn age(days: i32) -> String {
    match days {
        ..0 => "con fecha futura".to_owned(),
        0 => "hoy".to_owned(),
        1 => "hace 1 día".to_owned(),
        days => format!("hace {days} días"),
    }
}

fn attempt(attempt: &DatasetAttempt) -> Attempt {
    let result = match attempt.outcome {
        AttemptOutcome::Published { .. } => "se actualizó",
        AttemptOutcome::Unchanged => "sin novedades",
        AttemptOutcome::Failed { .. } => "falló",
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
