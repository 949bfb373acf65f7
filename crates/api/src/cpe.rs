//! `POST /cpe`: SUNAT's validation of a payment voucher.

use std::borrow::Cow;

use kuraka_domain::{ResultCode, Ruc, VoucherNumber, VoucherValidation};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::ruc::ruc_schema;
use crate::{Body, Method, Operation, Playground, Sample, Schema};

/// The description of `POST /cpe`.
pub const OPERATION: Operation = Operation {
    description: "Pregunta a la SUNAT en este momento; nada se guarda. \"NO EXISTE\" es una respuesta 200. Cuesta una \
                  consulta.",
    request: Some(REQUEST),
    codes: &[ResultCode::UpstreamUnavailable],
    source_headers: &["X-Source", "X-Source-Status"],
    cost: 1,
    playground: Some(Playground {
        title: "Comprobante",
        about: "De la administración tributaria: el estado del comprobante, y el estado y la condición de su emisor.",
        samples: &[
            Sample { title: "Una factura", body: REQUEST.example },
            Sample {
                title: "Serie no válida",
                body: r#"{
  "ruc_emisor": "20999990062",
  "codigo_tipo_documento": "01",
  "serie_documento": "B001",
  "numero_documento": "1",
  "fecha_de_emision": "2026-01-15",
  "total": 118.00
}"#,
            },
        ],
    }),
    ..Operation::new("cpe", Method::Post, "Validación de un comprobante de pago", RESPONSE)
};

const REQUEST: Body = Body {
    schema: Schema { name: "VoucherRequest", build: VoucherRequest::schema },
    example: r#"{
  "ruc_emisor": "20999990062",
  "codigo_tipo_documento": "01",
  "serie_documento": "F001",
  "numero_documento": "1",
  "fecha_de_emision": "2026-01-15",
  "total": 118.00
}"#,
};

const RESPONSE: Body = Body {
    schema: Schema::of::<VoucherRecord<'static>>("VoucherRecord"),
    example: r#"{
  "success": true,
  "code": "found",
  "retryable": false,
  "data": {
    "ruc_emisor": "20999990062",
    "serie_documento": "F001",
    "numero_documento": "1",
    "comprobante_estado_codigo": "1",
    "comprobante_estado_descripcion": "ACEPTADO",
    "empresa_estado_descripcion": "ACTIVO",
    "empresa_condicion_descripcion": "HABIDO",
    "observaciones": []
  },
  "time": 0.001522
}"#,
};

/// Lo que se envía para validar un comprobante.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VoucherRequest<'a> {
    /// RUC del emisor.
    #[serde(borrow)]
    pub ruc_emisor: Cow<'a, str>,
    /// 01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7.
    #[serde(borrow)]
    pub codigo_tipo_documento: Cow<'a, str>,
    /// Serie, según el tipo de comprobante.
    #[serde(borrow)]
    pub serie_documento: Cow<'a, str>,
    /// Número, de 1 a 8 dígitos.
    #[serde(borrow)]
    pub numero_documento: Cow<'a, str>,
    /// AAAA-MM-DD; no posterior a hoy en el Perú.
    #[serde(borrow)]
    pub fecha_de_emision: Cow<'a, str>,
    /// Importe total, con 2 decimales como máximo: un número o un texto.
    // The characters as written, so that the amount is never converted to a float.
    #[serde(borrow)]
    pub total: &'a RawValue,
}

impl VoucherRequest<'_> {
    fn schema() -> Value {
        let text = |description: &str, pattern: &str, example: &str| json!({"type": "string", "description": description, "pattern": pattern, "examples": [example]});
        let series = |kinds: &[&str], pattern: &str| {
            json!({"properties": {
                "codigo_tipo_documento": {"enum": kinds},
                "serie_documento": {"type": "string", "pattern": pattern},
            }})
        };
        json!({
            "type": "object",
            "anyOf": [
                series(&["01"], "^(F[A-Z0-9]{3}|E001|[0-9]{1,4})$"),
                series(&["03"], "^(B[A-Z0-9]{3}|EB01|[0-9]{1,4})$"),
                series(&["07", "08"], "^([FB][A-Z0-9]{3}|E001|EB01|[0-9]{1,4})$"),
                series(&["04", "R1", "R7"], "^[A-Z0-9]{1,4}$"),
            ],
            "required": [
                "ruc_emisor", "codigo_tipo_documento", "serie_documento", "numero_documento", "fecha_de_emision", "total",
            ],
            "properties": {
                "ruc_emisor": ruc_schema("RUC del emisor.", "20999990062"),
                "codigo_tipo_documento": {
                    "type": "string", "enum": ["01", "03", "04", "07", "08", "R1", "R7"],
                    "description": "01 factura, 03 boleta, 07 nota de crédito, 08 nota de débito; también 04, R1 y R7.",
                },
                "serie_documento": text("Serie, según el tipo de comprobante.", "^[A-Z0-9]{1,4}$", "F001"),
                "numero_documento": text("Número, de 1 a 8 dígitos.", "^[0-9]{1,8}$", "1"),
                "fecha_de_emision": {"type": "string", "format": "date", "examples": ["2026-01-15"],
                    "description": "AAAA-MM-DD; no posterior a hoy en el Perú."},
                "total": {"oneOf": [
                    {"type": "number", "minimum": 0, "maximum": 999_999_999_999.99},
                    {"type": "string", "pattern": "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,2})?$"},
                ], "description": "Importe total, con 2 decimales como máximo.", "examples": [118.00]},
            },
        })
    }
}

/// Lo que la SUNAT dice de un comprobante.
// Contract 2.4, in its order. A field that the source does not give is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VoucherRecord<'a> {
    /// RUC del emisor, como fue enviado.
    #[schema(value_type = String, pattern = "^[0-9]{11}$", example = "20999990062")]
    pub ruc_emisor: Ruc,
    /// Serie, como fue enviada.
    #[serde(borrow)]
    #[schema(example = "F001")]
    pub serie_documento: Cow<'a, str>,
    /// Número, como fue enviado.
    #[schema(value_type = String, example = "1")]
    pub numero_documento: VoucherNumber,
    /// 0 no existe, 1 aceptado, 2 anulado, 3 autorizado, 4 no autorizado; otros códigos pasan como son.
    #[serde(borrow)]
    #[schema(example = "1")]
    pub comprobante_estado_codigo: Cow<'a, str>,
    /// El código en palabras; vacío si no está en la tabla.
    #[serde(borrow)]
    #[schema(example = "ACEPTADO")]
    pub comprobante_estado_descripcion: Cow<'a, str>,
    /// Estado del emisor; vacío si la SUNAT no lo dice.
    #[serde(borrow)]
    #[schema(example = "ACTIVO")]
    pub empresa_estado_descripcion: Cow<'a, str>,
    /// Condición del emisor; vacía si la SUNAT no la dice.
    #[serde(borrow)]
    #[schema(example = "HABIDO")]
    pub empresa_condicion_descripcion: Cow<'a, str>,
    /// Observaciones, solo informativas.
    #[schema(value_type = Vec<String>)]
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
