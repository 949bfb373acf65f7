//! `GET /`: what the service does, for a first-time visitor.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::Plan;
use kuraka_ports::{DatasetProgress, DatasetStatus, Edition, EditionOrigin};

use crate::error::PageError;
use crate::layout::Layout;
use crate::request::Visitor;
use crate::response;

#[derive(Template)]
#[template(path = "landing.html")]
struct LandingPage {
    layout: Layout,
    base_url: String,
    /// The plan of a new account.
    plan: Option<Arc<Plan>>,
    /// The served edition.
    edition: Option<Arc<Edition>>,
    waiting: Option<String>,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let panel = &visitor.panel;
    let site = &panel.site;
    let plan = site.sign_up.as_ref().and_then(|name| panel.plans.find(name));
    let statuses = panel.datasets.statuses();
    let waiting = waiting(&statuses);
    let padron = DatasetStatus::of_padron(&statuses);
    let page = LandingPage {
        waiting,
        layout: visitor.layout(),
        base_url: site.url(&visitor.request),
        plan,
        edition: padron.and_then(|padron| padron.edition.clone()),
    };
    Ok(response::page(StatusCode::OK, &page))
}

fn waiting(statuses: &[DatasetStatus]) -> Option<String> {
    let padron = DatasetStatus::of_padron(statuses)?;
    if padron.edition.is_some() {
        return None;
    }
    let preparing = "Este servidor está preparando los datos";
    Some(match padron.progress {
        Some(DatasetProgress { percent: Some(percent), .. }) => format!("{preparing}, {percent} %."),
        Some(DatasetProgress { percent: None, .. }) => format!("{preparing}."),
        None => {
            "Este servidor todavía no tiene datos. Si usted lo administra, ejecute kuraka doctor: dice qué falta y \
                 qué hacer."
                .to_owned()
        }
    })
}
