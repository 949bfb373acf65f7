//! `GET /docs`: the documentation of the API.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
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
