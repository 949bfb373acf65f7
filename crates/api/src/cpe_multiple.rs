//! `POST /cpe-multiple`: SUNAT's validation of many payment vouchers at once.

use std::borrow::Cow;

use kuraka_domain::ResultCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
#[cfg(feature = "openapi")]
use serde_json::{Map, Value};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;
#[cfg(feature = "openapi")]
use utoipa::openapi::Ref;
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder, OneOfBuilder, Type};

#[cfg(feature = "openapi")]
use crate::schema::with_optional;
use crate::{Batch, Body, Method, Operation, Playground, Sample, Schema, VoucherRecord, cpe};

/// The description of `POST /cpe-multiple`.
pub const OPERATION: Operation = Operation {
    aliases: &[
        "cpe_multiple",
        "validacion-multiple-cpe",
        "validacion_multiple_cpe",
        "validacion-multiple-cpe-v2",
        "validacion_multiple_cpe_v2",
    ],
    tag: cpe::OPERATION.tag,
    description: "Consulta a la SUNAT por cada comprobante de la lista, durante 30 segundos como máximo; los que no respondan \
                  en ese plazo devuelven upstream_unavailable, solo para ese elemento. Un elemento es un objeto con los \
                  campos de /cpe, o una línea ruc|tipo|serie|numero|fecha|total. Cada uno descuenta una consulta; si el \
                  plan tiene menos, no se descuenta nada. El máximo por lista depende del plan. Con Accept: \
                  text/csv o Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet (xlsx) responde una \
                  tabla; con cualquier otro, JSON.",
    request: Some(Body {
        schema: Schema {
            #[cfg(feature = "openapi")]
            name: VoucherBatchRequest::name,
            #[cfg(feature = "openapi")]
            build: request_schemas,
        },
        example: include_str!("../bodies/cpe_multiple_request.json").trim_ascii_end(),
    }),
    source_headers: cpe::OPERATION.source_headers,
    batch: Some(Batch {
        list: "comprobantes",
        lines: Some("20999990062|01|F001|1|15/01/2026|118.00\n20999990062|01|0001|7|15/01/2026|"),
    }),
    cost: 1,
    body_limit: 64 * 1024,
    playground: Some(Playground {
        title: "Varios comprobantes",
        about: "De la SUNAT: cada comprobante de una lista, con su propio código.",
        samples: &[Sample {
            title: "Dos líneas",
            body: "{\n  \"comprobantes\": [\n    \"20999990062|01|F001|1|15/01/2026|118.00\",\n    \
                   \"20999990062|01|F001|2|2026-01-15|118.00\"\n  ]\n}",
        }],
    }),
    ..Operation::new("cpe-multiple", Method::Post, "Validación de varios comprobantes de pago", RESPONSE)
};

const RESPONSE: Body = Body {
    schema: Schema {
        #[cfg(feature = "openapi")]
        name: VoucherBatchRecord::name,
        #[cfg(feature = "openapi")]
        build: schemas,
    },
    example: include_str!("../bodies/cpe_multiple_response.json").trim_ascii_end(),
};

/// In the order of a line.
pub const FIELDS: [&str; 6] =
    ["ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento", "fecha_de_emision", "total"];

#[cfg(feature = "openapi")]
fn schemas() -> Map<String, Value> {
    let optional: [(_, &[&str]); 2] =
        [("VoucherItemRecord", &FIELDS), ("VoucherItemRecord", &["linea", "retry_after", "data", "message"])];
    with_optional((Schema::new::<VoucherBatchRecord<'_>>().build)(), &optional)
}

/// Lo que se envía para validar varios comprobantes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VoucherBatchRequest<'a> {
    /// RUC del emisor de los comprobantes que no lo llevan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(format = "ruc", example = "20999990062"))]
    pub ruc_emisor: Option<Cow<'a, str>>,
    /// Los comprobantes, tantos como permita el plan.
    // An item may be an object or a line.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(schema_with = items))]
    pub comprobantes: Vec<&'a RawValue>,
}

/// [`crate::VoucherRequest`]s, whose issuer may be missing, and lines.
#[cfg(feature = "openapi")]
fn items() -> Array {
    let line = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some(
            "Una línea ruc|tipo|serie|numero|fecha|total. La fecha, AAAA-MM-DD o DD/MM/AAAA; el total puede ir vacío si \
             la serie es impresa.",
        ))
        .examples(["20999990062|01|F001|1|15/01/2026|118.00"]);
    ArrayBuilder::new()
        .items(OneOfBuilder::new().item(Ref::from_schema_name(ITEM)).item(line))
        .description(Some("Los comprobantes, tantos como permita el plan."))
        .min_items(Some(1))
        .max_items(Some(100))
        .build()
}

/// The schema of an item that is an object.
#[cfg(feature = "openapi")]
const ITEM: &str = "VoucherInBatch";

#[cfg(feature = "openapi")]
fn request_schemas() -> Map<String, Value> {
    let mut schemas = (Schema::for_request::<VoucherBatchRequest<'_>>().build)();
    let item =
        with_optional((Schema::new::<crate::VoucherRequest<'_>>().build)(), &[("VoucherRequest", &["ruc_emisor"])]);
    schemas.extend(item.into_iter().map(|(_, schema)| (ITEM.to_owned(), schema)));
    schemas
}

/// Las respuestas a una lista de comprobantes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VoucherBatchRecord<'a> {
    /// Cuántos elementos tiene la lista.
    pub total: usize,
    /// Cuántos tienen respuesta de la SUNAT.
    pub encontrados: usize,
    /// Una respuesta por elemento, en el orden de la lista.
    pub resultados: Vec<VoucherItemRecord<'a>>,
}

/// La respuesta a un comprobante de una lista: sus campos como fueron enviados, o la línea que no se pudo separar; luego
/// data si su código es found, y si no, message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VoucherItemRecord<'a> {
    /// La línea que no tiene seis campos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub linea: Option<Cow<'a, str>>,
    /// RUC del emisor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "20999990062"))]
    pub ruc_emisor: Option<Cow<'a, str>>,
    /// Tipo de comprobante.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "01"))]
    pub codigo_tipo_documento: Option<Cow<'a, str>>,
    /// Serie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "F001"))]
    pub serie_documento: Option<Cow<'a, str>>,
    /// Número.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "1"))]
    pub numero_documento: Option<Cow<'a, str>>,
    /// Fecha de emisión.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "2026-01-15"))]
    pub fecha_de_emision: Option<Cow<'a, str>>,
    /// Importe total, en texto.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "118.00"))]
    pub total: Option<Cow<'a, str>>,
    /// found, invalid_input o upstream_unavailable.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "found"))]
    pub code: ResultCode,
    /// Si repetir este comprobante más tarde puede dar otra respuesta.
    pub retryable: bool,
    /// Con retryable: cuántos segundos esperar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = u64))]
    pub retry_after: Option<u64>,
    /// Lo que la SUNAT dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = VoucherRecord))]
    pub data: Option<VoucherRecord<'a>>,
    /// Qué pasó, para personas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub message: Option<Cow<'a, str>>,
}
