//! `POST /ruc-official`: a taxpayer's detail, from the tax authority's page or from a provider behind it.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::{Date, EconomicActivity, ElectronicIssuing, ResultCode, Ruc, TaxpayerDetail};
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness};
use serde::Serialize;

use super::answer::{Answer, Failure, Provenance};
use super::call::Call;
use super::edge::Exchange;
use super::{Api, edge, ruc_field, source_failure};
use crate::metrics::Operation;

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
    let DetailAnswer { taxpayer, origin, freshness } =
        answer.map_err(|error| Box::new(source_failure::unavailable(&call, &error)))?;
    let provenance = told_by(origin, freshness);
    Ok(match taxpayer {
        Some(taxpayer) => Answer::found(exchange, &call.grant, provenance, DetailRecord::from(&*taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).told_by(provenance),
    })
}

fn told_by(origin: DetailOrigin, freshness: Freshness) -> Provenance {
    let source = match origin {
        DetailOrigin::Official => "official",
        DetailOrigin::Provider => "provider",
    };
    Provenance { source, status: source_failure::status(freshness), edition: None }
}
