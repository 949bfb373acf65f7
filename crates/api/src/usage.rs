//! `GET /usage`: the queries that the caller's account has used this month.

use std::borrow::Cow;

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};

use crate::{Body, Method, Operation};

/// The description of `GET /usage`.
pub const OPERATION: Operation = Operation {
    tag: "Cuenta",
    description: "Consultas usadas y restantes del mes. No cuesta nada.",
    ..Operation::new("usage", Method::Get, "Consumo del plan", RESPONSE)
};

const RESPONSE: Body = Body::new::<UsageRecord<'static>>(include_str!("../bodies/usage_response.json"));

/// Consumo del plan en el mes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UsageRecord<'a> {
    /// Nombre del plan.
    #[cfg_attr(feature = "openapi", schema(example = "free"))]
    pub plan: Cow<'a, str>,
    /// El mes, en hora del Perú.
    pub periodo: PeriodRecord,
    /// Consultas del mes.
    pub consultas: QueriesRecord,
    /// Consultas por segundo que el plan sostiene.
    pub limite_por_segundo: u32,
    /// Elementos por lista.
    pub listas: ListsRecord,
    /// RUC que la cuenta puede seguir.
    pub seguimiento: u64,
}

/// Elementos por lista.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListsRecord {
    /// En /ruc-multiple.
    pub rucs: usize,
    /// En /cpe-multiple.
    pub comprobantes: usize,
}

/// Primer y último día.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PeriodRecord {
    /// Primer día del mes.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub desde: Date,
    /// Último día del mes.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = Date))]
    pub hasta: Date,
}

/// Límite, usadas y restantes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct QueriesRecord {
    /// Las que el plan incluye.
    pub limite: u64,
    /// Las ya descontadas.
    pub usadas: u64,
    /// Las que quedan.
    pub restantes: u64,
}
