//! The text of a dataset's row on the status page.

use kuraka_ports::{AttemptOutcome, DatasetAttempt, DatasetState, DatasetStatus, EditionOrigin};

/// Tone and word of a state, and its meaning for callers if unusual.
pub(in crate::pages) fn words(dataset: &DatasetStatus) -> (&'static str, &'static str, String) {
    let is_sample = dataset.edition.as_ref().is_some_and(|edition| edition.origin == EditionOrigin::Sample);
    let (tone, word, meaning) = match dataset.state {
        DatasetState::Loaded if is_sample => ("warn", "Muestra", "Datos de demostración, no el archivo completo."),
        DatasetState::Loaded if dataset.is_too_old => ("warn", "Atrasado", dataset.when_too_old),
        DatasetState::Loaded => ("good", "Al día", ""),
        DatasetState::Fallback => {
            ("warn", "Edición anterior", "La última edición está dañada: responde con la anterior.")
        }
        DatasetState::Unreadable | DatasetState::Unusable => {
            ("bad", "Dañado", "El archivo no se puede leer. Se reintenta automáticamente.")
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
pub(in crate::pages) fn age(dataset: &DatasetStatus) -> String {
    match dataset.age_days.unwrap_or_default() {
        ..0 => "con fecha futura".to_owned(),
        0 => "hoy".to_owned(),
        1 => "hace 1 día".to_owned(),
        days => format!("hace {days} días"),
    }
}

pub(in crate::pages) const fn result(attempt: &DatasetAttempt) -> &'static str {
    match attempt.outcome {
        AttemptOutcome::Published { .. } => "se actualizó",
        AttemptOutcome::Unchanged => "sin novedades",
        AttemptOutcome::Failed { .. } => "falló",
    }
}

/// The sources of the available datasets, each once.
pub(super) fn attributions(datasets: &[DatasetStatus]) -> Vec<&'static str> {
    let mut texts: Vec<&'static str> = Vec::new();
    for dataset in datasets.iter().filter(|dataset| dataset.edition.is_some()) {
        if !texts.contains(&dataset.attribution) {
            texts.push(dataset.attribution);
        }
    }
    texts
}
