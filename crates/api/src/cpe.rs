//! `POST /cpe`: SUNAT's validation of a payment voucher.

use std::borrow::Cow;

#[cfg(feature = "openapi")]
use kuraka_domain::VoucherKind;
use kuraka_domain::{ResultCode, Ruc, VoucherNumber, VoucherValidation};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{Object, ObjectBuilder, OneOfBuilder, Schema, Type};

use crate::{Body, Method, Operation, Playground, Sample};

/// The description of `POST /cpe`.
pub const OPERATION: Operation = Operation {
    tag: "Comprobantes",
    description: "Consulta a la SUNAT en el momento; no se guarda nada. \"NO EXISTE\" es una respuesta 200. Descuenta una \
                  consulta.",
    request: Some(REQUEST),
    codes: &[ResultCode::UpstreamUnavailable],
    source_headers: &["X-Source", "X-Source-Status"],
    cost: 1,
    playground: Some(Playground {
        title: "Comprobante",
        about: "De la SUNAT: el estado del comprobante, y el estado y la condición de su emisor.",
        samples: &[
            Sample { title: "Una factura", body: REQUEST.example },
            Sample {
                title: "Serie no válida",
                body: include_str!("../bodies/cpe_request_wrong_series.json").trim_ascii_end(),
            },
        ],
    }),
    ..Operation::new("cpe", Method::Post, "Validación de un comprobante de pago", RESPONSE)
};

const REQUEST: Body = Body::new::<VoucherRequest<'static>>(include_str!("../bodies/cpe_request.json"));

const RESPONSE: Body = Body::new::<VoucherRecord<'static>>(include_str!("../bodies/cpe_response.json"));

/// Lo que se envía para validar un comprobante.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VoucherRequest<'a> {
    /// RUC del emisor.
    #[cfg_attr(
        feature = "openapi",
        schema(format = "ruc", pattern = "^(10|15|16|17|20)[0-9]{9}$", example = "20999990062")
    )]
    pub ruc_emisor: Cow<'a, str>,
    /// 01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7.
    #[cfg_attr(feature = "openapi", schema(schema_with = kind))]
    pub codigo_tipo_documento: Cow<'a, str>,
    /// Serie, según el tipo de comprobante: F001 o E001 en facturas, B001 o EB01 en boletas, o solo dígitos.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[A-Z0-9]{1,4}$", example = "F001"))]
    pub serie_documento: Cow<'a, str>,
    /// Número, de 1 a 8 dígitos.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]{1,8}$", example = "1"))]
    pub numero_documento: Cow<'a, str>,
    /// AAAA-MM-DD; no posterior a hoy en el Perú.
    #[cfg_attr(feature = "openapi", schema(format = Date, example = "2026-01-15"))]
    pub fecha_de_emision: Cow<'a, str>,
    /// Importe total, con 2 decimales como máximo: un número o un texto.
    // As written, so that the amount is never converted to a float.
    #[serde(borrow)]
    #[cfg_attr(feature = "openapi", schema(schema_with = total))]
    pub total: &'a RawValue,
}

#[cfg(feature = "openapi")]
fn kind() -> Object {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7."))
        .enum_values(Some(VoucherKind::ALL.map(VoucherKind::code)))
        .build()
}

/// Two schemas: generators lose either the bound of numbers or the pattern of texts of one schema with both types.
#[cfg(feature = "openapi")]
fn total() -> Schema {
    let number = ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0)).maximum(Some(999_999_999_999.99));
    let text = ObjectBuilder::new().schema_type(Type::String).pattern(Some(r"^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$"));
    let either = OneOfBuilder::new().item(number).item(text);
    let either = either.description(Some("Importe total, con 2 decimales como máximo: un número o un texto."));
    Schema::OneOf(either.examples([118.0]).build())
}

/// Lo que la SUNAT dice de un comprobante.
// Contract 2.4, in its order. Unknown fields are empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VoucherRecord<'a> {
    /// RUC del emisor, como fue enviado.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20999990062"))]
    pub ruc_emisor: Ruc,
    /// Serie, como fue enviada.
    #[cfg_attr(feature = "openapi", schema(example = "F001"))]
    pub serie_documento: Cow<'a, str>,
    /// Número, como fue enviado.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "1"))]
    pub numero_documento: VoucherNumber,
    /// 0 no existe, 1 aceptado, 2 anulado, 3 autorizado, 4 no autorizado; otros códigos se devuelven tal cual.
    #[cfg_attr(feature = "openapi", schema(example = "1"))]
    pub comprobante_estado_codigo: Cow<'a, str>,
    /// El código en palabras; vacío si no está en la tabla.
    #[cfg_attr(feature = "openapi", schema(example = "ACEPTADO"))]
    pub comprobante_estado_descripcion: Cow<'a, str>,
    /// Estado del emisor; vacío si la SUNAT no lo dice.
    #[cfg_attr(feature = "openapi", schema(example = "ACTIVO"))]
    pub empresa_estado_descripcion: Cow<'a, str>,
    /// Condición del emisor; vacía si la SUNAT no la dice.
    #[cfg_attr(feature = "openapi", schema(example = "HABIDO"))]
    pub empresa_condicion_descripcion: Cow<'a, str>,
    /// Observaciones, solo informativas.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub observaciones: Cow<'a, [String]>,
}

impl<'a> From<&'a VoucherValidation> for VoucherRecord<'a> {
    fn from(validation: &'a VoucherValidation) -> Self {
        let (status, condition) = (&validation.issuer_status, &validation.issuer_condition);
        Self {
            ruc_emisor: validation.issuer,
            serie_documento: Cow::Borrowed(validation.series.as_str()),
            numero_documento: validation.number,
            comprobante_estado_codigo: Cow::Borrowed(validation.status.code()),
            comprobante_estado_descripcion: Cow::Borrowed(validation.status.text()),
            empresa_estado_descripcion: Cow::Borrowed(status.as_ref().map_or("", |status| status.text())),
            empresa_condicion_descripcion: Cow::Borrowed(condition.as_ref().map_or("", |condition| condition.text())),
            observaciones: Cow::Borrowed(&validation.observations),
        }
    }
}
