//! `POST /ruc-anexos`: the addresses of a taxpayer's annex premises.

use kuraka_api::legacy::{AddressMore, Legacy, UbigeoCode};
use kuraka_api::{AnnexRecord, AnnexesRecord, ruc_anexos};
use kuraka_domain::AnnexPremises;
use kuraka_ports::{ProfileParts, dataset};

use crate::http::endpoint::Endpoint;
use crate::http::registry_lookup::{CALLS, look_up};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_anexos::OPERATION, CALLS, |context, payload| {
    Box::pin(look_up(context, payload, ProfileParts::ANNEXES, Some(dataset::ANNEXES), |found| {
        let annexes = found.profile.annexes.iter().flatten();
        if !found.is_legacy() {
            return found.answer(&AnnexesRecord(annexes.map(AnnexRecord::from).collect()));
        }
        found.answer(&annexes.map(legacy).collect::<Vec<_>>())
    }))
});

static WITHOUT_ADDRESS: AnnexPremises = AnnexPremises { address: String::new(), ubigeo: None };

fn legacy(annex: &AnnexPremises) -> Legacy<AnnexRecord<'_>, AddressMore> {
    let annex = if annex.address.is_empty() { &WITHOUT_ADDRESS } else { annex };
    let record = AnnexRecord { ubigeo: UbigeoCode::parts(annex.ubigeo), ..AnnexRecord::from(annex) };
    Legacy { record, more: Some(AddressMore::new(annex.ubigeo)) }
}
