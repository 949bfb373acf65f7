//! `POST /ruc-busqueda`: companies by name.

use std::borrow::Cow;

use kuraka_domain::ResultCode;
#[cfg(feature = "openapi")]
use kuraka_domain::name::SearchMode;
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::openapi::RefOr;
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema, ToSchema};

use crate::{Body, Method, Operation, Playground, Sample, SummaryRecord, ruc};

/// The description of `POST /ruc-busqueda`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_busqueda"],
    description: "Busca empresas, nunca personas naturales, en la copia propia del padrón reducido: por palabras, por el \
                  comienzo del nombre o por lo que contiene (modo), y por estado, condicion y departamento. Las \
                  activas van primero; si nada coincide, resultados está vacío. Para la página que sigue, repita lo \
                  mismo con cursor. Cada página cuesta una consulta.",
    request: Some(Body::for_request::<SearchRequest<'static>>(include_str!("../bodies/ruc_busqueda_request.json"))),
    codes: &[ResultCode::UpstreamUnavailable],
    source_headers: ruc::REGISTRY_HEADERS,
    cost: 1,
    playground: Some(Playground {
        title: "Búsqueda por nombre",
        about: "Del padrón: las empresas con estas palabras en su nombre, las activas primero.",
        samples: &[
            Sample { title: "Dos palabras", body: r#"{"nombre": "molinos valle"}"# },
            Sample {
                title: "Activas de Lima",
                body: "{\n  \"nombre\": \"minera\",\n  \"estado\": \"ACTIVO\",\n  \"departamento\": \"LIMA\"\n}",
            },
            Sample { title: "Como empieza", body: r#"{"nombre": "pesquera a", "modo": "comienzo"}"# },
            Sample { title: "Dentro de una palabra", body: r#"{"nombre": "quimica", "modo": "contiene"}"# },
        ],
    }),
    ..Operation::new("ruc-busqueda", Method::Post, "Búsqueda de empresas por nombre", RESPONSE)
};

const RESPONSE: Body = Body::new::<SearchRecord<'static>>(include_str!("../bodies/ruc_busqueda_response.json"));

/// Lo que se envía para buscar por nombre.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchRequest<'a> {
    /// De 2 a 100 caracteres y 10 palabras como máximo. Una letra sola no basta.
    // The format stands for the rules on words, which a pattern cannot express.
    #[cfg_attr(
        feature = "openapi",
        schema(format = "nombre", min_length = 2, max_length = 100, example = "molinos valle")
    )]
    pub nombre: Cow<'a, str>,
    /// Cómo se comparan las palabras con las del nombre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<SearchModeName>))]
    pub modo: Option<Cow<'a, str>>,
    /// Solo empresas con este estado.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(format = "estado", example = "ACTIVO"))]
    pub estado: Option<Cow<'a, str>>,
    /// Solo empresas con esta condición del domicilio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(format = "condicion", example = "HABIDO"))]
    pub condicion: Option<Cow<'a, str>>,
    /// Solo empresas de este departamento.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(format = "departamento", example = "LIMA"))]
    pub departamento: Option<Cow<'a, str>>,
    /// Empresas por página; 20 si falta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 50))]
    pub limite: Option<u32>,
    /// El valor de siguiente de la página anterior, con el mismo nombre, modo y filtros.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(format = "cursor", max_length = 512))]
    pub cursor: Option<Cow<'a, str>>,
}

#[cfg(feature = "openapi")]
struct SearchModeName;

#[cfg(feature = "openapi")]
impl PartialSchema for SearchModeName {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some(
                "palabras, si falta: cada una comienza una palabra del nombre, en cualquier orden. comienzo: el nombre \
                 comienza así. contiene: cada una, de 3 caracteres o más, está dentro de una palabra del nombre.",
            ))
            .enum_values(Some(SearchMode::ALL.map(SearchMode::name)))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl ToSchema for SearchModeName {}

/// Una página de empresas.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SearchRecord<'a> {
    /// La edición del padrón.
    #[cfg_attr(feature = "openapi", schema(example = "2026-11-20-1f0c9a3e"))]
    pub edicion: Cow<'a, str>,
    /// Las empresas, en orden.
    pub resultados: Vec<SummaryRecord<'a>>,
    /// El cursor de la página que sigue; null si no hay más.
    pub siguiente: Option<Cow<'a, str>>,
}
