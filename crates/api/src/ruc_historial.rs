//! `POST /ruc-historial`: a taxpayer's state on a past day, and its recorded changes.

use std::borrow::Cow;

use kuraka_domain::{Date, OnDay, ResultCode, Ruc};
use serde::{Deserialize, Deserializer, Serialize};
#[cfg(feature = "openapi")]
use serde_json::{Map, Value};

#[cfg(feature = "openapi")]
use crate::schema::with_optional;
#[cfg(feature = "openapi")]
use crate::table_row::SUMMARY_COLUMNS;
use crate::{Body, Operation, Playground, Sample, Schema, SummaryRecord, ruc};

/// The description of `POST /ruc-historial`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_historial"],
    query_parameter: Some("fecha"),
    description: "Usa el registro propio de cambios de los archivos publicados, desde la primera edición de este servicio. \
                  Si el registro no cubre la fecha, la respuesta es date_not_covered y no se descuenta nada. Descuenta una \
                  consulta.",
    request: Some(REQUEST),
    codes: &[ResultCode::DateNotCovered, ResultCode::DocumentNotFound, ResultCode::UpstreamUnavailable],
    playground: Some(Playground {
        title: "RUC, historial",
        about: "La situación del contribuyente en una fecha, y sus cambios desde entonces.",
        samples: &[CHANGED, ruc::KNOWN, ruc::UNKNOWN],
    }),
    ..ruc::lookup("ruc-historial", "Historial de un contribuyente", RESPONSE)
};

/// A company whose data differ between the two editions of the bundled sample.
const CHANGED: Sample = Sample { title: "Con un cambio", body: r#"{"ruc": "20999990038", "fecha": "2026-10-24"}"# };

const REQUEST: Body =
    Body::for_request::<HistoryRequest<'static>>(include_str!("../bodies/ruc_historial_request.json"));

const RESPONSE: Body = Body {
    schema: Schema {
        #[cfg(feature = "openapi")]
        name: <HistoryRecord<'_> as utoipa::ToSchema>::name,
        #[cfg(feature = "openapi")]
        build: schemas,
    },
    example: include_str!("../bodies/ruc_historial_response.json").trim_ascii_end(),
};

#[cfg(feature = "openapi")]
fn schemas() -> Map<String, Value> {
    // Only there if the padrón had the taxpayer.
    let of_present = [&["padrones", "sin_capacidad_operativa", "ruc"], SUMMARY_COLUMNS.as_slice()].concat();
    with_optional((Schema::new::<HistoryRecord<'_>>().build)(), &[("DayRecord", &of_present)])
}

/// Lo que se envía para consultar un historial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryRequest<'a> {
    /// RUC de 11 dígitos, con su dígito verificador.
    #[cfg_attr(
        feature = "openapi",
        schema(format = "ruc", pattern = "^(10|15|16|17|20)[0-9]{9}$", example = "20100119227")
    )]
    pub ruc: Cow<'a, str>,
    /// El día que se quiere conocer.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub fecha: Option<Cow<'a, str>>,
}

/// Lo que el registro de cambios tiene de un contribuyente.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HistoryRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
    /// El primer día que cubre el registro del padrón.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub desde: Date,
    /// El último.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub hasta: Date,
    /// Los días entre ambas que el registro de un conjunto de datos no cubre.
    pub periodos_sin_registro: Vec<GapRecord<'a>>,
    /// Desde cuándo vale sin interrupción lo de hoy, hasta donde llega el registro; null si hoy no está en el padrón.
    pub vigente_desde: Option<ValidSinceRecord>,
    /// El contribuyente en la fecha; null sin fecha.
    pub en_fecha: Option<DayRecord<'a>>,
    /// Los cambios, de la edición más nueva a la más antigua; 200 como máximo.
    pub cambios: Vec<ChangeRecord<'a>>,
    /// Si hay más cambios que los que están aquí.
    pub mas_cambios: bool,
    /// Lo que los datos abiertos dijeron de una empresa cada mes; null si no se leyó ningún mes.
    pub por_mes: Option<MonthsRecord<'a>>,
}

/// Días que el registro de un conjunto de datos no cubre.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GapRecord<'a> {
    /// El conjunto de datos.
    #[cfg_attr(feature = "openapi", schema(example = "padron"))]
    pub dataset: Cow<'a, str>,
    /// El primer día.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub desde: Date,
    /// El último día.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub hasta: Date,
    /// Por qué: sin ediciones, o sin registro de cambios.
    #[cfg_attr(feature = "openapi", schema(example = "sin ediciones"))]
    pub motivo: Cow<'a, str>,
}

