//! `GET /docs`: the API, for whoever is about to call it.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::frame::Frame;
use crate::page;
use crate::problem::Problem;
use crate::reference::Reference;
use crate::visit::Guest;

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    frame: Frame,
    sign_up: bool,
    base_url: String,
    reference: &'a Reference,
}

pub(crate) async fn show(guest: Guest) -> Result<HttpResponse, Problem> {
    let site = &guest.panel.site;
    let page = DocsPage {
        frame: guest.frame(),
        sign_up: site.sign_up.is_some(),
        base_url: site.address(&guest.request),
        reference: &guest.panel.reference,
    };
    Ok(page::html(StatusCode::OK, &page))
}
