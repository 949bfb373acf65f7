//! `POST /ruc-anexos`: the addresses of a taxpayer's annex premises.

use actix_web::dev::Payload;
use kuraka_api::{AnnexRecord, AnnexesRecord, ruc_anexos};
use kuraka_app::{DatasetAnswer, RegistryAnswer};
use kuraka_domain::ResultCode;

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::response::{ApiResponse, Failure};
use crate::http::{registry_answer, ruc_field};

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_anexos::OPERATION, registry_answer::CALLS, |context, payload| {
        Box::pin(look_up(context, payload))
    });

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = context.api.lookup_annexes.run(&call.grant, ruc);
    let RegistryAnswer { edition, taxpayer } = answer.map_err(|error| registry_answer::failed(&call, &error))?;
    let provenance = registry_answer::provenance("registry", &edition);
    Ok(match taxpayer {
        Some(DatasetAnswer { label, found }) => {
            let record = AnnexesRecord(found.iter().map(AnnexRecord::from).collect());
            call.found(context, provenance.with_edition(&label), &record)
        }
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}
