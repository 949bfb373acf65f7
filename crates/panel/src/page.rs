//! Answers of the panel: a page, a way elsewhere.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use askama::Template;

/// A page.
pub(crate) fn html(status: StatusCode, page: &impl Template) -> HttpResponse {
    match page.render() {
        Ok(text) => HttpResponse::build(status)
            .insert_header((CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")))
            .body(text),
        Err(error) => {
            tracing::error!(cause = %error, "a page could not be written");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// Off to another page, which is fetched with `GET`.
pub(crate) fn elsewhere(path: &'static str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, HeaderValue::from_static(path))).finish()
}
