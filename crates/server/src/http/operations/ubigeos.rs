//! `GET /ubigeos`: the table of districts. Free, but counts for the rate.

use std::sync::OnceLock;

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderMap, HeaderValue, IF_NONE_MATCH};
use kuraka_api::{DistrictsRecord, ubigeos};
use kuraka_domain::ResultCode;
use serde_json::value::{RawValue, to_raw_value};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::response::{ApiResponse, Failure};

/// A call waits only for the store.
const CALLS: usize = 128;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ubigeos::OPERATION, CALLS, |context, payload| Box::pin(table(context, payload)));

/// The table as JSON, written at the first call. Its texts always serialise.
static TABLE: OnceLock<Option<Box<RawValue>>> = OnceLock::new();

async fn table(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    // Holds the permit until the answer is made.
    let _admitted = CheckedRequest::admit(context, payload).await?;
    let Some(data) = TABLE.get_or_init(|| to_raw_value(&DistrictsRecord::whole()).ok()) else {
        return Ok(ApiResponse::failed(ResultCode::InternalError));
    };
    // Weak, because the envelope has the time, which differs.
    let etag = format!("W/\"{:08x}\"", crc32fast::hash(data.get().as_bytes()));
    let is_known = is_known(&context.request.headers, &etag);
    Ok(match HeaderValue::from_str(&etag) {
        Ok(etag) if is_known => ApiResponse::not_modified(context.took(), etag),
        Ok(etag) => ApiResponse::with_data(context.took(), data).with_etag(etag),
        // Digits and quotes are always a valid header.
        Err(_) => ApiResponse::with_data(context.took(), data),
    })
}

/// Whether the client has this tag (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let values = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|tag| tag.trim() == "*" || opaque(tag) == opaque(etag))
}
