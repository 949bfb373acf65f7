//! `POST /ruc-official`: a taxpayer's detail, from the tax authority's page or from a provider behind it.

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::{Date, EconomicActivity, ElectronicIssuing, ResultCode, Ruc, TaxpayerDetail};
use kuraka_ports::{DetailAnswer, DetailOrigin, Freshness};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{Answer, Failure, Provenance};
use super::call::Call;
use super::edge::RequestContext;
use super::{Api, edge, ruc_field, source_failure};
use crate::metrics::Operation;

/// Datos completos de un contribuyente.
// Contract 2.3 and what is told beyond it, in the contract's order.
#[derive(Serialize, ToSchema)]
pub(crate) struct DetailRecord<'a> {
    /// RUC de 11 dígitos.
    #[schema(value_type = String, pattern = "^[0-9]{11}$", example = "20999990062")]
    ruc: Ruc,
    /// Nombre o razón social.
    nombre_o_razon_social: &'a str,
    /// Estado.
    estado: &'a str,
    /// Condición del domicilio.
    condicion: &'a str,
    /// Dirección con distrito, provincia y departamento; vacía para personas naturales.
    direccion_completa: &'a str,
    /// Tipo de contribuyente.
    tipo_contribuyente: &'a str,
    /// Fecha de inscripción.
    #[schema(value_type = Option<String>, format = Date)]
    fecha_inscripcion: Option<Date>,
    /// Descripciones de las actividades económicas.
    actividades_economicas: Vec<&'a str>,
    /// Nombre comercial.
    nombre_comercial: &'a str,
    /// Fecha de inicio de actividades.
    #[schema(value_type = Option<String>, format = Date)]
    fecha_inicio_actividades: Option<Date>,
    /// Fecha de baja.
    #[schema(value_type = Option<String>, format = Date)]
    fecha_baja: Option<Date>,
    /// Sistema de emisión.
    sistema_emision: &'a str,
    /// Actividad de comercio exterior.
    actividad_comercio_exterior: &'a str,
    /// Sistema de contabilidad.
    sistema_contabilidad: &'a str,
    /// Las mismas actividades con su código.
    #[schema(inline)]
    actividades_economicas_detalle: Vec<ActivityRecord<'a>>,
    /// Comprobantes autorizados.
    comprobantes_autorizados: &'a [String],
    /// Emisión electrónica.
    #[schema(inline)]
    emision_electronica: ElectronicRecord<'a>,
    /// Padrones a los que pertenece.
    padrones: &'a [String],
}

/// Una actividad económica.
#[derive(Serialize, ToSchema)]
struct ActivityRecord<'a> {
    /// PRINCIPAL o SECUNDARIA.
    tipo: &'static str,
    /// Código CIIU.
    ciiu: &'a str,
    /// Descripción.
    descripcion: &'a str,
}

/// Lo que se sabe de la emisión electrónica.
#[derive(Serialize, ToSchema)]
struct ElectronicRecord<'a> {
    /// Sistemas de emisión electrónica.
    sistemas: &'a [String],
    /// Emisor electrónico desde.
    #[schema(value_type = Option<String>, format = Date)]
    desde: Option<Date>,
    /// Comprobantes electrónicos.
    comprobantes: &'a [String],
    /// Afiliado al PLE desde.
    #[schema(value_type = Option<String>, format = Date)]
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

async fn look_up(exchange: &RequestContext, payload: Payload) -> Result<Answer, Failure> {
    let call = Call::admit(exchange, payload).await?;
    let ruc = ruc_field::ruc(&call)?;
    let answer = exchange.api.lookup_detail.run(&call.grant, ruc).await;
    let DetailAnswer { taxpayer, origin, freshness } =
        answer.map_err(|error| Box::new(source_failure::unavailable(&call, &error)))?;
    let provenance = told_by(origin, freshness);
    Ok(match taxpayer {
        Some(taxpayer) => Answer::found(exchange, &call.grant, provenance, DetailRecord::from(&*taxpayer)),
        None => call.failed(ResultCode::DocumentNotFound).with_provenance(provenance),
    })
}

fn told_by(origin: DetailOrigin, freshness: Freshness) -> Provenance {
    let source = match origin {
        DetailOrigin::Official => "official",
        DetailOrigin::Provider => "provider",
    };
    Provenance { source, status: source_failure::status(freshness), edition: None }
}
