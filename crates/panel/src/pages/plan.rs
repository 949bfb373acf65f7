//! `GET /panel/plan`: what the account's plan allows, and what the others do.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::Plan;

use crate::frame::{Frame, Place};
use crate::visit::Visit;
use crate::{page, spanish};

/// A plan in texts.
struct Terms {
    name: String,
    queries: String,
    rate: String,
    burst: String,
}

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanPage {
    frame: Frame,
    name: String,
    /// `None` = the settings do not have the plan any more.
    terms: Option<Terms>,
    others: Vec<Terms>,
}

pub(crate) async fn show(visit: Visit) -> HttpResponse {
    let (plans, name) = (&visit.panel.plans, &visit.account.plan);
    let others = plans.names().filter(|other| *other != name).filter_map(|other| plans.find(other));
    let page = PlanPage {
        frame: visit.frame(Place::Plan),
        name: name.to_string(),
        terms: plans.find(name).map(|plan| Terms::of(plan)),
        others: others.map(|plan| Terms::of(plan)).collect(),
    };
    page::html(StatusCode::OK, &page)
}

impl Terms {
    fn of(plan: &Plan) -> Self {
        Self {
            name: plan.name.to_string(),
            queries: spanish::number(plan.queries),
            rate: spanish::number(plan.rate.get().into()),
            burst: spanish::number(plan.burst.get().into()),
        }
    }
}
