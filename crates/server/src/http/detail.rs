//! `POST /ruc-official`: a taxpayer's detail, from the tax authority's page or from a provider behind it.

use std::time::Duration;

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::{Date, EconomicActivity, ElectronicIssuing, ResultCode, Ruc, TaxpayerDetail};
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness, SourceError, SourceErrorKind};
use serde::Serialize;

use super::answer::{Answer, Failure, Provenance};
use super::call::Call;
use super::edge::Exchange;
use super::{Api, edge, ruc_field};
use crate::logs;
use crate::metrics::Operation;

/// Seconds after which sources that could not answer may be asked again: how long a breaker stays open at first.
const RETRY_AFTER: u64 = 15;
/// What a source asks for is passed on up to this: after so many seconds it is asked again anyway, and whoever says
/// "in the year 2100" is not to speak for us.
const LONGEST_RETRY_AFTER: u64 = 300;

/// The record of contract 2.3 and what is told beyond it, in the contract's order.
#[derive(Serialize)]
struct DetailRecord<'a> {
    ruc: Ruc,
    nombre_o_razon_social: &'a str,
    estado: &'a str,
    condicion: &'a str,
    direccion_completa: &'a str,
    tipo_contribuyente: &'a str,
    fecha_inscripcion: Option<Date>,
    actividades_economicas: Vec<&'a str>,
    nombre_comercial: &'a str,
    fecha_inicio_actividades: Option<Date>,
    fecha_baja: Option<Date>,
    sistema_emision: &'a str,
    actividad_comercio_exterior: &'a str,
    sistema_contabilidad: &'a str,
    actividades_economicas_detalle: Vec<ActivityRecord<'a>>,
    comprobantes_autorizados: &'a [String],
    emision_electronica: ElectronicRecord<'a>,
    padrones: &'a [String],
}

#[derive(Serialize)]
struct ActivityRecord<'a> {
    tipo: &'static str,
    ciiu: &'a str,
    descripcion: &'a str,
}

#[derive(Serialize)]
struct ElectronicRecord<'a> {
    sistemas: &'a [String],
    desde: Option<Date>,
    comprobantes: &'a [String],
    afiliado_ple_desde: Option<Date>,
}

impl<'a> From<&'a TaxpayerDetail> for DetailRecord<'a> {
    fn from(taxpayer: &'a TaxpayerDetail) -> Self {
        Self {
            ruc: taxpayer.ruc,
            nombre_o_razon_social: &taxpayer.name,
            estado: taxpayer.status.as_str(),
            condicion: taxpayer.condition.as_str(),
            direccion_completa: &taxpayer.full_address,
            tipo_contribuyente: &taxpayer.taxpayer_type,
            fecha_inscripcion: taxpayer.registered,
            actividades_economicas: taxpayer.activities.iter().map(|activity| &*activity.description).collect(),
            nombre_comercial: &taxpayer.trade_name,
            fecha_inicio_actividades: taxpayer.activities_started,
            fecha_baja: taxpayer.deregistered,
            sistema_emision: &taxpayer.issuing_system,
            actividad_comercio_exterior: &taxpayer.foreign_trade,
            sistema_contabilidad: &taxpayer.accounting_system,
            actividades_economicas_detalle: taxpayer.activities.iter().map(ActivityRecord::from).collect(),
            comprobantes_autorizados: &taxpayer.authorised_vouchers,
            emision_electronica: ElectronicRecord::from(&taxpayer.electronic_issuing),
            padrones: &taxpayer.padrones,
        }
    }
}

impl<'a> From<&'a EconomicActivity> for ActivityRecord<'a> {
    fn from(activity: &'a EconomicActivity) -> Self {
        Self { tipo: activity.rank.as_str(), ciiu: &activity.ciiu, descripcion: &activity.description }
    }
}

impl<'a> From<&'a ElectronicIssuing> for ElectronicRecord<'a> {
    fn from(issuing: &'a ElectronicIssuing) -> Self {
        Self {
            sistemas: &issuing.systems,
            desde: issuing.since,
            comprobantes: &issuing.vouchers,
            afiliado_ple_desde: issuing.electronic_books_since,
        }
    }
}

pub(crate) async fn detail(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    edge::exchange(request, api, Operation::Detail, async |exchange| {
        look_up(exchange, payload).await.unwrap_or_else(|failure| *failure)
    })
    .await
}

async fn look_up(exchange: &Exchange, payload: Payload) -> Result<Answer, Failure> {
    let call = Call::admit(exchange, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = exchange.api.lookup_detail.run(&call.grant, ruc).await;
    let DetailAnswer { taxpayer, origin, freshness } = answer.map_err(|error| Box::new(unavailable(&call, &error)))?;
    let provenance = told_by(origin, freshness);
    Ok(match taxpayer {
        Some(taxpayer) => Answer::found(exchange, &call.grant, provenance, DetailRecord::from(&*taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).told_by(provenance),
    })
}

fn unavailable(call: &Call, error: &SourceError) -> Answer {
    let wait = match error.kind {
        SourceErrorKind::Throttled { retry_after: Some(wait) } => whole_seconds(wait).clamp(1, LONGEST_RETRY_AFTER),
        SourceErrorKind::Throttled { retry_after: None }
        | SourceErrorKind::Unavailable
        | SourceErrorKind::Refused
        | SourceErrorKind::Credentials
        | SourceErrorKind::Unreadable
        | SourceErrorKind::Rejected => RETRY_AFTER,
    };
    call.failed(ResultCode::UpstreamUnavailable).retry_after(wait).because(logs::chain(error))
}

/// Rounded up: whoever comes early is told to wait again.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}

fn told_by(origin: DetailOrigin, freshness: Freshness) -> Provenance {
    let source = match origin {
        DetailOrigin::Official => "official",
        DetailOrigin::Provider => "provider",
    };
    let status = match freshness {
        Freshness::Live => "live",
        Freshness::Cached => "cached",
        Freshness::Sandbox => "sandbox",
    };
    Provenance { source, status, edition: None }
}
