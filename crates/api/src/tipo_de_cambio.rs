//! `POST /tipo-de-cambio`: the tax authority's exchange rate of a day, or of the days of a month.

use std::borrow::Cow;

use kuraka_domain::{Currency, Date, DayRates, ExchangeRate, ResultCode};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
#[cfg(feature = "openapi")]
use serde_json::{Map, Value};
#[cfg(feature = "openapi")]
use utoipa::ToSchema;

#[cfg(feature = "openapi")]
use crate::schema::with_optional;
use crate::{Body, Method, Operation, Playground, Sample, Schema, ruc};

/// The description of `POST /tipo-de-cambio`.
pub const OPERATION: Operation = Operation {
    aliases: &["tipo_de_cambio"],
    path_parameter: Some("fecha"),
    tag: "Tablas",
    description: "El tipo de cambio que la SUNAT publica para un día: el del cierre de la SBS del último día hábil anterior. \
                  Sin fecha, el de hoy en Lima; con mes, los días conocidos de ese mes, también en CSV o xlsx (Accept). Un \
                  día que todavía no se conoce se responde 503, nunca con el de otro día. Fuentes: SUNAT, y BCRP con datos de \
                  la SBS. Cuesta una consulta.",
    request: Some(Body::for_request::<ExchangeRateRequest<'static>>(include_str!(
        "../bodies/tipo_de_cambio_request.json"
    ))),
    codes: &[ResultCode::DateNotCovered, ResultCode::UpstreamUnavailable],
    source_headers: ruc::REGISTRY_HEADERS,
    has_table: true,
    cost: 1,
    playground: Some(Playground {
        title: "Tipo de cambio",
        about: "Compra y venta del dólar que la SUNAT publica para un día o un mes.",
        samples: &[
            Sample { title: "Un domingo", body: r#"{"fecha": "2026-09-06"}"# },
            Sample { title: "Un mes", body: r#"{"mes": "2026-09"}"# },
            Sample { title: "Aún no se conoce", body: r#"{"fecha": "2026-10-08"}"# },
        ],
    }),
    ..Operation::new("tipo-de-cambio", Method::Post, "Tipo de cambio de la SUNAT", RESPONSE)
};

const RESPONSE: Body = Body {
    schema: Schema {
        #[cfg(feature = "openapi")]
        name: ExchangeRateData::name,
        #[cfg(feature = "openapi")]
        build: schemas,
    },
    example: include_str!("../bodies/tipo_de_cambio_response.json").trim_ascii_end(),
};

/// The fields that only the names of other services' clients have.
#[cfg(feature = "openapi")]
const OF_OTHERS: [&str; 3] = ["date", "purchase", "sale"];

#[cfg(feature = "openapi")]
fn schemas() -> Map<String, Value> {
    let schemas = (Schema::new::<ExchangeRateData<'_>>().build)();
    with_optional(schemas, &[("ExchangeRateRecord", &OF_OTHERS)])
}

/// Lo que se envía para consultar el tipo de cambio: un día, un mes, o nada para el de hoy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExchangeRateRequest<'a> {
    /// El día; si falta, hoy en Lima.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date, example = "2026-09-06"))]
    pub fecha: Option<Cow<'a, str>>,
    /// Un mes, en vez de un día.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]{4}-[0-9]{2}$", example = "2026-09"))]
    pub mes: Option<Cow<'a, str>>,
    /// Solo USD, que es también el valor si falta.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(example = "USD"))]
    pub moneda: Option<Cow<'a, str>>,
}

/// El tipo de cambio de un día, o de los días conocidos de un mes en orden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum ExchangeRateData<'a> {
    /// De un día.
    Day(ExchangeRateRecord<'a>),
    /// De un mes.
    Month(Vec<ExchangeRateRecord<'a>>),
}

/// El tipo de cambio de un día.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExchangeRateRecord<'a> {
    /// El día que se consultó.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha_busqueda: Date,
    /// El día para el que la SUNAT lo publica.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha_sunat: Date,
    /// USD.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "USD"))]
    pub moneda: Currency,
    /// Soles por dólar a la compra, con tres decimales.
    #[cfg_attr(feature = "openapi", schema(value_type = f64, example = 3.36))]
    pub compra: RateNumber,
    /// Soles por dólar a la venta, con tres decimales.
    #[cfg_attr(feature = "openapi", schema(value_type = f64, example = 3.369))]
    pub venta: RateNumber,
    /// El día del cierre de la SBS; null mientras no se conozca.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub fecha_cierre: Option<Date>,
    /// Quién lo dice: SUNAT, por su texto de ese día, o BCRP, por el cierre que publica.
    #[cfg_attr(feature = "openapi", schema(example = "BCRP"))]
    pub fuente: Cow<'a, str>,
    /// La fecha_busqueda, con el nombre que esperan clientes de otros servicios.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub date: Option<Date>,
    /// La compra, igualmente.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub purchase: Option<RateNumber>,
    /// La venta, igualmente.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>))]
    pub sale: Option<RateNumber>,
}

impl<'a> ExchangeRateRecord<'a> {
    /// The names of the fields that every record has, which are also the columns of a table.
    pub const COLUMNS: [&'static str; 7] =
        ["fecha_busqueda", "fecha_sunat", "moneda", "compra", "venta", "fecha_cierre", "fuente"];

    /// The record of a day. `close` is the day of the close, and `source` says the rates.
    #[must_use]
    pub const fn new(date: Date, rates: DayRates, close: Option<Date>, source: &'a str) -> Self {
        Self {
            fecha_busqueda: date,
            fecha_sunat: date,
            moneda: Currency::Usd,
            compra: RateNumber(rates.buy),
            venta: RateNumber(rates.sell),
            fecha_cierre: close,
            fuente: Cow::Borrowed(source),
            date: None,
            purchase: None,
            sale: None,
        }
    }

    /// The same, with the fields that clients of other services read.
    #[must_use]
    pub fn with_fields_of_others(self) -> Self {
        Self { date: Some(self.fecha_busqueda), purchase: Some(self.compra), sale: Some(self.venta), ..self }
    }

    /// The cells of [`ExchangeRateRecord::COLUMNS`].
    #[must_use]
    pub fn cells(&self) -> [String; 7] {
        let date = self.fecha_busqueda.to_string();
        let close = self.fecha_cierre.map(|close| close.to_string()).unwrap_or_default();
        let (buy, sell) = (self.compra.0.to_string(), self.venta.0.to_string());
        [date.clone(), date, self.moneda.to_string(), buy, sell, close, self.fuente.to_string()]
    }
}

/// A rate as a JSON number with its three decimals, which a float would drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateNumber(pub ExchangeRate);

impl Serialize for RateNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RateNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // As short as it was written, so that a fourth decimal is an error.
        let text = f64::deserialize(deserializer)?.to_string();
        ExchangeRate::parse(&text).map(Self).map_err(serde::de::Error::custom)
    }
}
