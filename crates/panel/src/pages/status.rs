//! `GET /panel/estado`: the state of the registry, of the datasets and of the sources, in the callers' words.

mod dataset;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::AbsenceRule;
use kuraka_ports::{Edition, EditionOrigin};

use crate::current_user::CurrentUser;
use crate::dataset_status::DatasetStatus;
use crate::layout::{Layout, MenuItem};
use crate::panel::Panel;
use crate::source_status::{Role, Source, State};
use crate::{response, spanish};

/// The dataset that has a section of its own, because `/ruc` answers from it.
const PADRON: &str = "padron";

/// The registry, as text.
struct Registry {
    tone: &'static str,
    word: &'static str,
    meaning: String,
    edition: Option<Served>,
    last_attempt: Option<dataset::Attempt>,
}

/// The edition that is being served, as text.
struct Served {
    date: String,
    age: String,
    rows: String,
    label: String,
}

/// A source, as text.
struct Row {
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
    registry: Registry,
    datasets: Vec<dataset::Row>,
    attributions: Vec<&'static str>,
    sources: Vec<Row>,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let panel = &user.panel;
    let (padron, others): (Vec<_>, Vec<_>) =
        panel.datasets.datasets().into_iter().partition(|dataset| dataset.name == PADRON);
    let page = StatusPage {
        layout: user.layout(MenuItem::Status),
        now: spanish::moment(panel.clock.now()),
        registry: registry(panel, padron.first()),
        attributions: dataset::attributions(&others),
        datasets: others.into_iter().map(dataset::row).collect(),
        sources: panel.sources.sources().into_iter().map(row).collect(),
    };
    response::page(StatusCode::OK, &page)
}

fn registry(panel: &Panel, padron: Option<&DatasetStatus>) -> Registry {
    let last_attempt = padron.and_then(|padron| padron.last_attempt).map(dataset::attempt);
    let Some(edition) = panel.registry.edition() else {
        let meaning = "Todavía no hay ninguna edición del padrón: /ruc responde 503 upstream_unavailable.".to_owned();
        return Registry { tone: "bad", word: "Sin datos", meaning, edition: None, last_attempt };
    };
    let (tone, word, meaning) = state_of(&edition, &panel.absence);
    let age = padron.and_then(|padron| padron.edition.as_ref()).map(|edition| dataset::age(edition.age_days));
    let served = Served {
        date: spanish::day(edition.date),
        age: age.unwrap_or_default(),
        rows: spanish::number(edition.rows),
        label: edition.label.to_string(),
    };
    Registry { tone, word, meaning, edition: Some(served), last_attempt }
}

fn state_of(edition: &Edition, absence: &AbsenceRule) -> (&'static str, &'static str, String) {
    if edition.origin == EditionOrigin::Sample {
        let meaning = "Una muestra de demostración, no el padrón completo.".to_owned();
        return ("warn", "Muestra", meaning);
    }
    match absence.too_old(edition) {
        None => ("good", "Al día", "Responde con datos vigentes.".to_owned()),
        Some(days) => {
            let meaning = format!(
                "La edición tiene {days} días. Lo que contiene sigue respondiendo; un RUC que no está en ella se responde \
                 503, porque podría ser nuevo."
            );
            ("warn", "Atrasado", meaning)
        }
    }
}

fn row(source: Source) -> Row {
    let name = match source.role {
        Role::OfficialPage => "Página oficial de consulta RUC",
        Role::Provider => "Proveedor de respaldo",
        Role::Vouchers => "Validación oficial de comprobantes",
    };
    let (tone, word, meaning) = match source.state {
        State::Active => ("good", "Responde", "Se le consulta con normalidad."),
        State::Probing => ("warn", "A prueba", "Estuvo fallando; una consulta está comprobando si ya responde."),
        State::Paused => (
            "bad",
            "En pausa",
            "Está fallando y no se le consulta por ahora, para responderle a usted sin demora. Se vuelve a intentar sola.",
        ),
    };
    Row { name, tone, word, meaning }
}
