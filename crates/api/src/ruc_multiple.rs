//! `POST /ruc-multiple`: many RUCs at once.

use std::borrow::Cow;

use kuraka_domain::{ListedTaxpayer, ResultCode};
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use serde_json::{Map, Value, json};
#[cfg(feature = "openapi")]
use utoipa::openapi::{RefOr, Schema as OpenApiSchema};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema, ToSchema};

use crate::ruc_historial::DayRecord;
#[cfg(feature = "openapi")]
use crate::schema::with_optional;
use crate::{
    Batch, Body, Method, Operation, Playground, ProfileRecord, Sample, Schema, SourceFileRecord, SummaryRecord, ruc,
};

/// The description of `POST /ruc-multiple`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_multiple"],
    description: "Devuelve un resultado por cada RUC de la lista, en el mismo orden e incluidos los repetidos, todos de la \
                  misma edición. Un elemento {ruc, fecha} trae la situación de ese día, el en_fecha de /ruc-historial. \
                  Cada elemento descuenta una consulta, salvo el de un día que el historial no cubre; si al plan le \
                  quedan menos, no se descuenta nada. Con Accept: text/csv o Accept: \
                  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet (xlsx) responde una tabla con ruc, \
                  code, message y los demás campos; varios valores se unen con |, y NO DISPONIBLE es lo que este servicio \
                  no tiene. Con cualquier otro, JSON.",
    request: Some(Body::for_request::<RucBatchRequest<'static>>(include_str!("../bodies/ruc_multiple_request.json"))),
    codes: &[ResultCode::UpstreamUnavailable],
    source_headers: ruc::REGISTRY_HEADERS,
    batch: Some(Batch { list: "rucs", lines: None }),
    cost: 1,
    body_limit: 64 * 1024,
    playground: Some(Playground {
        title: "Varios RUC",
        about: "Del padrón: cada RUC de una lista, con su propio código.",
        samples: &[
            Sample { title: "Tres", body: "{\n  \"rucs\": [\"20100119227\", \"20999999990\", \"2010011922\"]\n}" },
            Sample {
                title: "En una fecha",
                body: "{\n  \"rucs\": [{\"ruc\": \"20999990038\", \"fecha\": \"2026-10-24\"}]\n}",
            },
            Sample {
                title: "Con ficha",
                body: "{\n  \"rucs\": [\"20999990038\", \"20999990755\"],\n  \"ficha\": true\n}",
            },
        ],
    }),
    ..Operation::new("ruc-multiple", Method::Post, "Varios contribuyentes a la vez", RESPONSE)
};

const RESPONSE: Body = Body {
    schema: Schema {
        #[cfg(feature = "openapi")]
        name: RucBatchRecord::name,
        #[cfg(feature = "openapi")]
        build: schemas,
    },
    example: include_str!("../bodies/ruc_multiple_response.json").trim_ascii_end(),
};

#[cfg(feature = "openapi")]
fn schemas() -> Map<String, Value> {
    let mut schemas = (Schema::new::<RucBatchRecord<'_>>().build)();
    schemas.extend((Schema::new::<TaxpayerData<'_>>().build)());
    schemas.entry("TaxpayerData").and_modify(add_day);
    with_optional(
        schemas,
        &[
            ("RucBatchRecord", &["fuentes", "no_disponibles"]),
            ("RucItemRecord", &["fecha", "retry_after", "data", "message"]),
        ],
    )
}

/// Makes one flat type of the kinds of data of an item, because generators of clients cannot tell them apart: the fields
/// of a day too, all optional. Two of them have another type on a day.
#[cfg(feature = "openapi")]
fn add_day(data: &mut Value) {
    let Some(data) = data.as_object_mut() else { return };
    data.remove("required");
    let Some(Value::Object(fields)) = data.get_mut("properties") else { return };
    let day = json!({
        "fecha": {"type": "string", "format": "date", "description": "De un elemento con fecha: la fecha."},
        "edicion": {"type": "string", "description": "De un elemento con fecha: la edición que la cubre."},
        "existe": {"type": "boolean", "description": "De un elemento con fecha: si estaba en esa edición."},
        "es_agente_de_retencion": {"type": ["string", "null"], "description": "SI o NO; vacío o null si no se sabe."},
        "es_buen_contribuyente": {"type": ["string", "null"], "description": "SI o NO; vacío o null si no se sabe."},
        "padrones": {"type": ["array", "null"], "items": {},
            "description": "Con ficha, los de /ruc-ficha; de un elemento con fecha, los de en_fecha de /ruc-historial."},
        "sin_capacidad_operativa":
            {"description": "Con ficha, la de /ruc-ficha; de un elemento con fecha, la de en_fecha de /ruc-historial."},
    });
    fields.extend(day.as_object().cloned().into_iter().flatten());
}

/// Lo que se envía para consultar varios RUC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RucBatchRequest<'a> {
    /// Los RUC: de 1 a los que permita el plan, y 1000 como máximo.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 1000))]
    pub rucs: Vec<RucItem<'a>>,
    /// Si cada respuesta lleva lo que dice /ruc-ficha; si no, lo que dice /ruc.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ficha: Option<bool>,
}

/// Un RUC, o un RUC en una fecha.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum RucItem<'a> {
    /// Como es hoy.
    #[cfg_attr(feature = "openapi", schema(example = "20100119227"))]
    Now(String),
    /// Como era un día.
    OnDay(RucOnDay<'a>),
}

/// Un RUC en una fecha.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RucOnDay<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(format = "ruc", example = "20100119227"))]
    pub ruc: Cow<'a, str>,
    /// El día.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha: Cow<'a, str>,
}

/// Las respuestas a una lista de RUC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RucBatchRecord<'a> {
    /// La edición del padrón que respondió.
    #[cfg_attr(feature = "openapi", schema(example = "2026-11-21-1ffd6c97"))]
    pub edicion: Cow<'a, str>,
    /// Los archivos que respondieron; solo con ficha.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<SourceFileRecord>))]
    pub fuentes: Option<Vec<SourceFileRecord<'a>>>,
    /// Conjuntos de datos que faltan aquí: sus campos son null, y solo entonces null es "no se sabe". Solo con ficha.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub no_disponibles: Option<Vec<Cow<'a, str>>>,
    /// Cuántos elementos tiene la lista.
    pub total: usize,
    /// Cuántos se encontraron.
    pub encontrados: usize,
    /// Una respuesta por elemento, en el orden de la lista.
    pub resultados: Vec<RucItemRecord<'a>>,
}

