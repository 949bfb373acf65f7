//! `POST /ruc`: a taxpayer's summary.

use kuraka_api::legacy::{Legacy, SummaryMore};
use kuraka_api::{SummaryRecord, ruc};
use kuraka_ports::{ProfileParts, dataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, Found, look_up};
use crate::http::response::ApiResponse;

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::FLAGS, None, |found| {
        let record = SummaryRecord::from(&found.profile.summary);
        if found.is_legacy() { legacy(found, record) } else { found.answer(&record) }
    }))
});

fn legacy(found: &Found<'_>, record: SummaryRecord<'_>) -> ApiResponse {
    let summary = &found.profile.summary;
    // Read separately, so that a damaged list fails no call.
    let profile = found.snapshot.profile(summary.ruc, ProfileParts::LISTS).ok().flatten();
    let lists = profile.and_then(|profile| profile.lists);
    let is_on = |list| {
        let is_there = found.snapshot.dataset(list).is_some_and(|dataset| dataset.edition.is_some());
        let lists = lists.as_ref().filter(|_| is_there)?;
        Some(lists.iter().any(|entry| entry.dataset == list))
    };
    let perception = [dataset::SALES_PERCEPTION, dataset::FUEL_PERCEPTION].map(is_on);
    found.answer(&Legacy { record, more: SummaryMore::new(summary, perception) })
}
