//! The datasets behind a taxpayer page, with their dates.

use kuraka_domain::DatasetRole;
use kuraka_ports::{DatasetStatus, EditionOrigin, RegistrySnapshot};

use crate::spanish;

pub(super) struct SourceRow {
    /// Whether it is a list of taxpayers.
    pub(super) is_list: bool,
    pub(super) title: &'static str,
    /// `None` = no edition here.
    pub(super) edition: Option<(String, String)>,
    pub(super) note: &'static str,
}

pub(super) fn rows(snapshot: &dyn RegistrySnapshot, statuses: &[DatasetStatus], of_companies: bool) -> Vec<SourceRow> {
    let is_read = |role| of_companies || !matches!(role, DatasetRole::Annexes | DatasetRole::OpenData);
    let row = |status: &DatasetStatus| {
        let edition = snapshot.dataset(status.name)?.edition.as_ref();
        let is_sample = edition.is_some_and(|edition| edition.origin == EditionOrigin::Sample);
        let note = match edition {
            None => "no está en este servicio",
            Some(_) if is_sample => "muestra de demostración",
            Some(_) if status.is_too_old => "demasiado antiguo",
            Some(_) => "",
        };
        let edition = edition.map(|edition| (spanish::day(edition.date), edition.label.to_string()));
        let is_list = matches!(status.role, DatasetRole::List(_));
        Some(SourceRow { is_list, title: status.title, edition, note })
    };
    statuses.iter().filter(|status| is_read(status.role)).filter_map(row).collect()
}
