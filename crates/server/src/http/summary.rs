//! `POST /ruc`: a taxpayer's summary.

use actix_web::http::header::HeaderValue;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::{ResultCode, Ruc, TaxpayerSummary};
use kuraka_ports::{Edition, EditionOrigin, RegistryAnswer};
use serde::Serialize;

use super::answer::{Answer, Failure, Provenance};
use super::call::Call;
use super::edge::Exchange;
use super::{Api, edge, ruc_field};
use crate::logs;
use crate::metrics::Operation;

/// Seconds after which a registry that could not answer may be asked again: it is looked at every second.
const RETRY_AFTER: u64 = 5;

/// The record of contract 2.2, in its order.
#[derive(Serialize)]
struct SummaryRecord<'a> {
    ruc: Ruc,
    nombre_o_razon_social: &'a str,
    estado: &'a str,
    condicion: &'a str,
    direccion: &'a str,
    departamento: &'a str,
    es_agente_de_retencion: &'static str,
    es_buen_contribuyente: &'static str,
}

impl<'a> From<&'a TaxpayerSummary> for SummaryRecord<'a> {
    fn from(taxpayer: &'a TaxpayerSummary) -> Self {
        let flag = |set| if set { "SI" } else { "NO" };
        Self {
            ruc: taxpayer.ruc,
            nombre_o_razon_social: &taxpayer.name,
            estado: taxpayer.status.as_str(),
            condicion: taxpayer.condition.as_str(),
            direccion: &taxpayer.address,
            departamento: taxpayer.department,
            es_agente_de_retencion: flag(taxpayer.withholding_agent),
            es_buen_contribuyente: flag(taxpayer.good_taxpayer),
        }
    }
}

pub(crate) async fn summary(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    edge::exchange(request, api, Operation::Summary, async |exchange| {
        look_up(exchange, payload).await.unwrap_or_else(|failure| *failure)
    })
    .await
}

async fn look_up(exchange: &Exchange, payload: Payload) -> Result<Answer, Failure> {
    let call = Call::admit(exchange, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = exchange.api.lookup_summary.run(&call.grant, ruc).await;
    let RegistryAnswer { edition, taxpayer } = answer.map_err(|error| {
        let failure = call.failed(ResultCode::UpstreamUnavailable).retry_after(RETRY_AFTER);
        Box::new(failure.because(logs::chain(&error)))
    })?;
    let provenance = from_registry(&edition);
    Ok(match taxpayer {
        Some(taxpayer) => Answer::found(exchange, &call.grant, provenance, SummaryRecord::from(&taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).told_by(provenance),
    })
}

fn from_registry(edition: &Edition) -> Provenance {
    let status = match edition.origin {
        EditionOrigin::Published => "live",
        EditionOrigin::Sample => "sandbox",
    };
    Provenance { source: "registry", status, edition: HeaderValue::from_str(&edition.label).ok() }
}
