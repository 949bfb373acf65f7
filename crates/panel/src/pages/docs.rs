//! `GET /docs`: the documentation of the API.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION};
use askama::Template;
use kuraka_api::CodeDescription;
use kuraka_domain::ubigeo::DEPARTMENTS;
use kuraka_domain::{DomicileCondition, TaxpayerStatus, VoucherStatus};

use crate::documentation::Documented;
use crate::error::PageError;
use crate::layout::Layout;
use crate::pages::snippets::{Snippet, all_snippets};
use crate::request::Visitor;
use crate::response;

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    layout: Layout,
    base_url: String,
    operations: &'a [Documented],
    snippets: Vec<Snippet>,
    codes: &'a [CodeDescription],
}

impl DocsPage<'_> {
    /// `None` if this server has no such operation.
    fn cost(&self, name: &str) -> Option<u64> {
        self.operations.iter().map(|item| item.operation).find(|found| found.name == name).map(|found| found.cost)
    }
}

pub(crate) async fn without_slash() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static("/docs"))).finish()
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let panel = &visitor.panel;
    let base_url = panel.site.url(&visitor.request);
    let page = DocsPage {
        layout: visitor.layout(),
        operations: panel.documentation.get_or_build(&panel.operations, &panel.codes),
        snippets: all_snippets(&format!("{base_url}/ruc"), "{\"ruc\":\"20100119227\"}"),
        base_url,
        codes: &panel.codes,
    };
    Ok(response::page(StatusCode::OK, &page))
}
