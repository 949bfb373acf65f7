//! The datasets behind a taxpayer page, with their dates.

use kuraka_ports::{DatasetStatus, EditionOrigin, RegistrySnapshot, dataset};

use crate::pages::glance::SANCTIONS;
use crate::spanish;

pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    /// `None` = it has no edition here.
    pub(super) edition: Option<(String, String)>,
    pub(super) note: &'static str,
}

impl Row {
    /// Whether the dataset is a list of taxpayers, and not a file about them.
    pub(super) fn is_list(&self) -> bool {
        ![dataset::PADRON, dataset::ANNEXES, dataset::OPEN_DATA, dataset::OPERATING_CAPACITY, SANCTIONS]
            .contains(&self.name)
    }
}

/// The snapshot's datasets. For a person, without those of companies.
pub(super) fn rows(snapshot: &dyn RegistrySnapshot, statuses: &[DatasetStatus], of_companies: bool) -> Vec<Row> {
    let is_read = |name: &str| of_companies || ![dataset::ANNEXES, dataset::OPEN_DATA].contains(&name);
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
        Some(Row { name: status.name, title: status.title, edition, note })
    };
    statuses.iter().filter(|status| is_read(status.name)).filter_map(row).collect()
}
