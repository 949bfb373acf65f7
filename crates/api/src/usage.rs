//! `GET /usage`: the queries that the caller's account has used this month.

use std::borrow::Cow;

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Body, Method, Operation, Record, Schema};

/// The description of `GET /usage`.
pub const OPERATION: Operation = Operation {
    tag: "Cuenta",
    description: "Consultas usadas y restantes del mes. No cuesta nada.",
    ..Operation::new("usage", Method::Get, "Lo usado del plan", RESPONSE)
};

const RESPONSE: Body = Body {
    schema: Schema::of::<UsageRecord<'static>>(),
    example: include_str!("../bodies/usage_response.json").trim_ascii_end(),
};

/// Lo usado del plan en el mes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageRecord<'a> {
    /// Nombre del plan.
    #[serde(borrow)]
    #[schema(example = "free")]
    pub plan: Cow<'a, str>,
    /// El mes, en hora del Perú.
    pub periodo: PeriodRecord,
    /// Consultas del mes.
    pub consultas: QueriesRecord,
    /// Consultas por segundo que el plan sostiene.
    pub limite_por_segundo: u32,
}

impl Record for UsageRecord<'_> {}

/// Primer y último día.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PeriodRecord {
    #[expect(missing_docs, reason = "the text would appear in the OpenAPI document")]
    #[schema(value_type = String, format = Date)]
    pub desde: Date,
    #[expect(missing_docs, reason = "as above")]
    #[schema(value_type = String, format = Date)]
    pub hasta: Date,
}

/// Límite, usadas y restantes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[expect(missing_docs, reason = "the texts would appear in the OpenAPI document")]
pub struct QueriesRecord {
    pub limite: u64,
    pub usadas: u64,
    pub restantes: u64,
}
