//! `POST /ruc-official`: a taxpayer's detail, from SUNAT's page, from a provider, or from the open data.

use actix_web::dev::Payload;
use kuraka_api::legacy::{DetailMore, Legacy};
use kuraka_api::{DetailRecord, ruc_official};
use kuraka_app::DetailResult;
use kuraka_domain::{ResultCode, TaxpayerDetail};
use kuraka_ports::{DetailAnswer, DetailOrigin};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::{Endpoint, SourcesOf};
use crate::http::response::{ApiResponse, Failure};
use crate::http::{registry_lookup, ruc_field, source_failure};

/// Enough for a crowd that shares a request. Other calls are bounded by the sources.
const CALLS: usize = 2_048;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_official::OPERATION, CALLS, |context, payload| Box::pin(look_up(context, payload)))
        .asking(SourcesOf::Details);

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&request)?;
    let answer = context.origin().scope(request.instance.lookup_detail.run(call, ruc)).await;
    let answer = answer.map_err(|error| Box::new(source_failure::unavailable(&error)))?;
    let DetailAnswer { taxpayer, origin, freshness } = match answer {
        DetailResult::Source(answer) => answer,
        DetailResult::OpenData { taxpayer, edition } => {
            if !context.is_test() {
                context.api.metrics.open_data.inc();
            }
            let provenance = registry_lookup::provenance("open-data", &edition);
            return Ok(found(context, &taxpayer).with_provenance(provenance));
        }
    };
    let source = match origin {
        DetailOrigin::Official => "official",
        DetailOrigin::Provider => "provider",
    };
    let response = match taxpayer {
        Some(taxpayer) => found(context, &taxpayer),
        None => ApiResponse::new(ResultCode::DocumentNotFound),
    };
    Ok(response.with_provenance(source_failure::provenance(source, freshness)))
}

fn found(context: &RequestContext<'_>, taxpayer: &TaxpayerDetail) -> ApiResponse {
    let more = context.route.is_legacy().then(|| DetailMore::new(taxpayer));
    ApiResponse::with_data(context.took(), &Legacy { record: DetailRecord::from(taxpayer), more })
}
