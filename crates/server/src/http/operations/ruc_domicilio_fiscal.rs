//! `POST /ruc-domicilio-fiscal`: a taxpayer's fiscal address, in parts.

use kuraka_api::legacy::{self, AddressMore, Legacy, UbigeoCode};
use kuraka_api::{FiscalAddressRecord, ruc_domicilio_fiscal};
use kuraka_ports::ProfileParts;

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_domicilio_fiscal::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::NONE, None, |found| {
        let mut record = FiscalAddressRecord::from(&found.profile.summary);
        let more = found.is_legacy().then(|| {
            let place = legacy::place(&found.profile.summary);
            record.ubigeo = UbigeoCode::parts(place);
            AddressMore::new(place)
        });
        found.answer(&Legacy { record, more })
    }))
});
