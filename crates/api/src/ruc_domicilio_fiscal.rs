//! `POST /ruc-domicilio-fiscal`: a taxpayer's fiscal address, in parts.

use std::borrow::Cow;

use kuraka_domain::{Ruc, TaxpayerSummary, Ubigeo};
use serde::{Deserialize, Serialize};

use crate::legacy::UbigeoCode;
use crate::{Body, Operation, Playground, ruc};

/// The description of `POST /ruc-domicilio-fiscal`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_domicilio_fiscal"],
    takes_forms: true,
    description: "Responde desde la copia propia del padrón reducido, que no publica la dirección de las personas \
                  naturales. Cuesta una consulta.",
    playground: Some(Playground {
        title: "RUC, domicilio fiscal",
        about: "Del padrón: la dirección con su departamento, provincia, distrito y ubigeo.",
        samples: &[ruc::KNOWN, ruc::UNKNOWN],
    }),
    ..ruc::lookup("ruc-domicilio-fiscal", "Domicilio fiscal de un contribuyente", RESPONSE)
};

const RESPONSE: Body =
    Body::new::<FiscalAddressRecord<'static>>(include_str!("../bodies/ruc_domicilio_fiscal_response.json"));

/// El domicilio fiscal. Para personas naturales, todo menos el RUC es un texto vacío.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FiscalAddressRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
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

impl<'a> From<&'a TaxpayerSummary> for FiscalAddressRecord<'a> {
    fn from(taxpayer: &'a TaxpayerSummary) -> Self {
        let is_published = !taxpayer.ruc.is_personal();
        let place = taxpayer.ubigeo.filter(|_| is_published);
        Self {
            ruc: taxpayer.ruc,
            direccion: Cow::Borrowed(if is_published { &taxpayer.address } else { "" }),
            direccion_completa: Cow::Owned(taxpayer.full_address()),
            departamento: Cow::Borrowed(place.map_or("", Ubigeo::department)),
            provincia: Cow::Borrowed(place.and_then(Ubigeo::province).unwrap_or_default()),
            distrito: Cow::Borrowed(place.and_then(Ubigeo::district).unwrap_or_default()),
            ubigeo: UbigeoCode::text(place),
        }
    }
}
