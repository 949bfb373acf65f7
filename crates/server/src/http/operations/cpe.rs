//! `POST /cpe`: SUNAT's validation of a voucher.

use actix_web::dev::Payload;
use kuraka_api::{VoucherForm, VoucherRecord, cpe, read_voucher, spanish};
use kuraka_app::calendar;
use kuraka_domain::{Date, ResultCode, Voucher};
use kuraka_ports::{SourceError, SourceErrorKind};

use crate::http::admission::Call;
use crate::http::context::RequestContext;
use crate::http::endpoint::{Endpoint, SourcesOf};
use crate::http::object::Object;
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
    let voucher = voucher(&call.fields()?, VoucherForm::Fields, today)
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

/// The voucher of these fields, or what is wrong with them, in Spanish.
pub(super) fn voucher(fields: &Object<'_>, form: VoucherForm, today: Date) -> Result<Voucher, String> {
    let text = |name| if name == "total" { fields.number(name) } else { fields.text(name) };
    read_voucher(|name| text(name).map_err(|error| error.to_string()), form, today)
}

/// The message if SUNAT calls the voucher's data invalid.
pub(super) fn rejection(error: &SourceError) -> Option<String> {
    (error.kind == SourceErrorKind::Rejected).then(|| spanish::rejected_voucher(error.reason.as_deref()))
}
