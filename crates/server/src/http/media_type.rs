//! The Content-Type of requests, the Accept of batches, and whether gzip is accepted.

use std::str;

use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderValue};
use kuraka_tables::TableForm;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaType {
    Json,
    Form,
    /// A form in parts.
    Multipart,
    /// `text/plain`.
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaTypeError {
    Charset,
    /// The media type or a parameter is not accepted.
    Other,
}

impl MediaType {
    /// No parameter is accepted but `charset=utf-8` and a form's boundary.
    pub(crate) fn from_content_type(content_type: Option<&HeaderValue>) -> Result<Self, MediaTypeError> {
        let text = content_type.and_then(|value| str::from_utf8(value.as_bytes()).ok()).ok_or(MediaTypeError::Other)?;
        let mut parts = text.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default();
        let known = [
            (Self::Json, "application/json"),
            (Self::Form, "application/x-www-form-urlencoded"),
            (Self::Multipart, "multipart/form-data"),
            (Self::Text, "text/plain"),
        ];
        let known = known.into_iter().find(|(_, name)| essence.eq_ignore_ascii_case(name));
        let (media_type, _) = known.ok_or(MediaTypeError::Other)?;
        for parameter in parts.filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            if media_type == Self::Multipart && name.eq_ignore_ascii_case("boundary") {
                continue;
            }
            if !name.eq_ignore_ascii_case("charset") {
                return Err(MediaTypeError::Other);
            }
            if !["utf-8", "\"utf-8\""].iter().any(|utf8| value.eq_ignore_ascii_case(utf8)) {
                return Err(MediaTypeError::Charset);
            }
        }
        Ok(media_type)
    }
}

/// The table that the client prefers to JSON, if any: the first of the highest quality; a wildcard means JSON and comes
/// last.
pub(crate) fn preferred_table(headers: &HeaderMap) -> Option<TableForm> {
    let ranges = headers.get_all(ACCEPT).filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let mut best = (0, None);
    for range in ranges {
        let mut parts = range.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let form =
            [TableForm::Csv, TableForm::Xlsx].into_iter().find(|form| name.eq_ignore_ascii_case(form.media_type()));
        let rank = match name {
            _ if form.is_some() || name.eq_ignore_ascii_case("application/json") => 1,
            "*/*" | "application/*" => 0,
            _ => continue,
        };
        let thousandths = quality(parts);
        if thousandths > 0 && 2 * thousandths + rank > best.0 {
            best = (2 * thousandths + rank, form);
        }
    }
    best.1
}

pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let codings = headers.get_all(ACCEPT_ENCODING).filter_map(|value| value.to_str().ok());
    codings.flat_map(|value| value.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip")) && quality(parts) > 0
    })
}

/// In thousandths (RFC 9110, 12.4.2). An invalid quality counts as the highest.
fn quality<'a>(mut parameters: impl Iterator<Item = &'a str>) -> u32 {
    let quality = parameters.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let quality = quality.and_then(|text| text.parse::<f32>().ok()).filter(|share| (0.0..=1.0).contains(share));
    (quality.unwrap_or(1.0) * 1_000.0) as u32
}
