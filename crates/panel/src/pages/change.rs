//! A change of a taxpayer in words.

use kuraka_ports::{ChangedDatum, DatasetStatus, DatumChange, FeedChange};

use crate::spanish;

/// `8 nov 2026: Condición: HABIDO → NO HABIDO`.
pub(super) fn with_day(change: &FeedChange, statuses: &[DatasetStatus]) -> String {
    format!("{}: {}", spanish::day(change.date), text(&change.what, statuses))
}

/// `Condición: HABIDO → NO HABIDO`.
pub fn text(change: &DatumChange, statuses: &[DatasetStatus]) -> String {
    let (before, after) = (&change.before, &change.after);
    let known = |text: &str| if text.is_empty() { "nada".to_owned() } else { text.to_owned() };
    let pair = |name: &str| format!("{name}: {} → {}", known(before), known(after));
    let is_yes = after == "SI";
    match change.datum {
        ChangedDatum::Existence if is_yes => "Aparece en el padrón".to_owned(),
        ChangedDatum::Existence => "Ya no está en el padrón".to_owned(),
        ChangedDatum::Name => pair("Nombre"),
        ChangedDatum::Status => pair("Estado"),
        ChangedDatum::Condition => pair("Condición"),
        ChangedDatum::Address => pair("Domicilio"),
        ChangedDatum::Department => pair("Departamento"),
        ChangedDatum::Province => pair("Provincia"),
        ChangedDatum::District => pair("Distrito"),
        ChangedDatum::List(list) if is_yes => format!("Entra en «{}»", title(list, statuses)),
        ChangedDatum::List(list) => format!("Sale de «{}»", title(list, statuses)),
        ChangedDatum::Capacity if is_yes => "Entra en la relación de sujetos sin capacidad operativa".to_owned(),
        ChangedDatum::Capacity => "Sale de la relación de sujetos sin capacidad operativa".to_owned(),
        ChangedDatum::Sanction if after.is_empty() => format!("Termina la sanción {}", before.to_lowercase()),
        ChangedDatum::Sanction => format!("Sanción {}", after.to_lowercase()),
    }
}

pub(super) fn title<'a>(list: &'a str, statuses: &'a [DatasetStatus]) -> &'a str {
    statuses.iter().find(|known| known.name == list).map_or(list, |known| known.title)
}
