//! `/panel/operacion`: whether all is well, for who operates the service. What account owners keep is never shown.

pub(crate) mod accounts;
pub(crate) mod audit;
mod findings;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use askama::Template;
use kuraka_app::SignInError;
use kuraka_domain::DatasetRole;
use kuraka_ports::{Actor, AttemptOutcome, DatasetAttempt, DatasetStatus, EditionOrigin, NewAuditLine, Origin};

use self::findings::{Finding, ago, findings};
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::operator::{Health, TimeBound};
use crate::request::{CurrentUser, Fields, UserForm};
use crate::{login_session, response, spanish};

const ROWS: u32 = 50;

#[derive(Template)]
#[template(path = "operation.html")]
struct OperationPage {
    layout: Layout,
    now: String,
    /// The word for the change that was made; may be empty.
    done: String,
    findings: Vec<Finding>,
    datasets: Vec<DatasetStatus>,
    health: Health,
}

#[derive(Template)]
#[template(path = "operation_password.html")]
struct PasswordPage<'a> {
    layout: Layout,
    action: &'a str,
    /// The form that waits for the password.
    fields: Vec<(&'a str, &'a str)>,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let panel = &user.panel;
    let (health, now) = (panel.operator.health().await?, panel.clock.now());
    let datasets = panel.datasets.statuses();
    let page = OperationPage {
        layout: user.layout(MenuItem::OPERATION),
        now: spanish::moment(now),
        done: Fields::from_query(&user.request).text("hecho").to_owned(),
        findings: findings(&datasets, &health),
        datasets,
        health,
    };
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn change_dataset(form: UserForm) -> Result<HttpResponse, PageError> {
    confirmed(form, async |user, fields| {
        let (panel, name) = (&user.panel, fields.text("datos"));
        let statuses = panel.datasets.statuses();
        let dataset = statuses.iter().find(|known| known.name == name).ok_or(PageError::NotFound)?;
        let is_done = match fields.text("accion") {
            "actualizar" => {
                let (action, object) = ("dataset.update", dataset.name.to_owned());
                let line = NewAuditLine { action, object, ..NewAuditLine::default() };
                panel.audit.add_line(&line, &Origin::current()).await?;
                panel.operator.update(dataset.name)
            }
            "anterior" => panel.operator.roll_back(dataset.name, fields.text("edicion")).await,
            _ => return Err(PageError::NotAForm),
        };
        let page = format!("/panel/operacion?hecho={}", fields.text("accion"));
        is_done.then(|| response::redirect(&page)).ok_or(PageError::NotDone)
    })
    .await
}

/// Makes a change in the operator's name, given a password of the last 15 minutes. Asks for it again, if it is older.
async fn confirmed(
    form: UserForm,
    change: impl AsyncFnOnce(&CurrentUser, &Fields) -> Result<HttpResponse, PageError>,
) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let (sign_in, password) = (&user.panel.sign_in, fields.text("password"));
    let again = if sign_in.is_recent(&user.session).await? {
        None
    } else if password.is_empty() {
        return Ok(ask(&user, &fields, None));
    } else {
        match sign_in.log_in_again(&user.account, &user.session, password).await {
            Err(SignInError::Wrong) => return Ok(ask(&user, &fields, Some("La contraseña no es correcta."))),
            logged_in => Some(logged_in?),
        }
    };
    let actor = Actor::Operator(user.account.email.as_str().to_owned());
    let operator = Some(user.account.id);
    let changed = Origin { actor, operator, ..Origin::current() }.scope(change(&user, &fields)).await;
    let Some(again) = again else { return changed };
    // Its session has ended, also if the change fails.
    let mut response = changed.unwrap_or_else(|error| error.error_response());
    login_session::set_cookies(&user.panel.site, &again, &mut response);
    Ok(response)
}

fn ask(user: &CurrentUser, fields: &Fields, wrong: Option<&'static str>) -> HttpResponse {
    let page = PasswordPage {
        layout: user.layout(MenuItem::OPERATION),
        action: user.request.path(),
        fields: fields.texts().filter(|(name, _)| !["form_token", "password"].contains(name)).collect(),
        wrong,
    };
    response::page(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

impl OperationPage {
    /// Of the last day.
    fn outcomes(&self, source: &str) -> &[(String, u64)] {
        let [_, day] = &self.health.periods;
        day.sources.get(source).map(Vec::as_slice).unwrap_or_default()
    }
}

fn can_go_back(dataset: &DatasetStatus) -> bool {
    let edition = dataset.edition.as_ref().filter(|edition| edition.origin == EditionOrigin::Published);
    edition.is_some() && dataset.role != DatasetRole::ExchangeRate
}

/// In Spanish, if it is known, and with all causes.
const fn cause(attempt: &DatasetAttempt) -> Option<(&str, &str)> {
    match &attempt.outcome {
        AttemptOutcome::Failed { cause, reason, .. } => Some((reason.as_str(), cause.as_str())),
        AttemptOutcome::Published { .. } | AttemptOutcome::Unchanged => None,
    }
}

fn outcome_of(outcome: &str) -> &str {
    match outcome {
        "found" => "con datos",
        "not_found" => "no existe",
        "unavailable" => "no respondió",
        "throttled" => "pidió esperar",
        "refused" => "rechazó la consulta",
        "credentials" => "rechazó las credenciales",
        "unreadable" => "respuesta ilegible",
        "rejected" => "no aceptó los datos",
        "unconfirmed" => "inexistencia sin confirmar",
        "held_back" => "no se le consultó",
        "dropped" => "el cliente se fue",
        other => other,
    }
}

/// `≤ 0.4 ms`, `más de 105 s`.
fn bound(time: &Option<TimeBound>) -> String {
    match time {
        None => "–".to_owned(),
        Some(TimeBound::AtMost(seconds)) if *seconds < 1.0 => format!("≤ {} ms", (seconds * 100_000.0).round() / 100.0),
        Some(TimeBound::AtMost(seconds)) => format!("≤ {seconds:.1} s"),
        Some(TimeBound::MoreThan(seconds)) => format!("más de {seconds:.0} s"),
    }
}
