//! `GET /panel/plan`: the limits of the account's plan and of the other plans.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::Plan;

use crate::layout::{Layout, MenuItem};
use crate::request::CurrentUser;
use crate::{response, spanish};

#[derive(Template)]
#[template(path = "plan.html")]
struct PlanPage {
    layout: Layout,
    name: String,
    /// `None` = not in the settings any more.
    plan: Option<Arc<Plan>>,
    others: Vec<Arc<Plan>>,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let (plans, name) = (&user.panel.plans, &user.account.plan);
    let mut others = plans.all();
    others.retain(|plan| plan.name != *name);
    let page =
        PlanPage { layout: user.layout(MenuItem::USAGE), name: name.to_string(), plan: plans.find(name), others };
    response::page(StatusCode::OK, &page)
}

fn limits(plan: &Plan) -> [(&'static str, String); 6] {
    [
        ("Consultas al mes", plan.queries),
        ("Por segundo (sostenido)", plan.rate.get().into()),
        ("Ráfaga máxima", plan.burst.get().into()),
        ("RUC por llamada de API", plan.batch as u64),
        ("Comprobantes por llamada de API", plan.batch_vouchers as u64),
        ("RUC en seguimiento", plan.watched),
    ]
    .map(|(title, limit)| (title, spanish::number(limit)))
}
