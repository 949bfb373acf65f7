//! `GET /ubigeos`: the table of districts. Free, but counts for the rate.

use std::sync::OnceLock;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header::{HeaderMap, HeaderValue, IF_NONE_MATCH};
use kuraka_api::record::write_envelope;
use kuraka_api::{DistrictsRecord, Record, ubigeos};
use kuraka_domain::{Envelope, ResultCode};
use serde_json::value::{RawValue, to_raw_value};

use crate::http::admission::CheckedRequest;
use crate::http::context::RequestContext;
use crate::http::endpoint::Endpoint;
use crate::http::gzip::GzipStart;
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
    /// Weak, because the envelope has the time, which differs.
    etag: HeaderValue,
    /// The envelope before its time, and its tag.
    gzip: Option<(GzipStart, HeaderValue)>,
}

impl Table {
    fn whole() -> Option<Self> {
        let json = to_raw_value(&DistrictsRecord::whole()).ok()?;
        let digest = crc32fast::hash(json.get().as_bytes());
        let tag = |suffix| HeaderValue::from_str(&format!("W/\"{digest:08x}{suffix}\"")).ok();
        let gzip = envelope(&json, Duration::ZERO).and_then(|(start, _)| GzipStart::new(&start)).zip(tag("-gzip"));
        Some(Self { etag: tag("")?, gzip, json })
    }
}

/// An envelope before and from its time, which is `took`.
fn envelope(data: &impl Record, took: Duration) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut envelope = Vec::new();
    write_envelope(&mut envelope, &Envelope::Found { data, time: took }).ok()?;
    let end = envelope.iter().rposition(|byte| *byte == b',')?;
    let end = envelope.split_off(end);
    Some((envelope, end))
}

async fn table(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    // Holds the permit until the answer is made.
    let _admitted = CheckedRequest::admit(context, payload).await?;
    let Some(table) = TABLE.get_or_init(Table::whole) else {
        return Ok(ApiResponse::failed(ResultCode::InternalError));
    };
    let headers = &context.request.headers;
    let gzip = table.gzip.as_ref().filter(|_| accepts_gzip(headers));
    let etag = gzip.map_or(&table.etag, |(_, etag)| etag).clone();
    if is_known(headers, etag.to_str().unwrap_or_default()) {
        return Ok(ApiResponse::not_modified(context.took(), etag));
    }
    let took = context.took();
    let answer = match gzip.and_then(|(start, _)| Some((start, envelope(&table.json, took)?))) {
        Some((start, (_, end))) => ApiResponse::with_gzip(took, start.with_end(&end)),
        None => ApiResponse::with_data(took, &table.json),
    };
    Ok(answer.with_etag(etag))
}

/// Whether the client has this tag (RFC 9110, 13.1.2).
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let values = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|tag| tag.trim() == "*" || opaque(tag) == opaque(etag))
}
