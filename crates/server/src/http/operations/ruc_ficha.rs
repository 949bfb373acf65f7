//! `POST /ruc-ficha`: everything published about a taxpayer.

use std::borrow::Cow;

use kuraka_api::{ProfileRecord, SourceFileRecord, ruc_ficha};
use kuraka_ports::{ProfileParts, RegistrySnapshot, SnapshotDataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, Found, look_up};

pub(super) const PARTS: ProfileParts = ProfileParts::TABLE.and(ProfileParts::ANNEX_COUNT);

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_ficha::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, PARTS, None, |found| found.answer(&record(found))))
});

fn record<'a>(found: &'a Found<'_>) -> ProfileRecord<'a> {
    let (files, missing) = files(&*found.snapshot);
    ProfileRecord::new(&found.profile, files, missing)
}

/// The files that a snapshot reads, and the missing datasets.
pub(super) fn files(snapshot: &dyn RegistrySnapshot) -> (Vec<SourceFileRecord<'static>>, Vec<Cow<'static, str>>) {
    let datasets = snapshot.datasets();
    let file = |dataset: &SnapshotDataset| {
        let edition = dataset.edition.as_ref()?;
        let (nombre, edicion) = (Cow::Borrowed(dataset.name), Cow::Owned(edition.label.to_string()));
        Some(SourceFileRecord { nombre, edicion, fecha: edition.date })
    };
    let missing = datasets.iter().filter(|dataset| dataset.edition.is_none());
    (datasets.iter().filter_map(file).collect(), missing.map(|dataset| Cow::Borrowed(dataset.name)).collect())
}
