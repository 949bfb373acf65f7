//! `POST /ruc`: a taxpayer's summary.

use kuraka_api::{SummaryRecord, ruc};
use kuraka_ports::Parts;

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, Parts::FLAGS, None, |found| {
        found.answer(&SummaryRecord::from(&found.profile.summary))
    }))
});
