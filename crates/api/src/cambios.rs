//! `POST /cambios`: the changes of the watched RUCs.

use std::borrow::Cow;

use kuraka_domain::{Date, ResultCode, Ruc};
use serde::{Deserialize, Serialize};
#[cfg(feature = "openapi")]
use utoipa::openapi::RefOr;
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema, ToSchema};

use crate::{Body, Method, Operation, Playground, Sample};

/// The description of `POST /cambios`.
pub const OPERATION: Operation = Operation {
    tag: "Seguimiento",
    description: "Los cambios de los RUC que la cuenta sigue, en el orden en que se publicaron; también los de antes de \
                  seguirlos. Cada página con cambios cuesta una consulta; una vacía nada, salvo que se leyera \
                  mucho para no encontrar ninguno.",
    request: Some(Body::for_request::<ChangesRequest<'static>>(include_str!("../bodies/cambios_request.json"))),
    codes: &[ResultCode::CursorExpired],
    cost: 1,
    playground: Some(Playground {
        title: "Cambios",
        about: "Qué cambió, desde una fecha o un cursor.",
        samples: &[Sample {
            title: "De todas las empresas",
            body: r#"{"desde": "2026-10-24", "limite": 100, "todos": true}"#,
        }],
    }),
    ..Operation::new("cambios", Method::Post, "Cambios de los RUC en seguimiento", RESPONSE)
};

const RESPONSE: Body = Body::new::<FeedRecord<'static>>(include_str!("../bodies/cambios_response.json"));

/// Lo que se envía para leer cambios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangesRequest<'a> {
    /// El cursor de la página anterior, o una fecha, que se incluye; sin él, solo lo que venga después.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub desde: Option<Cow<'a, str>>,
    /// Cuántos cambios trae la página como máximo; 100 si falta.
    #[cfg_attr(feature = "openapi", schema(minimum = 1, maximum = 1000))]
    pub limite: Option<u16>,
    /// true: los cambios de todas las empresas (RUC 20), con cualquier plan.
    pub todos: Option<bool>,
    /// Solo los cambios de estos datos.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<ChangedDatumName>>, min_items = 1, max_items = 100))]
    pub datos: Option<Vec<Cow<'a, str>>>,
}

/// The fields and lists of an answer that can change, in their order, for the document.
#[cfg(feature = "openapi")]
struct ChangedDatumName;

#[cfg(feature = "openapi")]
impl PartialSchema for ChangedDatumName {
    fn schema() -> RefOr<Schema> {
        const NAMES: &str = "existe nombre_o_razon_social estado condicion direccion departamento provincia distrito retencion \
             buenos_contribuyentes percepcion_venta_interna percepcion_combustibles sin_capacidad_operativa sancion";
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(NAMES.split(' '))).into()
    }
}

#[cfg(feature = "openapi")]
impl ToSchema for ChangedDatumName {}

/// Una página de cambios.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FeedRecord<'a> {
    /// Por publicación, del más antiguo al más nuevo; dentro de ella por RUC.
    pub cambios: Vec<FeedChangeRecord<'a>>,
    /// El cursor para la siguiente llamada.
    pub siguiente: Cow<'a, str>,
    /// Si no queda nada más por ahora; si es false y siguiente repite desde, llame más tarde.
    pub al_dia: bool,
}

/// Un cambio de un RUC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FeedChangeRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
    /// El código propio; null si no tiene.
    #[cfg_attr(feature = "openapi", schema(example = "P-0042"))]
    pub codigo: Option<Cow<'a, str>>,
    /// La fecha de la edición.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub fecha: Date,
    /// La edición que pasó a ser la actual.
    pub edicion: Cow<'a, str>,
    /// Qué cambió, como en /ruc-historial.
    #[cfg_attr(feature = "openapi", schema(example = "condicion"))]
    pub dato: Cow<'a, str>,
    /// El valor anterior.
    pub antes: Cow<'a, str>,
    /// El valor nuevo.
    pub despues: Cow<'a, str>,
}
