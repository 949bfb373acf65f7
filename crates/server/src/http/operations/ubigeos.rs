//! `GET /ubigeos`: the table of districts. Free, but counts for the rate.

use std::sync::OnceLock;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderValue, IF_NONE_MATCH};
use kuraka_api::{DistrictsRecord, ubigeos};
use kuraka_domain::ResultCode;
use serde_json::value::{RawValue, to_raw_value};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::media_type::accepts_gzip;
use crate::http::response::{ApiResponse, Failure};

/// A call waits only for the store.
const CALLS: usize = 128;

pub(crate) const ENDPOINT: Endpoint =
    Endpoint::new(&ubigeos::OPERATION, CALLS, |context, payload| Box::pin(table(context, payload)));

/// Made at the first call. Texts always serialise.
static TABLE: OnceLock<Option<Table>> = OnceLock::new();

struct Table {
    json: Box<RawValue>,
    /// As it is and as gzip. Weak, because the envelope has the time, which differs.
    etags: [HeaderValue; 2],
}

impl Table {
    fn whole() -> Option<Self> {
        let json = to_raw_value(&DistrictsRecord::whole()).ok()?;
        let digest = crc32fast::hash(json.get().as_bytes());
        let tag = |suffix| HeaderValue::from_str(&format!("W/\"{digest:08x}{suffix}\"")).ok();
        Some(Self { etags: [tag("")?, tag("-gzip")?], json })
    }
}

async fn table(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    // Holds the permit until the answer is made.
    let _admitted = CheckedRequest::admit(context, payload).await?;
    let Some(table) = TABLE.get_or_init(Table::whole) else {
        return Ok(ApiResponse::new(ResultCode::InternalError));
    };
    let headers = &context.request.headers;
    let is_gzip = accepts_gzip(headers);
    let [plain, gzip] = &table.etags;
    let etag = if is_gzip { gzip } else { plain }.clone();
    if is_known(headers, etag.to_str().unwrap_or_default()) {
        return Ok(ApiResponse::empty(StatusCode::NOT_MODIFIED).with_etag(etag));
    }
    let answer = ApiResponse::with_data(context.took(), &table.json);
    Ok(if is_gzip { answer.compressed() } else { answer }.with_etag(etag))
}

/// Whether the client has this tag (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let values = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|tag| tag.trim() == "*" || opaque(tag) == opaque(etag))
}
