//! `POST /cpe`: SUNAT's validation of a voucher.

use actix_web::dev::Payload;
use kuraka_api::legacy::{IssuerMore, Legacy, VoucherMore};
use kuraka_api::{VoucherForm, VoucherRecord, cpe, read_voucher, spanish};
use kuraka_app::calendar;
use kuraka_domain::{Date, Voucher};
use kuraka_ports::{SourceError, SourceErrorKind};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::{Endpoint, SourcesOf};
use crate::http::object::Object;
use crate::http::response::{ApiResponse, Failure};
use crate::http::source_failure;

/// Enough for a crowd that shares a request, as for `/ruc-official`.
const CALLS: usize = 2_048;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&cpe::OPERATION, CALLS, |context, payload| Box::pin(validate(context, payload)))
        .asking(SourcesOf::Vouchers);

async fn validate(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    let (request, call) = CheckedRequest::admit(context, payload).await?;
    let today = calendar::today(context.api.clock.now());
    let fields = request.fields()?;
    let voucher = voucher(&fields, VoucherForm::Fields, today).map_err(ApiResponse::invalid)?;
    let answer = context.origin().scope(request.instance.validate_voucher.run(call, voucher)).await;
    let answer = answer.map_err(|error| failed(&error))?;
    let more = context.route.is_legacy().then(|| VoucherMore {
        codigo_tipo_documento: fields.sent("codigo_tipo_documento"),
        fecha_de_emision: fields.sent("fecha_de_emision"),
        total: fields.sent("total"),
        issuer: IssuerMore::from(&answer.validation),
    });
    let record = Legacy { record: VoucherRecord::from(&answer.validation), more };
    let response = ApiResponse::with_data(context.took(), &record);
    Ok(response.with_provenance(source_failure::provenance("official", answer.freshness)))
}

fn failed(error: &SourceError) -> Failure {
    rejection(error).map_or_else(|| Box::new(source_failure::unavailable(error)), ApiResponse::invalid)
}

/// These fields' voucher, or what is wrong, in Spanish.
pub(super) fn voucher(fields: &Object<'_>, form: VoucherForm, today: Date) -> Result<Voucher, String> {
    let text = |name| match name {
        "total" => fields.number(name),
        "fecha_de_emision" => fields.date(name),
        _ => fields.text(name),
    };
    read_voucher(|name| text(name).map_err(|error| error.to_string()), form, today)
}

/// The message if SUNAT rejects the voucher's data.
pub(super) fn rejection(error: &SourceError) -> Option<String> {
    (error.kind == SourceErrorKind::Rejected).then(|| spanish::rejected_voucher(error.reason.as_deref()))
}
