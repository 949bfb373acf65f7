//! `GET /panel/plan`: the limits of the account's plan and of the other plans.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::Plan;

use crate::current_user::CurrentUser;
use crate::layout::{Layout, MenuItem};
use crate::{response, spanish};

/// The limits of a plan, as text.
struct Terms {
    name: String,
    queries: String,
    rate: String,
    burst: String,
    /// The most RUCs and vouchers of a list.
    lists: [String; 3],
}

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanPage {
    layout: Layout,
    name: String,
    /// `None` = the settings no longer have the plan.
    terms: Option<Terms>,
    others: Vec<Terms>,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let (plans, name) = (&user.panel.plans, &user.account.plan);
    let page = PlanPage {
        layout: user.layout(MenuItem::PLAN),
        name: name.to_string(),
        terms: plans.find(name).map(|plan| Terms::of(&plan)),
        others: plans.all().iter().filter(|plan| plan.name != *name).map(|plan| Terms::of(plan)).collect(),
    };
    response::page(StatusCode::OK, &page)
}

impl Terms {
    fn of(plan: &Plan) -> Self {
        Self {
            name: plan.name.to_string(),
            queries: spanish::number(plan.queries),
            rate: spanish::number(plan.rate.get().into()),
            burst: spanish::number(plan.burst.get().into()),
            lists: [plan.batch as u64, plan.batch_vouchers as u64, plan.watched].map(spanish::number),
        }
    }
}
