//! An API call's response: envelope and headers.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::Write;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::{self, BoxBody};
use actix_web::dev::Response;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use kuraka_api::record::write_envelope;
use kuraka_app::{Caller, Causes, ChargedCall, Place};
use kuraka_domain::{Envelope, ErrorDates, ResultCode};
use kuraka_panel::{LargeBody, SMALL_ANSWER_BYTES};
use kuraka_tables::TableForm;
use serde::Serialize;

use super::body::Unread;
use super::code;
use super::limits::Limits;

const X_ERROR_CODE: HeaderName = HeaderName::from_static("x-error-code");
const X_SOURCE: HeaderName = HeaderName::from_static("x-source");
pub(super) const X_SOURCE_STATUS: HeaderName = HeaderName::from_static("x-source-status");
pub(crate) const X_REGISTRY_EDITION: HeaderName = HeaderName::from_static("x-registry-edition");

/// `X-Source`, `X-Source-Status` and `X-Registry-Edition`.
#[derive(Clone, Debug)]
pub(crate) struct Provenance {
    pub(crate) source: &'static str,
    pub(crate) status: &'static str,
    pub(crate) edition: Option<HeaderValue>,
}

/// Of an answer whose buffer is reused.
const MAX_REUSED_BUFFER_BYTES: usize = 64 * 1024;

