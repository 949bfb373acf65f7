//! `POST /ruc-anexos`: the addresses of a taxpayer's annex premises.

use kuraka_api::{AnnexRecord, AnnexesRecord, ruc_anexos};
use kuraka_ports::{ProfileParts, dataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_anexos::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::ANNEXES, Some(dataset::ANNEXES), |found| {
        let annexes = found.profile.annexes.iter().flatten();
        found.answer(&AnnexesRecord(annexes.map(AnnexRecord::from).collect()))
    }))
});
