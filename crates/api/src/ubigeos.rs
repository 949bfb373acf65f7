//! `GET /ubigeos`: the table of districts.

use std::borrow::Cow;

use kuraka_domain::{ResultCode, Ubigeo};
use serde::{Deserialize, Serialize};

use crate::{Body, Method, Operation};

/// The description of `GET /ubigeos`.
pub const OPERATION: Operation = Operation {
    legacy_method: Some(Method::Post),
    tag: "Tablas",
    description: "Los distritos del Perú con los códigos del INEI, que son los del padrón, por código. Guárdela: si \
                  repite su ETag en If-None-Match y nada cambió, la respuesta es 304, sin cuerpo. No cuesta nada, pero \
                  cuenta para la velocidad.",
    codes: &[ResultCode::PayloadTooLarge, ResultCode::RateLimited],
    source_headers: &["ETag", "Cache-Control"],
    ..Operation::new("ubigeos", Method::Get, "Tabla de distritos", RESPONSE)
};

const RESPONSE: Body = Body::new::<DistrictsRecord<'static>>(include_str!("../bodies/ubigeos_response.json"));

/// Los distritos, por código.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct DistrictsRecord<'a>(pub Vec<DistrictRecord<'a>>);

/// Un distrito.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DistrictRecord<'a> {
    /// Código de distrito del INEI.
    #[cfg_attr(feature = "openapi", schema(pattern = "^[0-9]{6}$", example = "150131"))]
    pub ubigeo: Cow<'a, str>,
    /// Departamento.
    pub departamento: Cow<'a, str>,
    /// Provincia.
    pub provincia: Cow<'a, str>,
    /// Distrito.
    pub distrito: Cow<'a, str>,
}

impl DistrictsRecord<'static> {
    /// The whole table.
    #[must_use]
    pub fn whole() -> Self {
        Self(Ubigeo::known().map(DistrictRecord::from).collect())
    }
}

impl From<Ubigeo> for DistrictRecord<'static> {
    fn from(district: Ubigeo) -> Self {
        Self {
            ubigeo: Cow::Owned(district.to_string()),
            departamento: Cow::Borrowed(district.department()),
            provincia: Cow::Borrowed(district.province().unwrap_or_default()),
            distrito: Cow::Borrowed(district.district().unwrap_or_default()),
        }
    }
}
