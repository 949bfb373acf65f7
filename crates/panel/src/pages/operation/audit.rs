//! `/panel/operacion/auditoria`: the newest lines of the audit log, of all accounts.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_ports::{Actor, AuditFilter, AuditLine};

use super::ROWS;
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::request::{CurrentUser, UserForm};
use crate::response;

#[derive(Template)]
#[template(path = "operation_audit.html")]
struct AuditPage {
    layout: Layout,
    email: String,
    action: String,
    lines: Vec<AuditLine>,
    older: Option<i64>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    page(&user, "", "", None).await
}

pub(crate) async fn search(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let [email, action] = ["correo", "tipo"].map(|name| fields.text(name).trim().to_lowercase());
    page(&user, &email, &action, fields.text("antes").parse().ok()).await
}

async fn page(user: &CurrentUser, email: &str, action: &str, before: Option<i64>) -> Result<HttpResponse, PageError> {
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let (by_email, by_action) = (given(email), given(action));
    let (by_email, by_action) = (by_email.as_deref(), by_action.as_deref());
    let filter = AuditFilter { email: by_email, action: by_action, before, newest: true, ..AuditFilter::default() };
    let mut lines = user.panel.audit.lines(&filter, ROWS).await?;
    let older = lines.first().filter(|_| lines.len() == ROWS as usize).map(|line| line.id);
    lines.reverse();
    let (layout, email, action) = (user.layout(MenuItem::OPERATION), email.to_owned(), action.to_owned());
    Ok(response::page(StatusCode::OK, &AuditPage { layout, email, action, lines, older }))
}

pub(in crate::pages::operation) fn who(line: &AuditLine) -> String {
    match &line.origin.actor {
        Actor::Account => line.email.clone().unwrap_or_default(),
        Actor::Operator(email) => format!("operador {email}"),
        Actor::Command(user) => format!("orden de {user}"),
        Actor::System => "el servidor".to_owned(),
    }
}
