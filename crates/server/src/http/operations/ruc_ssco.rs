//! `POST /ruc-ssco`: whether a taxpayer was declared without operating capacity.

use kuraka_api::{OperatingCapacityRecord, ruc_ssco};
use kuraka_ports::{ProfileParts, dataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_ssco::OPERATION, CALLS, |context, payload| {
    let required = Some(dataset::OPERATING_CAPACITY);
    Box::pin(look_up(context, payload, ProfileParts::OPERATING_INCAPACITY, required, |found| {
        let incapacity = found.profile.operating_incapacity.as_ref().and_then(Option::as_ref);
        found.answer(&OperatingCapacityRecord::new(found.profile.summary.ruc, incapacity))
    }))
});
