//! `POST /ruc`: a taxpayer's summary.

use std::borrow::Cow;

use kuraka_domain::{ResultCode, Ruc, TaxpayerSummary};
use serde::{Deserialize, Serialize};

use crate::record::{flag, write_texts};
use crate::{Body, Method, Operation, Playground, Sample};

/// The description of `POST /ruc`.
pub const OPERATION: Operation = Operation {
    description: "Responde desde la copia propia del padrón reducido. Cuesta una consulta.",
    playground: Some(Playground {
        title: "RUC, resumen",
        about: "Del padrón: nombre, estado, condición, dirección y departamento.",
        // RUCs of the bundled sample; the first is a real company.
        samples: &[KNOWN, UNKNOWN, Sample { title: "No es válido", body: r#"{"ruc": "20100119228"}"# }],
    }),
    ..lookup("ruc", "Resumen de un contribuyente", RESPONSE)
};

pub(crate) const fn lookup(name: &'static str, title: &'static str, response: Body) -> Operation {
    Operation {
        path_parameter: Some("ruc"),
        request: Some(REQUEST),
        codes: &[ResultCode::DocumentNotFound, ResultCode::UpstreamUnavailable],
        source_headers: REGISTRY_HEADERS,
        cost: 1,
        ..Operation::new(name, Method::Post, title, response)
    }
}

pub(crate) const REGISTRY_HEADERS: &[&str] = &["X-Source", "X-Source-Status", "X-Registry-Edition"];

pub(crate) const REQUEST: Body = Body::new::<RucRequest<'static>>(include_str!("../bodies/ruc_request.json"));

/// In the bundled sample.
pub(crate) const KNOWN: Sample = Sample { title: "Una empresa", body: r#"{"ruc": "20100119227"}"# };
/// In most files of the bundled sample.
pub(crate) const DESCRIBED: Sample = Sample { title: "Con anexos", body: r#"{"ruc": "20999990038"}"# };
/// Has sanctions and no operating capacity.
pub(crate) const SANCTIONED: Sample = Sample { title: "Con sanciones", body: r#"{"ruc": "20999990755"}"# };
/// A valid RUC that no taxpayer has.
pub(crate) const UNKNOWN: Sample = Sample { title: "No existe", body: r#"{"ruc": "20999999990"}"# };

const RESPONSE: Body = Body::new::<SummaryRecord<'static>>(include_str!("../bodies/ruc_response.json"));

/// Lo que se envía para consultar un RUC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RucRequest<'a> {
    /// RUC de 11 dígitos, con su dígito verificador.
    // The format stands for the check digit, which a pattern cannot express.
    #[cfg_attr(
        feature = "openapi",
        schema(format = "ruc", pattern = "^(10|15|16|17|20)[0-9]{9}$", example = "20100119227")
    )]
    pub ruc: Cow<'a, str>,
}

/// Datos resumidos de un contribuyente, según el padrón reducido.
// Contract 2.2, in its order. These comments become the API's documentation, so they are in Spanish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SummaryRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
    /// Nombre o razón social.
    #[cfg_attr(feature = "openapi", schema(example = "3M PERU S A"))]
    pub nombre_o_razon_social: Cow<'a, str>,
    /// Estado, como ACTIVO o BAJA DE OFICIO.
    #[cfg_attr(feature = "openapi", schema(example = "ACTIVO"))]
    pub estado: Cow<'a, str>,
    /// Condición del domicilio, como HABIDO o NO HALLADO.
    #[cfg_attr(feature = "openapi", schema(example = "HABIDO"))]
    pub condicion: Cow<'a, str>,
    /// Dirección en una línea; vacía para personas naturales.
    #[cfg_attr(feature = "openapi", schema(example = "AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR"))]
    pub direccion: Cow<'a, str>,
    /// Departamento; vacío si no hay dirección.
    #[cfg_attr(feature = "openapi", schema(example = "LIMA"))]
    pub departamento: Cow<'a, str>,
    /// SI o NO; vacío si no se usa esa lista.
    #[cfg_attr(feature = "openapi", schema(example = "SI"))]
    pub es_agente_de_retencion: Cow<'a, str>,
    /// SI o NO; vacío si no se usa esa lista.
    #[cfg_attr(feature = "openapi", schema(example = "NO"))]
    pub es_buen_contribuyente: Cow<'a, str>,
}

impl SummaryRecord<'_> {
    /// Appends the record as JSON, with the bytes of its `Serialize` and faster: most calls are answered with it.
    ///
    /// # Errors
    /// None: texts always serialise.
    pub fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        let mut digits = itoa::Buffer::new();
        let texts: [(_, &str); 8] = [
            (r#"{"ruc":"#, digits.format(self.ruc.get())),
            (r#","nombre_o_razon_social":"#, &self.nombre_o_razon_social),
            (r#","estado":"#, &self.estado),
            (r#","condicion":"#, &self.condicion),
            (r#","direccion":"#, &self.direccion),
            (r#","departamento":"#, &self.departamento),
            (r#","es_agente_de_retencion":"#, &self.es_agente_de_retencion),
            (r#","es_buen_contribuyente":"#, &self.es_buen_contribuyente),
        ];
        write_texts(out, texts)?;
        out.push(b'}');
        Ok(())
    }
}

impl<'a> From<&'a TaxpayerSummary> for SummaryRecord<'a> {
    fn from(taxpayer: &'a TaxpayerSummary) -> Self {
        Self {
            ruc: taxpayer.ruc,
            nombre_o_razon_social: Cow::Borrowed(&taxpayer.name),
            estado: Cow::Borrowed(taxpayer.status.as_str()),
            condicion: Cow::Borrowed(taxpayer.condition.as_str()),
            direccion: Cow::Borrowed(&taxpayer.address),
            departamento: Cow::Borrowed(taxpayer.department()),
            es_agente_de_retencion: Cow::Borrowed(flag(taxpayer.withholding_agent)),
            es_buen_contribuyente: Cow::Borrowed(flag(taxpayer.good_taxpayer)),
        }
    }
}
