//! `POST /ruc-ficha`: all that the published files say about a taxpayer.

use std::borrow::Cow;

use kuraka_api::{ProfileRecord, SourceFileRecord, ruc_ficha};
use kuraka_ports::{Parts, SnapshotDataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, Found, look_up};

const PARTS: Parts = Parts::FLAGS
    .and(Parts::LISTS)
    .and(Parts::ANNEX_COUNT)
    .and(Parts::OPEN_DATA)
    .and(Parts::OPERATING_INCAPACITY)
    .and(Parts::SANCTIONS);

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_ficha::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, PARTS, None, |found| found.answer(&record(found))))
});

fn record<'a>(found: &'a Found<'_>) -> ProfileRecord<'a> {
    let datasets = found.snapshot.datasets();
    let file = |dataset: &SnapshotDataset| {
        let edition = dataset.edition.as_ref()?;
        let (nombre, edicion) = (Cow::Borrowed(dataset.name), Cow::Owned(edition.label.to_string()));
        Some(SourceFileRecord { nombre, edicion, fecha: edition.date })
    };
    let missing = datasets.iter().filter(|dataset| dataset.edition.is_none()).map(|dataset| dataset.name);
    ProfileRecord::new(&found.profile, datasets.iter().filter_map(file).collect(), missing)
}