/// La respuesta a un RUC de una lista: data si su código es found; si no, message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RucItemRecord<'a> {
    /// El RUC, como fue enviado.
    #[cfg_attr(feature = "openapi", schema(example = "20100119227"))]
    pub ruc: Cow<'a, str>,
    /// La fecha, como fue enviada, si el elemento la tiene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "2026-10-24"))]
    pub fecha: Option<Cow<'a, str>>,
    /// found, document_not_found, invalid_input, date_not_covered o upstream_unavailable.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "found"))]
    pub code: ResultCode,
    /// Si repetir este RUC más tarde puede dar otra respuesta.
    pub retryable: bool,
    /// Con retryable: cuántos segundos esperar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub retry_after: Option<u64>,
    /// El contribuyente; de un elemento con fecha, el en_fecha de /ruc-historial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = TaxpayerData))]
    pub data: Option<TaxpayerData<'a>>,
    /// Qué pasó, para personas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub message: Option<Cow<'a, str>>,
}

/// A taxpayer of a batch: the record of `/ruc`, or of `/ruc-ficha` without its files, or a day of `/ruc-historial`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TaxpayerData<'a> {
    /// On a day. First, because the others fit the fields of the next ones too.
    OnDay(DayRecord<'a>),
    /// With `ficha`.
    Profile(Box<ProfileRecord<'a>>),
    /// Without it.
    Summary(SummaryRecord<'a>),
}

#[cfg(feature = "openapi")]
impl PartialSchema for TaxpayerData<'_> {
    fn schema() -> RefOr<OpenApiSchema> {
        let mut schema = ProfileRecord::schema();
        if let RefOr::T(OpenApiSchema::Object(record)) = &mut schema {
            record.properties.retain(|name, _| name != "fuentes" && name != "no_disponibles");
            record.description = Some(
                "Un contribuyente: los ocho campos de /ruc, y con ficha los demás; de un elemento con fecha, los de en_fecha \
                 de /ruc-historial."
                    .to_owned(),
            );
        }
        schema
    }
}

#[cfg(feature = "openapi")]
impl ToSchema for TaxpayerData<'_> {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("TaxpayerData")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<OpenApiSchema>)>) {
        ProfileRecord::schemas(schemas);
    }
}

impl<'a> RucBatchRecord<'a> {
    /// The answer of this edition with these items.
    #[must_use]
    pub fn new(edition: &'a str, items: Vec<RucItemRecord<'a>>) -> Self {
        Self {
            edicion: Cow::Borrowed(edition),
            fuentes: None,
            no_disponibles: None,
            total: items.len(),
            encontrados: items.iter().filter(|item| item.data.is_some()).count(),
            resultados: items,
        }
    }
}

impl<'a> RucItemRecord<'a> {
    /// The answer about a taxpayer. As it is now, it has all that its profile tells, or only its summary.
    #[must_use]
    pub fn found(ruc: Cow<'a, str>, taxpayer: &'a ListedTaxpayer, is_whole: bool) -> Self {
        let data = match taxpayer {
            ListedTaxpayer::Now(profile) if is_whole => TaxpayerData::Profile(Box::new(ProfileRecord::from(profile))),
            ListedTaxpayer::Now(profile) => TaxpayerData::Summary(SummaryRecord::from(&profile.summary)),
            ListedTaxpayer::OnDay(day) => TaxpayerData::OnDay(day.into()),
        };
        let code = ResultCode::Found;
        Self { ruc, fecha: None, code, retryable: code.retryable(), retry_after: None, data: Some(data), message: None }
    }

    /// The answer without a taxpayer.
    #[must_use]
    pub const fn failed(ruc: Cow<'a, str>, code: ResultCode, message: Cow<'a, str>) -> Self {
        let retryable = code.retryable();
        Self { ruc, fecha: None, code, retryable, retry_after: None, data: None, message: Some(message) }
    }
}
