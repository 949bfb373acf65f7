//! `GET /`: what the service does, for a first-time visitor.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_ports::{EditionOrigin, dataset};

use crate::current_user::Visitor;
use crate::error::PageError;
use crate::layout::Layout;
use crate::{response, spanish};

/// The edition that is being served, as text.
struct Served {
    rows: String,
    date: String,
    sample: bool,
}

/// The plan of a new account.
struct Offer {
    name: String,
    queries: String,
}

#[derive(Template)]
#[template(path = "landing.html")]
struct LandingPage {
    layout: Layout,
    sign_up: bool,
    base_url: String,
    plan: Option<Offer>,
    edition: Option<Served>,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let panel = &visitor.panel;
    let site = &panel.site;
    let plan = site.sign_up.as_ref().and_then(|name| panel.plans.find(name));
    let padron = panel.datasets.statuses().into_iter().find(|status| status.name == dataset::PADRON);
    let page = LandingPage {
        layout: visitor.layout(),
        sign_up: site.sign_up.is_some(),
        base_url: site.url(&visitor.request),
        plan: plan.map(|plan| Offer { name: plan.name.to_string(), queries: spanish::number(plan.queries) }),
        edition: padron.and_then(|padron| padron.edition).map(|edition| Served {
            rows: spanish::number(edition.rows),
            date: spanish::day(edition.date),
            sample: edition.origin == EditionOrigin::Sample,
        }),
    };
    Ok(response::page(StatusCode::OK, &page))
}
