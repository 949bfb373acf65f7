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
    let is_on = |list| found.snapshot.is_listed(summary.ruc, list);
    let perception = [dataset::SALES_PERCEPTION, dataset::FUEL_PERCEPTION].map(is_on);
    found.answer(&Legacy { record, more: SummaryMore::new(summary, perception) })
}
