//! `POST /ruc`: a taxpayer's summary.

use kuraka_api::legacy::{Legacy, SummaryMore};
use kuraka_api::{SummaryRecord, ruc};
use kuraka_ports::{ProfileParts, dataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::FLAGS, None, |found| {
        let summary = &found.profile.summary;
        let is_on = |list| found.snapshot.is_listed(summary.ruc, list);
        let perception = || [dataset::SALES_PERCEPTION, dataset::FUEL_PERCEPTION].map(is_on);
        let more = found.is_legacy().then(|| SummaryMore::new(summary, perception()));
        found.answer(&Legacy { record: SummaryRecord::from(summary), more })
    }))
});
