//! The answer of the mass validator, under the original's names of `POST /cpe-multiple`: flat rows.

use kuraka_domain::VoucherValidation;
use serde::{Serialize, Serializer};

use crate::cpe_multiple::FIELDS;
use crate::legacy::{IssuerMore, Sent};

/// The code of a voucher that could not be asked for, or is not valid.
const NOT_ANSWERED: &str = "-";

/// The answers to a list of vouchers.
#[derive(Clone, Debug, Serialize)]
pub struct MassRecord<'a> {
    /// How many vouchers were sent.
    pub cantidad_de_comprobantes: usize,
    /// One row for each voucher, in the order of the list.
    pub comprobantes: Vec<MassRow<'a>>,
}

/// The answer to one voucher.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum MassRow<'a> {
    /// An object.
    Fields(Box<MassFields<'a>>),
    /// A line.
    Line(String),
}

/// A row that is an object: the fields as they were sent, then SUNAT's answer.
#[derive(Clone, Debug, Serialize)]
pub struct MassFields<'a> {
    #[serde(flatten, serialize_with = "named")]
    sent: [Sent<'a>; FIELDS.len()],
    comprobante_estado_codigo: &'a str,
    comprobante_estado_descripcion: &'a str,
    empresa_estado_descripcion: &'a str,
    empresa_condicion_descripcion: &'a str,
    observaciones: &'a [String],
    #[serde(flatten)]
    issuer: IssuerMore<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a str>,
}

impl<'a> MassRow<'a> {
    /// A row that is an object. An error is why there is no answer.
    #[must_use]
    pub fn fields(sent: [Sent<'a>; FIELDS.len()], answer: Result<&'a VoucherValidation, &'a str>) -> Self {
        let found = answer.ok();
        let status = found.and_then(|found| found.issuer_status.as_ref());
        let condition = found.and_then(|found| found.issuer_condition.as_ref());
        Self::Fields(Box::new(MassFields {
            sent,
            comprobante_estado_codigo: found.map_or(NOT_ANSWERED, |found| found.status.code()),
            comprobante_estado_descripcion: found.map_or("", |found| found.status.text()),
            empresa_estado_descripcion: status.map_or("", |status| status.text()),
            empresa_condicion_descripcion: condition.map_or("", |condition| condition.text()),
            observaciones: found.map_or(&[], |found| &found.observations),
            issuer: found.map(IssuerMore::from).unwrap_or_default(),
            message: answer.err(),
        }))
    }

    /// A row that is a line: the six parts as they were sent, then the code.
    #[must_use]
    pub fn line(sent: &str, answer: Option<&VoucherValidation>) -> Self {
        let mut parts: Vec<&str> = sent.split('|').take(FIELDS.len()).collect();
        parts.resize(FIELDS.len(), "");
        parts.push(answer.map_or(NOT_ANSWERED, |found| found.status.code()));
        Self::Line(parts.join("|"))
    }
}

fn named<S: Serializer>(sent: &[Sent<'_>; FIELDS.len()], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(FIELDS.iter().zip(sent))
}
