//! `POST /ruc-ssco`: whether a taxpayer was declared without operating capacity (sujeto sin capacidad operativa).

use kuraka_domain::{OperatingIncapacity, Ruc};
use serde::{Deserialize, Serialize};

use crate::ruc_ficha::IncapacityRecord;
use crate::{Body, Operation, Playground, ruc};

/// The description of `POST /ruc-ssco`.
pub const OPERATION: Operation = Operation {
    aliases: &["ruc_ssco"],
    takes_forms: true,
    description: "Responde desde la copia propia de la lista de sujetos sin capacidad operativa. Cuesta una consulta.",
    request: Some(Body { example: "{\n  \"ruc\": \"20999990755\"\n}", ..ruc::REQUEST }),
    playground: Some(Playground {
        title: "RUC, capacidad operativa",
        about: "De los archivos publicados: la resolución que lo declaró sin capacidad operativa, si hay una.",
        samples: &[ruc::SANCTIONED, ruc::KNOWN, ruc::UNKNOWN],
    }),
    ..ruc::lookup("ruc-ssco", "Capacidad operativa de un contribuyente", RESPONSE)
};

const RESPONSE: Body = Body::new::<OperatingCapacityRecord<'static>>(include_str!("../bodies/ruc_ssco_response.json"));

/// Si un contribuyente fue declarado sin capacidad operativa.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OperatingCapacityRecord<'a> {
    /// RUC de 11 dígitos.
    #[cfg_attr(feature = "openapi", schema(value_type = String, pattern = "^[0-9]{11}$", example = "20100119227"))]
    pub ruc: Ruc,
    /// La resolución; null si no hay ninguna.
    pub sin_capacidad_operativa: Option<IncapacityRecord<'a>>,
}

impl<'a> OperatingCapacityRecord<'a> {
    /// The record of a taxpayer; `incapacity` is `None` if there is no resolution.
    #[must_use]
    pub fn new(ruc: Ruc, incapacity: Option<&'a OperatingIncapacity>) -> Self {
        Self { ruc, sin_capacidad_operativa: incapacity.map(IncapacityRecord::from) }
    }
}
