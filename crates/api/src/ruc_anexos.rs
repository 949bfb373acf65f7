//! `POST /ruc-anexos`: the addresses of a taxpayer's annex premises.

use std::borrow::Cow;

use kuraka_domain::{AnnexPremises, Ubigeo};
use serde::{Deserialize, Serialize};

use crate::legacy::UbigeoCode;
use crate::{Body, Operation, Playground, ruc};

/// The description of `POST /ruc-anexos`.
pub const OPERATION: Operation = Operation {
    aliases: &[
        "ruc_anexos",
        "ruc-establecimientos-anexos",
        "ruc_establecimientos_anexos",
        "ruc-establecimientos",
        "ruc_establecimientos",
    ],
    description: "Responde desde la copia propia de los locales anexos que la SUNAT publica. data es una lista, vacía \
                  si el contribuyente no tiene ninguno. Cuesta una consulta.",
    request: Some(Body { example: "{\n  \"ruc\": \"20999990038\"\n}", ..ruc::REQUEST }),
    playground: Some(Playground {
        title: "RUC, anexos",
        about: "De los archivos publicados: la dirección de cada local anexo.",
        samples: &[ruc::DESCRIBED, ruc::KNOWN, ruc::UNKNOWN],
    }),
    ..ruc::lookup("ruc-anexos", "Locales anexos de un contribuyente", RESPONSE)
};

const RESPONSE: Body = Body::new::<AnnexesRecord<'static>>(include_str!("../bodies/ruc_anexos_response.json"));

/// Los locales anexos de un contribuyente, en el orden del archivo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct AnnexesRecord<'a>(pub Vec<AnnexRecord<'a>>);

/// Un local anexo. Lo que el archivo no dice es un texto vacío.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnnexRecord<'a> {
    /// Código del establecimiento; no se publica.
    #[cfg_attr(feature = "openapi", schema(example = ""))]
    pub codigo: Cow<'a, str>,
    /// Tipo de establecimiento; no se publica.
    #[cfg_attr(feature = "openapi", schema(example = ""))]
    pub tipo_de_establecimiento: Cow<'a, str>,
    /// Actividad económica; no se publica.
    #[cfg_attr(feature = "openapi", schema(example = ""))]
    pub actividad_economica: Cow<'a, str>,
    /// Dirección en una línea.
    pub direccion: Cow<'a, str>,
    /// Dirección con distrito, provincia y departamento.
    pub direccion_completa: Cow<'a, str>,
    /// Departamento.
    pub departamento: Cow<'a, str>,
    /// Provincia.
    pub provincia: Cow<'a, str>,
    /// Distrito.
    pub distrito: Cow<'a, str>,
    /// Código de distrito del INEI.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "150131"))]
    pub ubigeo: UbigeoCode<'a>,
}

impl<'a> From<&'a AnnexPremises> for AnnexRecord<'a> {
    fn from(annex: &'a AnnexPremises) -> Self {
        let place = annex.ubigeo;
        let not_published = Cow::Borrowed("");
        Self {
            codigo: not_published.clone(),
            tipo_de_establecimiento: not_published.clone(),
            actividad_economica: not_published,
            direccion: Cow::Borrowed(&annex.address),
            direccion_completa: Cow::Owned(annex.full_address()),
            departamento: Cow::Borrowed(place.map_or("", Ubigeo::department)),
            provincia: Cow::Borrowed(place.and_then(Ubigeo::province).unwrap_or_default()),
            distrito: Cow::Borrowed(place.and_then(Ubigeo::district).unwrap_or_default()),
            ubigeo: UbigeoCode::text(place),
        }
    }
}
