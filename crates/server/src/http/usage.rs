//! `GET /usage`: what the caller's account has used of its month. It costs no query and does not count for the rate.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use kuraka_app::{Plan, Used, calendar};
use kuraka_domain::Date;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::{Answer, Failure};
use super::edge::RequestContext;
use super::limits::Limits;
use super::{Api, call, edge};
use crate::metrics::Operation;

/// Lo usado del plan en el mes.
#[derive(Serialize, ToSchema)]
pub(crate) struct UsageRecord<'a> {
    /// Nombre del plan.
    #[schema(example = "free")]
    plan: &'a str,
    /// El mes, en hora del Perú.
    #[schema(inline)]
    periodo: PeriodRecord,
    /// Consultas del mes.
    #[schema(inline)]
    consultas: QueriesRecord,
    /// Consultas por segundo que el plan sostiene.
    limite_por_segundo: u32,
}

/// Primer y último día.
#[derive(Serialize, ToSchema)]
struct PeriodRecord {
    #[schema(value_type = String, format = Date)]
    desde: Date,
    #[schema(value_type = String, format = Date)]
    hasta: Date,
}

/// Límite, usadas y restantes.
#[derive(Serialize, ToSchema)]
struct QueriesRecord {
    limite: u64,
    usadas: u64,
    restantes: u64,
}

impl<'a> UsageRecord<'a> {
    fn new(plan: &'a Plan, Used { period, limit, used }: Used) -> Self {
        let (desde, hasta) = calendar::days_of(period);
        Self {
            plan: plan.name.as_str(),
            periodo: PeriodRecord { desde, hasta },
            consultas: QueriesRecord { limite: limit, usadas: used, restantes: limit.saturating_sub(used) },
            limite_por_segundo: plan.rate.get(),
        }
    }
}

pub(crate) async fn usage(request: HttpRequest, api: Data<Api>) -> HttpResponse {
    edge::exchange(request, api, Operation::Usage, async |exchange| {
        tell(exchange).await.unwrap_or_else(|failure| *failure)
    })
    .await
}

async fn tell(exchange: &RequestContext) -> Result<Answer, Failure> {
    let caller = call::authenticate(exchange).await.map_err(Box::new)?;
    let limits = Limits::new(&caller.plan, exchange.api.admission.standing(&caller));
    let used = exchange.api.usage.of_month(caller.account, &caller.plan).await;
    let answer = match used {
        Ok(used) => Answer::told(exchange, UsageRecord::new(&caller.plan, used)),
        Err(error) => call::out_of_reach(&error),
    };
    Ok(answer.caller(&caller).limits(limits))
}
