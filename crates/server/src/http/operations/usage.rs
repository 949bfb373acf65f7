//! `GET /usage`: the account's used queries of the month. Free, without a rate limit.

use std::borrow::Cow;

use actix_web::dev::Payload;
use kuraka_api::{ListsRecord, PeriodRecord, QueriesRecord, UsageRecord, usage};
use kuraka_app::{Plan, Used, calendar};

use crate::http::admission;
use crate::http::body::Body;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::response::{ApiResponse, Failure};

/// A call waits only for the store.
const CALLS: usize = 128;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&usage::OPERATION, CALLS, |context, payload| Box::pin(this_month(context, payload)));

async fn this_month(context: &RequestContext<'_>, _: Payload) -> Result<ApiResponse, Failure> {
    // The body of a call is not read, whatever its length.
    let admitted = admission::authenticate(context, &Body::Whole(Vec::new())).await.map_err(Box::new)?;
    let caller = &admitted.caller;
    let limits = admission::limits(context, caller);
    let used = context.api.usage.month_of(caller.account, caller.kind, &caller.plan).await;
    let response = match used {
        Ok(used) => ApiResponse::with_data(context.took(), &record(&caller.plan, used)),
        Err(error) => *Failure::from(error),
    };
    Ok(response.caller(caller).limits(limits))
}

fn record(plan: &Plan, month: Used) -> UsageRecord<'_> {
    let Used { period, limit, used } = month;
    let (desde, hasta) = calendar::days_of(period);
    UsageRecord {
        plan: Cow::Borrowed(plan.name.as_str()),
        periodo: PeriodRecord { desde, hasta },
        consultas: QueriesRecord { limite: limit, usadas: used, restantes: month.left() },
        limite_por_segundo: plan.rate.get(),
        listas: ListsRecord { rucs: plan.batch, comprobantes: plan.batch_vouchers },
        seguimiento: plan.watched,
    }
}
