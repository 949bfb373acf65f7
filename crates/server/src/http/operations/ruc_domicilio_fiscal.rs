//! `POST /ruc-domicilio-fiscal`: a taxpayer's fiscal address, in parts.

use kuraka_api::legacy::{self, AddressMore, Legacy, UbigeoCode};
use kuraka_api::{FiscalAddressRecord, ruc_domicilio_fiscal};
use kuraka_ports::ProfileParts;

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_domicilio_fiscal::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::NONE, None, |found| {
        let is_legacy = found.is_legacy();
        if is_legacy {
            found.profile.summary.ubigeo = legacy::place(&found.profile.summary);
        }
        let summary = &found.profile.summary;
        let mut record = FiscalAddressRecord::from(summary);
        let more = is_legacy.then(|| {
            record.ubigeo = UbigeoCode::parts(summary.ubigeo);
            AddressMore::new(summary.ubigeo)
        });
        found.answer(&Legacy { record, more })
    }))
});
