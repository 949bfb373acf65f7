//! `GET /estado` and `/estado.json`: how the service is, in callers' words. A job writes both once a minute; requests only
//! read them, so that neither a flood nor an outage of the store stops them.

pub(super) mod dataset;

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::web::{Bytes, Data};
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use askama::Template;
use jiff::Timestamp;
use kuraka_app::ServiceReport;
use kuraka_app::measuring::ServiceDay;
use kuraka_ports::{DatasetState, DatasetStatus};
use serde_json::json;

use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::panel::Panel;
use crate::request::{self, CurrentUser};
use crate::source_status::{Role, State, Written};
use crate::{response, spanish};

struct Measured {
    name: String,
    tone: &'static str,
    word: &'static str,
    meaning: &'static str,
    availability: Option<f64>,
    /// Half of the calls end within it.
    p50: Option<f64>,
    p99: Option<f64>,
}

#[derive(Template)]
#[template(path = "status_body.html")]
struct StatusBody {
    now: Timestamp,
    operations: Vec<Measured>,
    sources: Vec<Measured>,
    days: Vec<ServiceDay>,
    datasets: Vec<DatasetStatus>,
    attributions: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage {
    layout: Layout,
    body: Arc<str>,
}

#[derive(Template)]
#[template(path = "status_public.html")]
struct PublicStatusPage {
    layout: Layout,
    body: Arc<str>,
}

pub(crate) async fn show(request: HttpRequest) -> Result<HttpResponse, PageError> {
    let panel = request::panel(&request)?;
    let written = panel.service.written.read().clone();
    if panel.service.is_public {
        return Ok(public(response::html(StatusCode::OK, written.page)));
    }
    let user = CurrentUser::extract(&request).await?;
    let page = StatusPage { layout: user.layout(MenuItem::STATUS), body: written.body };
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn json(panel: Data<Panel>) -> Result<HttpResponse, PageError> {
    if !panel.service.is_public {
        return Err(PageError::NotFound);
    }
    let json = panel.service.written.read().json.clone();
    let mut response = public(HttpResponse::Ok().body(json));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    Ok(response)
}

pub(crate) async fn moved() -> HttpResponse {
    response::redirect(MenuItem::STATUS.path)
}

fn public(mut response: HttpResponse) -> HttpResponse {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=30"));
    response
}

impl Panel {
    /// Writes the page and its JSON. `failing`: the operations of which most calls failed in the last minute.
    pub fn show_service(&self, report: &ServiceReport, failing: &[String]) {
        let body = self.body(report, failing);
        let json = Bytes::from(json_of(&body).to_string());
        let rendered = body.render().and_then(|text| {
            let body: Arc<str> = text.into();
            let layout = Layout::public(&self.site);
            Ok(Written { page: PublicStatusPage { layout, body: Arc::clone(&body) }.render()?.into(), body, json })
        });
        match rendered {
            Ok(written) => *self.service.written.write() = written,
            Err(error) => tracing::error!(cause = %error, "a page could not be rendered"),
        }
    }

    fn body(&self, report: &ServiceReport, failing: &[String]) -> StatusBody {
        let datasets = self.datasets.statuses();
        let measured = |subject: &str, name: String, (tone, word, meaning)| Measured {
            name,
            tone,
            word,
            meaning,
            availability: report.availability(subject),
            p50: report.millis(subject, 0.5),
            p99: report.millis(subject, 0.99),
        };
        let operations = self.operations.iter().map(|operation| {
            let subject = format!("/{}", operation.name);
            let is_failing = failing.contains(&subject);
            let state = if is_failing { ("bad", "Con fallas", "") } else { ("good", "Responde", "") };
            measured(&subject, operation.name.to_owned(), state)
        });
        let sources = (self.sources)();
        let sources = Role::ALL.into_iter().filter_map(|role| {
            let state = sources.iter().filter(|source| source.role == role).map(|source| source.state).min()?;
            Some(measured(role.as_str(), role.as_str().to_owned(), words(state)))
        });
        StatusBody {
            now: report.until.unwrap_or_else(|| self.clock.now()),
            operations: operations.collect(),
            sources: sources.collect(),
            days: report.days.clone(),
            attributions: dataset::attributions(&datasets),
            datasets,
        }
    }
}

fn json_of(body: &StatusBody) -> serde_json::Value {
    let round = |value: Option<f64>| value.map(|value| (value * 1e6).round() / 1e6);
    let operation = |it: &Measured| json!({"nombre": it.name, "disponibilidad": round(it.availability), "p50_ms": round(it.p50), "p99_ms": round(it.p99)});
    let source =
        |it: &Measured| json!({"nombre": it.name, "disponibilidad": round(it.availability), "p50_ms": round(it.p50)});
    let used = body.datasets.iter().filter(|it| it.state != DatasetState::NotEnabled);
    let dataset = |it: &DatasetStatus| {
        let edition = it.edition.as_ref();
        json!({"nombre": it.name, "edicion": edition.map(|it| &*it.label), "fecha": edition.map(|it| it.date.to_string()), "max_dias": it.max_age_days})
    };
    let day = |it: &ServiceDay| json!({"fecha": it.date.to_string(), "minutos_ok": it.ok, "minutos_mal": it.bad, "sin_medicion": it.unmeasured});
    json!({
        "generado": body.now.to_string(),
        "operaciones": body.operations.iter().map(operation).collect::<Vec<_>>(),
        "fuentes": body.sources.iter().map(source).collect::<Vec<_>>(),
        "datasets": used.map(dataset).collect::<Vec<_>>(),
        "dias": body.days.iter().map(day).collect::<Vec<_>>(),
    })
}

impl StatusBody {
    /// What does not answer now: operations, and datasets that `/ruc` needs.
    fn failing(&self) -> String {
        let operations = self.operations.iter().filter(|it| it.tone == "bad").map(|it| format!("/{}", it.name));
        let datasets = self.datasets.iter().filter(|it| it.is_required && !it.state.answers());
        let datasets = datasets.map(|it| it.title.to_owned());
        operations.chain(datasets).collect::<Vec<_>>().join(", ")
    }

    /// Days with a lost minute, the latest first.
    fn lost_days(&self) -> Vec<&ServiceDay> {
        self.days.iter().rev().filter(|day| day.bad + day.unmeasured > 0).collect()
    }
}

impl Measured {
    /// `99.95 %`, rounded down: 100 % is all.
    fn percent(&self) -> String {
        self.availability.map_or_else(|| "–".to_owned(), |part| format!("{:.2} %", (part * 1e4).floor() / 100.0))
    }
}

/// `0.12 ms`, `1,234 ms`.
fn millis(value: &Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(millis) if *millis < 10.0 => format!("{millis:.2} ms"),
        Some(millis) => format!("{} ms", spanish::number(millis.round() as u64)),
    }
}

/// The colour of a day: lost minutes of its minutes.
const fn tone(day: &ServiceDay) -> &'static str {
    let lost = day.bad + day.unmeasured;
    match lost {
        0 if day.ok == 0 => "none",
        0 => "good",
        _ if lost * 20 < day.ok => "warn",
        _ => "bad",
    }
}

fn title(source: &str) -> &'static str {
    match source {
        "pagina_oficial" => "Página oficial de consulta RUC",
        "respaldo" => "Proveedores de respaldo",
        _ => "Validación oficial de comprobantes",
    }
}

pub(super) const fn words(state: State) -> (&'static str, &'static str, &'static str) {
    match state {
        State::Active => ("good", "Responde", "Se le consulta con normalidad."),
        State::Probing => ("warn", "En comprobación", "Estuvo fallando; una consulta está comprobando si ya responde."),
        State::Paused => (
            "bad",
            "En pausa",
            "Está fallando y no se le consulta por ahora, para responderle a usted sin demora. Se vuelve a intentar sola.",
        ),
    }
}
