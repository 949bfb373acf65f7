//! Answers a lookup in the registry. Operations differ in the parts that they read and the record that they write.

use std::sync::Arc;

use actix_web::dev::Payload;
use actix_web::http::header::HeaderValue;
use kuraka_adapters::sources::provider_api::DialectAnswer;
use kuraka_api::spanish;
use kuraka_app::{LookupError, RegistryAnswer};
use kuraka_domain::{ResultCode, TaxpayerProfile};
use kuraka_ports::{DatasetStatus, Edition, EditionOrigin, ProfileParts, RegistrySnapshot};
use serde::Serialize;

use super::admission::CheckedRequest;
use super::context::RequestContext;
use super::dialects;
use super::instance::Instance;
use super::response::{ApiResponse, Failure, Provenance};
use super::ruc_field;
use crate::logs;

/// A call waits only for the store. At 2,000 leases per second this many wait for a quarter of a second.
pub(crate) const CALLS: usize = 512;

/// Seconds to wait if the registry cannot answer; it is refreshed every second.
pub(crate) const RETRY_AFTER: u64 = 5;
/// While the first padrón is fetched.
const RETRY_AFTER_PREPARING: u64 = 30;
/// If a dataset is missing or too old, which the operator must update, or its history is behind until it is completed.
pub(crate) const RETRY_AFTER_UPDATE: u64 = 300;

pub(crate) struct Found<'a> {
    context: &'a RequestContext<'a>,
    provenance: Provenance,
    pub(crate) profile: TaxpayerProfile,
    /// The snapshot that answered.
    pub(crate) snapshot: Arc<dyn RegistrySnapshot>,
}

impl Found<'_> {
    /// Whether the answer has the original interface's fields.
    pub(crate) fn is_legacy(&self) -> bool {
        self.context.route.is_legacy()
    }

    pub(crate) fn answer(&self, data: &impl Serialize) -> ApiResponse {
        self.answer_written(|out| serde_json::to_writer(out, data))
    }

    /// The same with a record that `write` appends as JSON.
    pub(crate) fn answer_written(&self, write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>) -> ApiResponse {
        ApiResponse::with_written(self.context.took(), write).with_provenance(self.provenance.clone())
    }
}

/// Looks up a call's RUC. `write` makes the answer from these parts; without the dataset `required` there is none.
pub(crate) async fn look_up(
    context: &RequestContext<'_>,
    payload: Payload,
    parts: ProfileParts,
    required: Option<&'static str>,
    write: impl FnOnce(&mut Found<'_>) -> ApiResponse,
) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let ruc = ruc_field::ruc(&request)?;
    let form = context.route.form();
    let parts = if form.is_some() { dialects::PARTS } else { parts };
    let answer = request.instance.lookup_taxpayer.run(call, ruc, parts, required);
    let RegistryAnswer { taxpayer, edition, batch } = answer.map_err(|error| failed(request.instance, &error))?;
    let provenance = provenance("registry", &edition);
    Ok(match taxpayer {
        Some(profile) if let Some(DialectAnswer::Taxpayer(form)) = form => {
            let json = form.write(&[dialects::taxpayer(profile, &*batch.snapshot)]);
            ApiResponse::with_json(context.took(), json).with_provenance(provenance)
        }
        Some(profile) => write(&mut Found { context, provenance, profile, snapshot: batch.snapshot }),
        None => ApiResponse::new(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

/// The source headers; `source` is `X-Source`.
pub(crate) fn provenance(source: &'static str, edition: &Edition) -> Provenance {
    let status = match edition.origin {
        EditionOrigin::Published => "live",
        EditionOrigin::Sample => "sandbox",
    };
    Provenance { source, status, edition: HeaderValue::from_str(&edition.label).ok() }
}

/// The registry cannot answer.
pub(crate) fn failed(instance: &Instance, error: &LookupError) -> Failure {
    let failure = ApiResponse::new(ResultCode::UpstreamUnavailable).with_cause(logs::chain(error));
    Box::new(match error {
        LookupError::NoEdition if let Some(percent) = preparing(instance) => {
            let message =
                format!("Este servicio está preparando sus datos{percent}. Vuelva a intentarlo en unos minutos.");
            failure.retry_after(RETRY_AFTER_PREPARING).with_message(message)
        }
        LookupError::NoEdition | LookupError::Registry(_) => failure.retry_after(RETRY_AFTER),
        LookupError::StaleMiss { age_days, .. } => {
            failure.retry_after(RETRY_AFTER_UPDATE).with_message(spanish::stale_miss(*age_days))
        }
        LookupError::NoDataset { dataset, is_damaged } => {
            // A damaged edition is read again soon.
            let retry_after = if *is_damaged { RETRY_AFTER } else { RETRY_AFTER_UPDATE };
            failure.retry_after(retry_after).with_message(spanish::no_edition(dataset, *is_damaged))
        }
        LookupError::OldDataset { dataset, age_days, .. } => {
            let message = format!(
                "El conjunto de datos \"{dataset}\" de este servicio {}, así que no puede responder. \
                 El operador del servicio debe actualizarlo.",
                spanish::edition_age(*age_days)
            );
            failure.retry_after(RETRY_AFTER_UPDATE).with_message(message)
        }
    })
}

/// How much of the first padrón is there; `None` = it is not being fetched.
fn preparing(instance: &Instance) -> Option<String> {
    let statuses = instance.datasets.statuses();
    let progress = DatasetStatus::of_padron(&statuses)?.progress?;
    Some(progress.percent.map_or_else(String::new, |percent| format!(" ({percent} %)")))
}