thread_local! {
    /// This thread's envelope buffer. The body is a copy, so each answer allocates once, exactly what it needs.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

pub(crate) struct ApiResponse {
    pub(crate) code: ResultCode,
    /// If it is not the code's.
    status: Option<StatusCode>,
    /// A record's envelope; `None` for an error, whose envelope is made of the fields here.
    body: Option<Bytes>,
    media_type: &'static str,
    message: Option<Cow<'static, str>>,
    dates: Option<ErrorDates>,
    /// They replace the usual ones.
    extra: Vec<(HeaderName, HeaderValue)>,
    provenance: Option<Provenance>,
    limits: Option<Limits>,
    unread: Option<Unread>,
    /// The place of a large answer.
    pub(crate) place: Option<Place>,
    pub(crate) caller: Option<Arc<Caller>>,
    /// Only logged.
    pub(crate) cause: Option<Cow<'static, str>>,
    /// The time in a record's envelope.
    pub(crate) took: Option<Duration>,
}

/// Boxed to keep every `Result` small.
pub(crate) type Failure = Box<ApiResponse>;

impl ApiResponse {
    /// A record, `found`; `took` is the time so far.
    pub(crate) fn with_data(took: Duration, data: &impl Serialize) -> Self {
        Self::with_written(took, |out| serde_json::to_writer(out, data))
    }

    /// The same of a record that `write` appends as JSON.
    pub(crate) fn with_written(took: Duration, write: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>) -> Self {
        BUFFER.with_borrow_mut(|buffer| {
            buffer.clear();
            match write_envelope(buffer, took, write) {
                Ok(()) => {
                    // A large buffer is not kept.
                    let is_large = buffer.len() > MAX_REUSED_BUFFER_BYTES;
                    let body = Some(if is_large { mem::take(buffer).into() } else { Bytes::copy_from_slice(buffer) });
                    Self { body, took: Some(took), ..Self::new(ResultCode::Found) }
                }
                Err(error) => Self::new(ResultCode::InternalError).with_cause(error.to_string()),
            }
        })
    }

    /// A table instead of the envelope.
    pub(crate) fn with_table(took: Duration, form: TableForm, table: Vec<u8>) -> Self {
        let media_type = match form {
            TableForm::Csv => "text/csv; charset=utf-8",
            TableForm::Xlsx => form.media_type(),
        };
        Self { body: Some(table.into()), media_type, took: Some(took), ..Self::new(ResultCode::Found) }
    }

    /// Another form than the envelope.
    pub(crate) fn with_json(took: Duration, json: String) -> Self {
        Self { body: Some(json.into()), took: Some(took), ..Self::new(ResultCode::Found) }
    }

    /// With this body as gzip.
    pub(crate) fn compressed(self) -> Self {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        let body = self.body.as_deref().unwrap_or_default();
        match gzip.write_all(body).and_then(|()| gzip.finish()) {
            Ok(body) => Self { body: Some(body.into()), ..self }
                .header(header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
            Err(_) => self,
        }
    }

    /// Replaces an error's envelope by what `write` makes of status, code and message.
    pub(crate) fn reshape(&mut self, write: impl FnOnce(u16, ResultCode, Cow<'static, str>) -> (u16, String)) {
        if self.code == ResultCode::Found {
            return;
        }
        let message = self.message.take().unwrap_or(Cow::Borrowed(code::message(self.code)));
        let (status, body) = write(code::status(self.code).as_u16(), self.code, message);
        (self.status, self.body) = (StatusCode::from_u16(status).ok(), Some(body.into()));
    }

    /// With the code's default message.
    pub(crate) const fn new(code: ResultCode) -> Self {
        Self {
            code,
            status: None,
            body: None,
            media_type: "application/json",
            message: None,
            dates: None,
            extra: Vec::new(),
            provenance: None,
            limits: None,
            unread: None,
            place: None,
            caller: None,
            cause: None,
            took: None,
        }
    }

    /// Invalid input, with what is wrong.
    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Failure {
        Box::new(Self::new(ResultCode::InvalidInput).with_message(message))
    }

    pub(crate) fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Self {
        self.message = Some(message.into());
        self
    }

    pub(crate) fn with_dates(mut self, dates: ErrorDates) -> Self {
        self.dates = Some(dates);
        self
    }

    pub(crate) fn with_cause(mut self, cause: impl Into<Cow<'static, str>>) -> Self {
        self.cause = Some(cause.into());
        self
    }

    /// The causes of a list's items, which are only logged.
    pub(crate) fn with_causes(mut self, causes: Causes) -> Self {
        self.cause = causes.in_words().map(Cow::Owned).or(self.cause);
        self
    }

    /// A header that only this response has.
    pub(crate) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.extra.push((name, value));
        self
    }

    /// Data that the client may keep for a day.
    pub(crate) fn with_etag(self, etag: HeaderValue) -> Self {
        self.header(header::ETAG, etag)
            .header(header::VARY, HeaderValue::from_static("Accept-Encoding"))
            .header(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400"))
    }

    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    pub(crate) fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    pub(crate) fn caller(mut self, caller: &Arc<Caller>) -> Self {
        self.caller = Some(Arc::clone(caller));
        self
    }

    /// Adds an admitted call's caller and, unless present, its limits.
    pub(crate) fn complete(&mut self, call: &ChargedCall) {
        self.caller = Some(Arc::clone(&call.caller));
        self.limits.get_or_insert_with(|| Limits::new(&call.caller.plan, call.limits()));
    }

    pub(crate) fn with_provenance(mut self, provenance: Provenance) -> Self {
        self.provenance = Some(provenance);
        self
    }

    /// Keeps the body's unread rest until the response has been sent.
    pub(crate) fn with_unread_body(mut self, unread: Option<Unread>) -> Self {
        self.unread = unread;
        self
    }

    /// Without a body.
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self { status: Some(status), body: Some(Bytes::new()), ..Self::new(ResultCode::Found) }
    }

    /// Whether a client that hardly reads would hold much memory.
    pub(crate) fn is_large(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.len() > SMALL_ANSWER_BYTES)
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status.unwrap_or(code::status(self.code))
    }

    /// Without a request id. What is only logged stays here.
    pub(crate) fn write(&mut self) -> Response<BoxBody> {
        let status = self.status();
        let content = self.body.take().unwrap_or_else(|| {
            let message = self.message.take().unwrap_or(Cow::Borrowed(code::message(self.code)));
            // Strings always serialise; an empty body would be better than a panic.
            let envelope = Envelope::<()>::Failed { code: self.code, message, dates: self.dates.take() };
            serde_json::to_vec(&envelope).unwrap_or_default().into()
        });
        let content = match (self.unread.take(), self.place.take()) {
            (Some(unread), _) => unread.attach_to(content),
            (None, Some(place)) => BoxBody::new(LargeBody::copy(&content, place)),
            (None, None) => BoxBody::new(content),
        };
        let mut response = Response::with_body(status, content);
        let headers = response.headers_mut();
        if !matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED) {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.media_type));
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self.code != ResultCode::Found {
            headers.insert(X_ERROR_CODE, HeaderValue::from_static(self.code.as_str()));
        }
        if let Some(limits) = self.limits {
            limits.write(headers);
        }
        if let Some(Provenance { source, status, edition }) = self.provenance.take() {
            headers.insert(X_SOURCE, HeaderValue::from_static(source));
            headers.insert(X_SOURCE_STATUS, HeaderValue::from_static(status));
            if let Some(edition) = edition {
                headers.insert(X_REGISTRY_EDITION, edition);
            }
        }
        for (name, value) in mem::take(&mut self.extra) {
            headers.insert(name, value);
        }
        match status {
            StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED => response.set_body(BoxBody::new(body::None::new())),
            _ => response,
        }
    }
}
