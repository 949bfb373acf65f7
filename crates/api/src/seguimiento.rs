//! `POST /seguimiento` and `GET /seguimiento`: the RUCs that an account watches.

use std::borrow::Cow;

use kuraka_domain::{ResultCode, Ruc};
use serde::{Deserialize, Serialize};

use crate::{Body, Method, Operation, Playground, Sample};

/// The description of `POST /seguimiento`.
pub const CHANGE: Operation = Operation {
    tag: "Seguimiento",
    description: "Agrega o quita RUC del seguimiento, hasta 1000 por llamada; el máximo depende del plan. No descuenta \
                  consultas, salvo una por cada RUC que se agregue en un mes por encima del doble de ese máximo.",
    request: Some(Body::for_request::<WatchRequest<'static>>(include_str!("../bodies/seguimiento_request.json"))),
    codes: &[ResultCode::RateLimited, ResultCode::QuotaExceeded, ResultCode::WatchLimitExceeded],
    body_limit: 512 * 1024,
    playground: Some(Playground {
        title: "Seguimiento",
        about: "Los RUC que la cuenta sigue.",
        samples: &[Sample {
            title: "Agregar dos",
            body: r#"{"agregar": ["20100119227", {"ruc": "20999990038", "codigo": "P-0042"}]}"#,
        }],
    }),
    ..Operation::new("seguimiento", Method::Post, "Seguir RUC", CHANGED)
};

/// The description of `GET /seguimiento`.
pub const LIST: Operation = Operation {
    tag: "Seguimiento",
    path: "seguimiento",
    query_parameter: Some("cursor"),
    description: "Los RUC que la cuenta sigue, 1000 por página. No cuesta consultas.",
    codes: &[ResultCode::RateLimited, ResultCode::PayloadTooLarge],
    ..Operation::new("seguimiento-lista", Method::Get, "RUC en seguimiento", LISTED)
};

const CHANGED: Body = Body::new::<WatchChangeRecord<'static>>(include_str!("../bodies/seguimiento_response.json"));

const LISTED: Body = Body::new::<WatchListRecord<'static>>(include_str!("../bodies/seguimiento_lista_response.json"));

/// Lo que se agrega y se quita; lo que está en ambas listas se quita.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WatchRequest<'a> {
    /// RUC, o RUC con el código propio.
    #[cfg_attr(feature = "openapi", schema(max_items = 1000))]
    pub agregar: Option<Vec<WatchItem<'a>>>,
    /// RUC.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Vec<String>>, max_items = 1000))]
    pub quitar: Option<Vec<Cow<'a, str>>>,
}

/// Un RUC que se sigue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum WatchItem<'a> {
    /// Solo el RUC; conserva el código que tenga.
    Plain(Cow<'a, str>),
    /// Con el código propio.
    Coded(CodedRucRequest<'a>),
}

/// Un RUC con el código que le da la cuenta.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CodedRucRequest<'a> {
    /// RUC de 11 dígitos.
    pub ruc: Cow<'a, str>,
    /// El código propio, como el número de proveedor; 40 caracteres como máximo.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, max_length = 40, example = "P-0042"))]
    pub codigo: Option<Cow<'a, str>>,
}

/// Lo que cambió en la lista.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WatchChangeRecord<'a> {
    /// Los RUC que la cuenta sigue ahora.
    pub total: u64,
    /// Los que no seguía.
    pub agregados: u64,
    /// Los que seguía y ya no.
    pub quitados: u64,
    /// Elementos no válidos; los demás se procesaron.
    pub no_validos: Vec<InvalidRucRecord<'a>>,
}

/// Un elemento que no es válido.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvalidRucRecord<'a> {
    /// Lo enviado.
    pub ruc: Cow<'a, str>,
    /// Por qué no es válido.
    pub message: Cow<'a, str>,
}

/// Una página de los RUC que la cuenta sigue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WatchListRecord<'a> {
    /// Los RUC de todas las páginas.
    pub total: u64,
    /// Por número de RUC.
    pub rucs: Vec<WatchedRecord<'a>>,
    /// El cursor de la página siguiente; null si no hay más.
    pub siguiente: Option<Cow<'a, str>>,
}

/// Un RUC en seguimiento.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WatchedRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
    /// El código propio; null si no tiene.
    #[cfg_attr(feature = "openapi", schema(example = "P-0042"))]
    pub codigo: Option<Cow<'a, str>>,
}
