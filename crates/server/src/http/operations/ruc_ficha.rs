//! `POST /ruc-ficha`: all that the published files say about a taxpayer.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::{ProfileRecord, SourceFileRecord, ruc_ficha};
use kuraka_app::{PublishedProfile, RegistryAnswer};
use kuraka_domain::ResultCode;
use kuraka_ports::PublishedDataset;

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::response::{ApiResponse, Failure};
use crate::http::{registry_answer, ruc_field};

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ruc_ficha::OPERATION, registry_answer::CALLS, |context, payload| {
        Box::pin(look_up(context, payload))
    });

async fn look_up(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = context.api.lookup_profile.run(&call.grant, ruc);
    let RegistryAnswer { edition, taxpayer } = answer.map_err(|error| registry_answer::failed(&call, &error))?;
    let provenance = registry_answer::provenance("registry", &edition);
    Ok(match taxpayer {
        Some(found) => call.found(context, provenance, &record(&found)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

fn record(PublishedProfile { profile, snapshot }: &PublishedProfile) -> ProfileRecord<'_> {
    let file = |dataset: &'_ PublishedDataset| SourceFileRecord {
        nombre: Cow::Borrowed(dataset.name),
        edicion: Cow::Owned(dataset.label.to_string()),
        fecha: dataset.date,
    };
    let files = snapshot.datasets().iter().map(file).collect();
    ProfileRecord::new(profile, files, snapshot.missing_datasets().iter().copied())
}
