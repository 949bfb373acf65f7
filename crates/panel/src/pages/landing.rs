//! `GET /`: what the service does, for somebody who has never heard of it.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_ports::EditionOrigin;

use crate::frame::Frame;
use crate::problem::Problem;
use crate::visit::Guest;
use crate::{page, spanish};

/// The edition that answers, in texts.
struct Served {
    rows: String,
    date: String,
    sample: bool,
}

/// What a new account may do.
struct Offer {
    name: String,
    queries: String,
}

#[derive(Template)]
#[template(path = "landing.html")]
struct LandingPage {
    frame: Frame,
    sign_up: bool,
    base_url: String,
    plan: Option<Offer>,
    edition: Option<Served>,
}

pub(crate) async fn show(guest: Guest) -> Result<HttpResponse, Problem> {
    let panel = &guest.panel;
    let site = &panel.site;
    let plan = site.sign_up.as_ref().and_then(|name| panel.plans.find(name));
    let page = LandingPage {
        frame: guest.frame(),
        sign_up: site.sign_up.is_some(),
        base_url: site.address(&guest.request),
        plan: plan.map(|plan| Offer { name: plan.name.to_string(), queries: spanish::number(plan.queries) }),
        edition: panel.registry.edition().map(|edition| Served {
            rows: spanish::number(edition.rows),
            date: spanish::day(edition.date),
            sample: edition.origin == EditionOrigin::Sample,
        }),
    };
    Ok(page::html(StatusCode::OK, &page))
}
