//! `GET /docs`: the documentation of the API.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION};
use askama::Template;
use kuraka_api::{CodeDescription, Operation};

use crate::current_user::Visitor;
use crate::error::PageError;
use crate::layout::Layout;
use crate::response;

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    layout: Layout,
    sign_up: bool,
    base_url: String,
    operations: &'a [&'static Operation],
    codes: &'a [CodeDescription],
}

/// `GET /docs/`: redirects to `/docs`.
pub(crate) async fn without_slash() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static("/docs"))).finish()
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let site = &visitor.panel.site;
    let page = DocsPage {
        layout: visitor.layout(),
        sign_up: site.sign_up.is_some(),
        base_url: site.url(&visitor.request),
        operations: &visitor.panel.operations,
        codes: &visitor.panel.codes,
    };
    Ok(response::page(StatusCode::OK, &page))
}
