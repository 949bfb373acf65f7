//! What is not well, worst first.

use std::time::Duration;

use kuraka_ports::{AttemptOutcome, DatasetState, DatasetStatus};

use crate::operator::Health;
use crate::source_status::State;
use crate::spanish;

pub(super) struct Finding {
    pub(super) tone: &'static str,
    pub(super) text: String,
}

pub(super) fn findings(datasets: &[DatasetStatus], health: &Health) -> Vec<Finding> {
    let mut found: Vec<Finding> = datasets.iter().filter_map(of_dataset).collect();
    let mut add = |tone, text| found.push(Finding { tone, text });
    for (job, since, _) in health.jobs.iter().filter(|(.., is_stalled)| *is_stalled) {
        add("bad", format!("La tarea {job} no termina bien desde hace {}.", ago(*since)));
    }
    let [hour, day] = &health.periods;
    let internal = |(code, _): &&(String, u64)| code == "internal_error";
    let errors: u64 = hour.answers.values().flatten().filter(internal).map(|(_, count)| count).sum();
    if errors > 0 {
        add("bad", format!("Respuestas con error interno en la última hora: {}.", spanish::number(errors)));
    }
    for (source, _) in health.sources.iter().filter(|(_, state)| *state == State::Paused) {
        add("warn", format!("La fuente {source} falla y está en pausa."));
    }
    for (count, what) in [
        (day.mails_given_up, "Correos que no se pudieron enviar en el último día"),
        (health.mails[1], "Correos que se vuelven a intentar"),
        (health.webhooks.disabled, "Avisos desactivados porque fallaban"),
    ] {
        if count > 0 {
            add("warn", format!("{what}: {}.", spanish::number(count)));
        }
    }
    found.sort_by_key(|finding| finding.tone != "bad");
    found
}

fn of_dataset(status: &DatasetStatus) -> Option<Finding> {
    let failed = status.last_attempt.as_ref().is_some_and(|last| matches!(last.outcome, AttemptOutcome::Failed { .. }));
    let (tone, what) = match status.state {
        DatasetState::NotEnabled => return None,
        DatasetState::NeverImported if status.is_required => ("bad", "no tiene ninguna edición"),
        DatasetState::Unreadable | DatasetState::Unusable => ("bad", "está dañado"),
        DatasetState::Fallback => ("warn", "responde con una edición anterior, porque la última está dañada"),
        DatasetState::Loaded if status.is_too_old => ("warn", "está atrasado"),
        DatasetState::Loaded | DatasetState::NeverImported if failed => ("warn", "no se pudo actualizar"),
        DatasetState::Loaded | DatasetState::NeverImported => return None,
    };
    Some(Finding { tone, text: format!("{} {what}.", status.title) })
}

/// `45 s`, `12 min`, `3 h`.
pub(super) fn ago(time: Duration) -> String {
    match time.as_secs() {
        seconds @ ..=90 => format!("{seconds} s"),
        seconds @ 91..=5_400 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}
