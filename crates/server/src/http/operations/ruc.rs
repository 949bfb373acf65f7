//! `POST /ruc`: a taxpayer's summary.

use actix_web::dev::Payload;
use kuraka_api::{SummaryRecord, ruc};
use kuraka_app::RegistryAnswer;
use kuraka_domain::ResultCode;

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::response::{ApiResponse, Failure};
use crate::http::{registry_answer, ruc_field};

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc::OPERATION, registry_answer::CALLS, |context, payload| Box::pin(look_up(context, payload)));

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = context.api.lookup_summary.run(&call.grant, ruc);
    let RegistryAnswer { edition, taxpayer } = answer.map_err(|error| registry_answer::failed(&call, &error))?;
    let provenance = registry_answer::provenance("registry", &edition);
    Ok(match taxpayer {
        Some(taxpayer) => call.found(context, provenance, &SummaryRecord::from(&taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}
