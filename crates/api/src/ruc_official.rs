//! `POST /ruc-official`: a taxpayer's detail, from SUNAT's page, from a provider, or from the open data.

use std::borrow::Cow;

use kuraka_domain::{Date, EconomicActivity, ElectronicIssuing, Ruc, TaxpayerDetail};
use serde::{Deserialize, Serialize};

use crate::{Body, Operation, Playground, Sample, ruc};

/// The description of `POST /ruc-official`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_official", "ruc-sunat", "ruc_sunat"],
    description: "Pregunta a la página de la SUNAT y, si esta no responde, a un proveedor. Si ninguno responde, usa los \
                  datos abiertos, que tienen menos campos (X-Source: open-data). Cuesta una consulta.",
    request: Some(Body { example: "{\n  \"ruc\": \"20999990038\"\n}", ..ruc::REQUEST }),
    playground: Some(Playground {
        title: "RUC, detalle",
        about: "De la fuente oficial, o de un proveedor si esta no responde: actividades, fechas y comprobantes.",
        samples: &[
            ruc::KNOWN,
            // The sandbox's page and providers are down for it.
            Sample { title: "Sin fuentes", body: r#"{"ruc": "20999965033"}"# },
            ruc::UNKNOWN,
        ],
    }),
    ..ruc::lookup("ruc-official", "Detalle de un contribuyente", RESPONSE)
};

const RESPONSE: Body = Body::new::<DetailRecord<'static>>(include_str!("../bodies/ruc_official_response.json"));

/// Datos completos de un contribuyente.
// Contract 2.3 in its order, then the fields beyond the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DetailRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20999990062"))]
    pub ruc: Ruc,
    /// Nombre o razón social.
    pub nombre_o_razon_social: Cow<'a, str>,
    /// Estado.
    pub estado: Cow<'a, str>,
    /// Condición del domicilio.
    pub condicion: Cow<'a, str>,
    /// Dirección con distrito, provincia y departamento; vacía para personas naturales.
    pub direccion_completa: Cow<'a, str>,
    /// Tipo de contribuyente.
    pub tipo_contribuyente: Cow<'a, str>,
    /// Fecha de inscripción.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub fecha_inscripcion: Option<Date>,
    /// Descripciones de las actividades económicas.
    pub actividades_economicas: Vec<Cow<'a, str>>,
    /// Nombre comercial.
    pub nombre_comercial: Cow<'a, str>,
    /// Fecha de inicio de actividades.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub fecha_inicio_actividades: Option<Date>,
    /// Fecha de baja.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub fecha_baja: Option<Date>,
    /// Sistema de emisión.
    pub sistema_emision: Cow<'a, str>,
    /// Actividad de comercio exterior.
    pub actividad_comercio_exterior: Cow<'a, str>,
    /// Sistema de contabilidad.
    pub sistema_contabilidad: Cow<'a, str>,
    /// Las mismas actividades con su código.
    pub actividades_economicas_detalle: Vec<ActivityRecord<'a>>,
    /// Comprobantes autorizados.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub comprobantes_autorizados: Cow<'a, [String]>,
    /// Emisión electrónica.
    pub emision_electronica: ElectronicRecord<'a>,
    /// Padrones a los que pertenece.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub padrones: Cow<'a, [String]>,
}

/// Una actividad económica.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ActivityRecord<'a> {
    /// PRINCIPAL o SECUNDARIA.
    pub tipo: Cow<'a, str>,
    /// Código CIIU.
    pub ciiu: Cow<'a, str>,
    /// Descripción.
    pub descripcion: Cow<'a, str>,
}

/// Lo que se sabe de la emisión electrónica.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ElectronicRecord<'a> {
    /// Sistemas de emisión electrónica.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub sistemas: Cow<'a, [String]>,
    /// Emisor electrónico desde.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub desde: Option<Date>,
    /// Comprobantes electrónicos.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub comprobantes: Cow<'a, [String]>,
    /// Afiliado al PLE desde.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub afiliado_ple_desde: Option<Date>,
}

impl<'a> From<&'a TaxpayerDetail> for DetailRecord<'a> {
    fn from(taxpayer: &'a TaxpayerDetail) -> Self {
        let descriptions = taxpayer.activities.iter().map(|activity| Cow::Borrowed(&*activity.description));
        Self {
            ruc: taxpayer.ruc,
            nombre_o_razon_social: Cow::Borrowed(&taxpayer.name),
            estado: Cow::Borrowed(taxpayer.status.as_str()),
            condicion: Cow::Borrowed(taxpayer.condition.as_str()),
            direccion_completa: Cow::Borrowed(&taxpayer.full_address),
            tipo_contribuyente: Cow::Borrowed(&taxpayer.taxpayer_type),
            fecha_inscripcion: taxpayer.registered,
            actividades_economicas: descriptions.collect(),
            nombre_comercial: Cow::Borrowed(&taxpayer.trade_name),
            fecha_inicio_actividades: taxpayer.activities_started,
            fecha_baja: taxpayer.deregistered,
            sistema_emision: Cow::Borrowed(&taxpayer.issuing_system),
            actividad_comercio_exterior: Cow::Borrowed(&taxpayer.foreign_trade),
            sistema_contabilidad: Cow::Borrowed(&taxpayer.accounting_system),
            actividades_economicas_detalle: taxpayer.activities.iter().map(ActivityRecord::from).collect(),
            comprobantes_autorizados: Cow::Borrowed(&taxpayer.authorised_vouchers),
            emision_electronica: ElectronicRecord::from(&taxpayer.electronic_issuing),
            padrones: Cow::Borrowed(&taxpayer.padrones),
        }
    }
}

impl<'a> From<&'a EconomicActivity> for ActivityRecord<'a> {
    fn from(activity: &'a EconomicActivity) -> Self {
        Self {
            tipo: Cow::Borrowed(activity.rank.as_str()),
            ciiu: Cow::Borrowed(&activity.ciiu),
            descripcion: Cow::Borrowed(&activity.description),
        }
    }
}

impl<'a> From<&'a ElectronicIssuing> for ElectronicRecord<'a> {
    fn from(issuing: &'a ElectronicIssuing) -> Self {
        Self {
            sistemas: Cow::Borrowed(&issuing.systems),
            desde: issuing.since,
            comprobantes: Cow::Borrowed(&issuing.vouchers),
            afiliado_ple_desde: issuing.electronic_books_since,
        }
    }
}