/// Desde cuándo valen el estado y la condición de hoy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ValidSinceRecord {
    /// El estado.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub estado: Date,
    /// La condición.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub condicion: Date,
}

/// El contribuyente en una fecha: con existe true, todos los campos; con false, solo los tres primeros.
// One flat type: generators of clients cannot tell the branches of a union apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DayRecord<'a> {
    /// La fecha.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha: Date,
    /// La edición del padrón que la cubre.
    pub edicion: Cow<'a, str>,
    /// Si está en esa edición.
    pub existe: bool,
    /// Los padrones en los que estaba.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub padrones: Option<Vec<Cow<'a, str>>>,
    /// Si estaba declarado sin capacidad operativa; null si no se sabe.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub sin_capacidad_operativa: Option<Option<bool>>,
    /// RUC de 11 dígitos.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Option<Ruc>,
    /// Nombre o razón social.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub nombre_o_razon_social: Option<Cow<'a, str>>,
    /// Estado, como ACTIVO o BAJA DE OFICIO.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub estado: Option<Cow<'a, str>>,
    /// Condición del domicilio, como HABIDO o NO HALLADO.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub condicion: Option<Cow<'a, str>>,
    /// Dirección en una línea; vacía para personas naturales.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub direccion: Option<Cow<'a, str>>,
    /// Departamento; vacío si no hay dirección.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub departamento: Option<Cow<'a, str>>,
    /// SI o NO; null si no se sabe.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub es_agente_de_retencion: Option<Option<Cow<'a, str>>>,
    /// SI o NO; null si no se sabe.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub es_buen_contribuyente: Option<Option<Cow<'a, str>>>,
}

/// Null is a value, which differs from a field that is missing.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl<'a> From<&'a OnDay> for DayRecord<'a> {
    fn from(OnDay { date, edition, taxpayer }: &'a OnDay) -> Self {
        let summary = taxpayer.as_ref().map(|on_day| SummaryRecord::from(&on_day.summary));
        let text = |field: fn(SummaryRecord<'a>) -> Cow<'a, str>| summary.clone().map(field);
        let flag = |flag: Option<bool>| flag.map(|is| Cow::Borrowed(if is { "SI" } else { "NO" }));
        let on_day = taxpayer.as_ref();
        Self {
            fecha: *date,
            edicion: Cow::Borrowed(edition),
            existe: on_day.is_some(),
            padrones: on_day.map(|on_day| on_day.lists.iter().map(|list| Cow::Borrowed(*list)).collect()),
            sin_capacidad_operativa: on_day.map(|on_day| on_day.without_capacity),
            ruc: summary.as_ref().map(|summary| summary.ruc),
            nombre_o_razon_social: text(|summary| summary.nombre_o_razon_social),
            estado: text(|summary| summary.estado),
            condicion: text(|summary| summary.condicion),
            direccion: text(|summary| summary.direccion),
            departamento: text(|summary| summary.departamento),
            es_agente_de_retencion: on_day.map(|on_day| flag(on_day.summary.withholding_agent)),
            es_buen_contribuyente: on_day.map(|on_day| flag(on_day.summary.good_taxpayer)),
        }
    }
}

/// Un cambio.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangeRecord<'a> {
    /// La fecha de la primera edición con el valor nuevo.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha: Date,
    /// Esa edición.
    pub edicion: Cow<'a, str>,
    /// Qué cambió: existe, un campo, el nombre de un padrón, sin_capacidad_operativa o sancion.
    #[cfg_attr(feature = "openapi", schema(example = "condicion"))]
    pub dato: Cow<'a, str>,
    /// El valor anterior.
    pub antes: Cow<'a, str>,
    /// El valor nuevo.
    pub despues: Cow<'a, str>,
}

/// Lo que los datos abiertos dijeron de una empresa cada mes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MonthsRecord<'a> {
    /// El primer mes leído, AAAA-MM.
    pub desde: Cow<'a, str>,
    /// El último mes leído.
    pub hasta: Cow<'a, str>,
    /// Los meses entre ambos que no se publicaron o no se leyeron.
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<String>))]
    pub meses_que_faltan: Vec<Cow<'a, str>>,
    /// El primer mes y cada mes que difiere del mes conocido anterior, del más nuevo al más antiguo.
    pub cambios: Vec<MonthRecord<'a>>,
}

/// Estado y condición publicados para un mes; null si la empresa no está en el archivo del mes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MonthRecord<'a> {
    /// El mes, AAAA-MM.
    pub periodo: Cow<'a, str>,
    /// Estado.
    pub estado: Option<Cow<'a, str>>,
    /// Condición.
    pub condicion: Option<Cow<'a, str>>,
}
