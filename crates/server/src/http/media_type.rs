//! The media type of a request's body.

use std::str;

use actix_web::http::header::HeaderValue;

/// A media type that a body may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaType {
    /// `application/json`.
    Json,
    /// `application/x-www-form-urlencoded`, the media type of HTML forms.
    Form,
}

impl MediaType {
    /// The media type of this `Content-Type`, with no parameter except `charset=utf-8`; `None` for any other.
    pub(crate) fn of(content_type: Option<&HeaderValue>) -> Option<Self> {
        let mut parts = str::from_utf8(content_type?.as_bytes()).ok()?.split(';').map(str::trim);
        let essence = parts.next()?;
        let known = [(Self::Json, "application/json"), (Self::Form, "application/x-www-form-urlencoded")];
        let (media_type, _) = known.into_iter().find(|(_, name)| essence.eq_ignore_ascii_case(name))?;
        let is_utf8 = |parameter: &str| {
            ["", "charset=utf-8", "charset=\"utf-8\""].iter().any(|known| parameter.eq_ignore_ascii_case(known))
        };
        parts.all(is_utf8).then_some(media_type)
    }
}
