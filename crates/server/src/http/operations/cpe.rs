//! `POST /cpe`: SUNAT's validation of a voucher.

mod fields;

use actix_web::dev::Payload;
use kuraka_api::{VoucherRecord, cpe};
use kuraka_app::calendar;
use kuraka_domain::ResultCode;
use kuraka_ports::{SourceError, SourceErrorKind};

pub(super) use self::fields::{Form, voucher};
use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::{Endpoint, SourcesOf};
use crate::http::response::{ApiResponse, Failure, Provenance};
use crate::http::source_failure;

/// Enough for a crowd that asks about one voucher and shares a request, as for `/ruc-official`.
const CALLS: usize = 2_048;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&cpe::OPERATION, CALLS, |context, payload| Box::pin(validate(context, payload)))
        .asking(SourcesOf::Vouchers);

async fn validate(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let call = Call::admit(context, payload).await?;
    let today = calendar::today(context.api.clock.now());
    let voucher = voucher(&call.fields()?, Form::Fields, today)
        .map_err(|message| Box::new(call.failed(ResultCode::InvalidInput).with_message(message)))?;
    let answer = context.api.validate_voucher.run(&call.grant, voucher).await;
    let answer = answer.map_err(|error| Box::new(failed(&call, &error)))?;
    let provenance = Provenance { source: "official", status: source_failure::status(answer.freshness), edition: None };
    Ok(call.found(context, provenance, &VoucherRecord::from(&answer.validation)))
}

fn failed(call: &Call<'_>, error: &SourceError) -> ApiResponse {
    match rejection(error) {
        Some(message) => call.failed(ResultCode::InvalidInput).with_message(message),
        None => source_failure::unavailable(call, error),
    }
}

/// The message if SUNAT calls the voucher's data invalid.
pub(super) fn rejection(error: &SourceError) -> Option<String> {
    let reason = error.reason.as_deref().map(|reason| reason.trim_end_matches('.'));
    (error.kind == SourceErrorKind::Rejected).then(|| match reason {
        Some(reason) => format!("El comprobante enviado no es válido, según la SUNAT: {reason}."),
        None => "El comprobante enviado no es válido, según la SUNAT.".to_owned(),
    })
}
