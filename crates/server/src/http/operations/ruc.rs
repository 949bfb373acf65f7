//! `POST /ruc`: a taxpayer's summary.

use kuraka_api::legacy::{self, Legacy, SummaryMore};
use kuraka_api::{SummaryRecord, ruc};
use kuraka_domain::Ubigeo;
use kuraka_ports::{ProfileParts, dataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::FLAGS, None, |found| {
        let summary = &found.profile.summary;
        let mut record = SummaryRecord::from(summary);
        if !found.is_legacy() {
            return found.answer_written(|out| record.write(out));
        }
        record.departamento = legacy::place(summary).map_or("", Ubigeo::department).into();
        let is_on = |list| found.snapshot.is_listed(summary.ruc, list);
        let more = SummaryMore::new(summary, [dataset::SALES_PERCEPTION, dataset::FUEL_PERCEPTION].map(is_on));
        found.answer(&Legacy { record, more: Some(more) })
    }))
});
