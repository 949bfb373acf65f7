//! `POST /ruc-official`: a taxpayer's detail, from SUNAT's page or from a provider.

use actix_web::web::Payload;
use kuraka_api::{DetailRecord, ruc_official};
use kuraka_domain::ResultCode;
use kuraka_ports::{DetailAnswer, DetailOrigin};

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::handle;
use crate::http::response::{ApiResponse, Failure, Provenance};
use crate::http::{ruc_field, source_failure};

pub(crate) const ENDPOINT: Endpoint = Endpoint::new(&ruc_official::OPERATION, |terms| handle::route(terms, look_up));

async fn look_up(context: &RequestContext, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = context.api.lookup_detail.run(&call.grant, ruc).await;
    let DetailAnswer { taxpayer, origin, freshness } =
        answer.map_err(|error| Box::new(source_failure::unavailable(&call, &error)))?;
    let source = match origin {
        DetailOrigin::Official => "official",
        DetailOrigin::Provider => "provider",
    };
    let provenance = Provenance { source, status: source_failure::status(freshness), edition: None };
    Ok(match taxpayer {
        Some(taxpayer) => call.found(context, provenance, DetailRecord::from(&*taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}
