//! `GET /panel/estado`: the state of datasets and sources, in callers' words.

pub(super) mod dataset;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::current_user::CurrentUser;
use crate::layout::{Layout, MenuItem};
use crate::source_status::{Role, Source, State};
use crate::{response, spanish};

struct SourceRow {
    name: &'static str,
    tone: &'static str,
    word: &'static str,
    meaning: &'static str,
}

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage {
    layout: Layout,
    now: String,
    datasets: Vec<dataset::DatasetRow>,
    attributions: Vec<&'static str>,
    sources: Vec<SourceRow>,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let panel = &user.panel;
    let datasets = panel.datasets.statuses();
    let page = StatusPage {
        layout: user.layout(MenuItem::STATUS),
        now: spanish::moment(panel.clock.now()),
        attributions: dataset::attributions(&datasets),
        datasets: datasets.into_iter().map(dataset::row).collect(),
        sources: (panel.sources)().into_iter().map(row).collect(),
    };
    response::page(StatusCode::OK, &page)
}

fn row(source: Source) -> SourceRow {
    let name = match source.role {
        Role::OfficialPage => "Página oficial de consulta RUC",
        Role::Provider => "Proveedor de respaldo",
        Role::Vouchers => "Validación oficial de comprobantes",
    };
    let (tone, word, meaning) = match source.state {
        State::Active => ("good", "Responde", "Se le consulta con normalidad."),
        State::Probing => ("warn", "En comprobación", "Estuvo fallando; una consulta está comprobando si ya responde."),
        State::Paused => (
            "bad",
            "En pausa",
            "Está fallando y no se le consulta por ahora, para responderle a usted sin demora. Se vuelve a intentar sola.",
        ),
    };
    SourceRow { name, tone, word, meaning }
}
