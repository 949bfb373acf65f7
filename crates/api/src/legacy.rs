//! What answers have beyond our records at the legacy base and at aliases: the fields that programs of the original
//! interface read. Our fields come first, in their order.

use std::borrow::Cow;

use kuraka_domain::ubigeo::DEPARTMENTS;
use kuraka_domain::{TaxpayerDetail, TaxpayerSummary, Ubigeo, VoucherValidation};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::record::flag;

/// A record, with more fields where the original interface is answered.
#[derive(Clone, Debug, Serialize)]
pub struct Legacy<R, M> {
    /// Our record.
    #[serde(flatten)]
    pub record: R,
    /// The original's fields.
    #[serde(flatten)]
    pub more: Option<M>,
}

/// The district of an address: its code as one text, or as the original interface has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum UbigeoCode<'a> {
    /// Six digits; empty = not known.
    Text(Cow<'a, str>),
    /// The codes of the department, the province and the district; `None` = not known.
    Parts([Option<Cow<'a, str>>; 3]),
}

impl UbigeoCode<'static> {
    /// As one text.
    #[must_use]
    pub fn text(place: Option<Ubigeo>) -> Self {
        Self::Text(digits(place))
    }

    /// As the original interface has it.
    #[must_use]
    pub fn parts(place: Option<Ubigeo>) -> Self {
        let digits = digits(place);
        Self::Parts([2, 4, 6].map(|length| digits.get(..length).map(|part| Cow::Owned(part.to_owned()))))
    }
}

fn digits(place: Option<Ubigeo>) -> Cow<'static, str> {
    place.map_or(Cow::Borrowed(""), |place| Cow::Owned(place.to_string()))
}

/// The district of a taxpayer's address; `None` = a natural person, or no address is published.
#[must_use]
pub fn place(taxpayer: &TaxpayerSummary) -> Option<Ubigeo> {
    taxpayer.ubigeo.filter(|_| !taxpayer.ruc.is_personal() && !taxpayer.address.is_empty())
}

/// What `/api/ruc` has beyond `/ruc`.
#[derive(Clone, Debug, Serialize)]
pub struct SummaryMore {
    direccion_completa: String,
    provincia: &'static str,
    distrito: &'static str,
    ubigeo_sunat: Cow<'static, str>,
    ubigeo: UbigeoCode<'static>,
    es_agente_de_percepcion: &'static str,
    es_agente_de_percepcion_combustible: &'static str,
}

impl SummaryMore {
    /// `perception` and `fuel`: whether the taxpayer is on these lists; `None` = there is no such list here.
    #[must_use]
    pub fn new(taxpayer: &TaxpayerSummary, [perception, fuel]: [Option<bool>; 2]) -> Self {
        let place = place(taxpayer);
        let provincia = place.and_then(Ubigeo::province).unwrap_or_default();
        let distrito = place.and_then(Ubigeo::district).unwrap_or_default();
        // In the original's order, which is not ours: the department comes first.
        let in_full = |place: Ubigeo| {
            let places = [place.department(), provincia, distrito].into_iter().filter(|name| !name.is_empty());
            format!("{}, {}", taxpayer.address, places.collect::<Vec<_>>().join(" - "))
        };
        let without_place = || if taxpayer.ruc.is_personal() { String::new() } else { taxpayer.address.clone() };
        Self {
            direccion_completa: place.map_or_else(without_place, in_full),
            provincia,
            distrito,
            ubigeo: UbigeoCode::parts(place),
            ubigeo_sunat: digits(place),
            es_agente_de_percepcion: flag(perception),
            es_agente_de_percepcion_combustible: flag(fuel),
        }
    }
}

/// What addresses have beyond ours.
#[derive(Clone, Debug, Serialize)]
pub struct AddressMore {
    ubigeo_sunat: Cow<'static, str>,
}

impl AddressMore {
    /// For an address in this district.
    #[must_use]
    pub fn new(place: Option<Ubigeo>) -> Self {
        Self { ubigeo_sunat: digits(place) }
    }
}

/// What `/api/ruc-official` has beyond `/ruc-official`: the parts of `direccion_completa`.
#[derive(Clone, Debug, Serialize)]
pub struct DetailMore<'a> {
    direccion: &'a str,
    departamento: &'a str,
    provincia: &'a str,
    distrito: &'a str,
    ubigeo_sunat: Cow<'static, str>,
    ubigeo: UbigeoCode<'static>,
}

impl<'a> DetailMore<'a> {
    /// For this taxpayer. An address that does not end with a district, its province and its department is not split.
    /// SUNAT spells some places otherwise than the table does, but none with a dot, as most parts of a street have.
    #[must_use]
    pub fn new(taxpayer: &'a TaxpayerDetail) -> Self {
        let mut parts = taxpayer.full_address.rsplitn(4, " - ").map(str::trim);
        let places = [(); 3].map(|()| parts.next().unwrap_or_default());
        let street = parts.next();
        let is_there = |place: &Ubigeo| {
            place.department() == places[0]
                && place.district() == Some(places[2])
                && place.province() == Some(places[1])
        };
        let place = Ubigeo::known().find(is_there);
        let are_places = || DEPARTMENTS.contains(&places[0]) && !places.concat().contains('.');
        let is_split = place.is_some() || street.is_some() && are_places();
        let (direccion, [departamento, provincia, distrito]) =
            if is_split { (street.unwrap_or_default(), places) } else { (&*taxpayer.full_address, [""; 3]) };
        Self {
            direccion,
            departamento,
            provincia,
            distrito,
            ubigeo_sunat: digits(place),
            ubigeo: UbigeoCode::parts(place),
        }
    }
}

/// A field as it was sent.
pub type Sent<'a> = Cow<'a, RawValue>;

/// What `/api/cpe` has beyond `/cpe`.
#[derive(Clone, Debug, Serialize)]
pub struct VoucherMore<'a> {
    /// As sent.
    pub codigo_tipo_documento: Sent<'a>,
    /// As sent.
    pub fecha_de_emision: Sent<'a>,
    /// As sent.
    pub total: Sent<'a>,
    /// The issuer in codes.
    #[serde(flatten)]
    pub issuer: IssuerMore<'a>,
}

/// The issuer of a voucher in codes, and its status under the original's misspelt name.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IssuerMore<'a> {
    empresa_estado_codigo: &'a str,
    empresa_condicion_codigo: &'a str,
    empresa_estado_description: &'a str,
}

impl<'a> From<&'a VoucherValidation> for IssuerMore<'a> {
    fn from(validation: &'a VoucherValidation) -> Self {
        let (status, condition) = (validation.issuer_status.as_ref(), validation.issuer_condition.as_ref());
        Self {
            empresa_estado_codigo: status.map_or("", |status| status.code()),
            empresa_condicion_codigo: condition.map_or("", |condition| condition.code()),
            empresa_estado_description: status.map_or("", |status| status.text()),
        }
    }
}
