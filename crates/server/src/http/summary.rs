//! `POST /ruc`: a taxpayer's summary.

use actix_web::http::header::HeaderValue;
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_app::SummaryAnswer;
use kuraka_domain::{ResultCode, Ruc, TaxpayerSummary};
use kuraka_ports::{Edition, EditionOrigin};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{Answer, Failure, Provenance};
use super::call::Call;
use super::edge::RequestContext;
use super::{Api, edge, ruc_field};
use crate::logs;
use crate::metrics::Operation;

/// Seconds after which a registry that could not answer may be asked again: it is looked at every second.
const RETRY_AFTER: u64 = 5;

/// Datos resumidos de un contribuyente, según el padrón reducido.
// Contract 2.2, in its order. What is documented here is the API's documentation, in its callers' language.
#[derive(Serialize, ToSchema)]
pub(crate) struct SummaryRecord<'a> {
    /// RUC de 11 dígitos.
    #[schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227")]
    ruc: Ruc,
    /// Nombre o razón social.
    #[schema(example = "3M PERU S A")]
    nombre_o_razon_social: &'a str,
    /// Estado, como ACTIVO o BAJA DE OFICIO.
    #[schema(example = "ACTIVO")]
    estado: &'a str,
    /// Condición del domicilio, como HABIDO o NO HALLADO.
    #[schema(example = "HABIDO")]
    condicion: &'a str,
    /// Dirección en una línea; vacía para personas naturales.
    #[schema(example = "AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR")]
    direccion: &'a str,
    /// Departamento; vacío si no hay dirección.
    #[schema(example = "LIMA")]
    departamento: &'a str,
    /// SI o NO.
    #[schema(example = "SI")]
    es_agente_de_retencion: &'static str,
    /// SI o NO.
    #[schema(example = "NO")]
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

async fn look_up(exchange: &RequestContext, payload: Payload) -> Result<Answer, Failure> {
    let call = Call::admit(exchange, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = exchange.api.lookup_summary.run(&call.grant, ruc);
    let SummaryAnswer { edition, taxpayer } = answer.map_err(|error| {
        let failure = call.failed(ResultCode::UpstreamUnavailable).retry_after(RETRY_AFTER);
        Box::new(failure.with_cause(logs::chain(&error)))
    })?;
    let provenance = from_registry(&edition);
    Ok(match taxpayer {
        Some(taxpayer) => Answer::found(exchange, &call.grant, provenance, SummaryRecord::from(&taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

fn from_registry(edition: &Edition) -> Provenance {
    let status = match edition.origin {
        EditionOrigin::Published => "live",
        EditionOrigin::Sample => "sandbox",
    };
    Provenance { source: "registry", status, edition: HeaderValue::from_str(&edition.label).ok() }
}
