//! `POST /ruc-domicilio-fiscal`: a taxpayer's fiscal address, in parts.

use kuraka_api::legacy::{self, AddressMore, Legacy, UbigeoCode};
use kuraka_api::{FiscalAddressRecord, ruc_domicilio_fiscal};
use kuraka_ports::ProfileParts;

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_domicilio_fiscal::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::NONE, None, |found| {
        let record = FiscalAddressRecord::from(&found.profile.summary);
        if !found.is_legacy() {
            return found.answer(&record);
        }
        let place = legacy::place(&found.profile.summary);
        let record = FiscalAddressRecord { ubigeo: UbigeoCode::parts(place), ..record };
        found.answer(&Legacy { record, more: AddressMore::new(place) })
    }))
});
