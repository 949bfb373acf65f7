//! The kinds of responses that handlers send: a page, a redirect, a file.

use actix_web::HttpResponse;
use actix_web::body::MessageBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, HeaderValue, LOCATION};
use askama::Template;

pub(crate) fn page(status: StatusCode, page: &impl Template) -> HttpResponse {
    match page.render() {
        Ok(text) => html(status, text),
        Err(error) => {
            tracing::error!(cause = %error, "a page could not be rendered");
            HttpResponse::InternalServerError().finish()
        }
    }
}

pub(crate) fn form(is_refused: bool, form: &impl Template) -> HttpResponse {
    page(if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, form)
}

pub(crate) fn html(status: StatusCode, text: impl MessageBody + 'static) -> HttpResponse {
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    HttpResponse::build(status).insert_header((CONTENT_TYPE, html)).body(text)
}

/// A file that the browser saves under this name.
pub(crate) fn file(media_type: &'static str, name: &str, content: impl MessageBody + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static(media_type)))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .body(content)
}

/// The browser requests the other page with `GET`.
pub(crate) fn redirect(path: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, path)).finish()
}
