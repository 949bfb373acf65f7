//! `POST /ruc`: a taxpayer's summary.

use kuraka_api::{SummaryRecord, ruc};
use kuraka_ports::ProfileParts;

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::FLAGS, None, |found| {
        found.answer(&SummaryRecord::from(&found.profile.summary))
    }))
});
