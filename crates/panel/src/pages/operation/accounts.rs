//! `/panel/operacion/cuentas`: all accounts, and one with what its operator may change.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use kuraka_app::{Plan, Used, calendar};
use kuraka_ports::{
    Account, AccountPage, AccountRole, AccountStatus, AuditFilter, AuditLine, FoundAccount, PlanName, Token, Webhook,
    WebhookStatus,
};

use super::{ROWS, confirmed};
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::pages::usage::used_by;
use crate::request::{CurrentUser, Fields, UserForm};
use crate::response;

const LINES: u32 = 20;
const ACCOUNTS: usize = ROWS as usize;

#[derive(Template)]
#[template(path = "operation_accounts.html")]
struct AccountsPage {
    layout: Layout,
    text: String,
    page: u32,
    accounts: Vec<FoundAccount>,
}

#[derive(Template)]
#[template(path = "operation_account.html")]
struct OneAccountPage {
    layout: Layout,
    path: String,
    done: bool,
    account: Account,
    plans: Vec<Arc<Plan>>,
    /// `None` = the settings lack the plan.
    used: Option<Used>,
    tokens: Vec<Token>,
    webhooks: Vec<Webhook>,
    lines: Vec<AuditLine>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    list(&user, "", 1).await
}

pub(crate) async fn search(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let text = fields.text("texto").trim().to_lowercase();
    list(&user, &text, fields.text("pagina").parse().unwrap_or(1)).await
}

async fn list(user: &CurrentUser, text: &str, page: u32) -> Result<HttpResponse, PageError> {
    let (page, period) = (page.clamp(1, u32::MAX / ROWS), calendar::period(user.panel.clock.now()));
    // One more tells whether there is another page.
    let accounts = user.panel.accounts.search(text, period, (page - 1) * ROWS, ROWS + 1).await?;
    let layout = user.layout(MenuItem::OPERATION);
    Ok(response::page(StatusCode::OK, &AccountsPage { layout, text: text.to_owned(), page, accounts }))
}

pub(crate) async fn show_one(user: CurrentUser, page: web::Path<String>) -> Result<HttpResponse, PageError> {
    let (panel, account) = (&user.panel, find(&user, &page).await?);
    let filter = AuditFilter { account: Some(account.id), newest: true, ..AuditFilter::default() };
    let mut lines = panel.audit.lines(&filter, LINES).await?;
    lines.reverse();
    let webhooks = match &panel.notifier {
        Some(notifier) => notifier.store.webhooks(account.id).await?,
        None => Vec::new(),
    };
    let page = OneAccountPage {
        layout: user.layout(MenuItem::OPERATION),
        path: user.request.path().to_owned(),
        done: Fields::from_query(&user.request).text("hecho") == "1",
        plans: panel.plans.all(),
        used: used_by(panel, &account).await?,
        tokens: panel.own_tokens.tokens.list(account.id).await?,
        webhooks,
        lines,
        account,
    };
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn change(form: UserForm, page: web::Path<String>) -> Result<HttpResponse, PageError> {
    confirmed(form, async |user, fields| {
        let (accounts, account) = (&user.panel.accounts, find(user, &page).await?);
        match (fields.text("accion"), account.status) {
            ("plan", _) => {
                let plan = PlanName::parse(fields.text("plan")).map_err(|_| PageError::NotAForm)?;
                user.panel.plans.find(&plan).ok_or(PageError::NotAForm)?;
                accounts.set_plan(account.id, &plan).await?;
            }
            // Operators are suspended by command: none locks the others out.
            ("suspender", AccountStatus::Active) if account.role != AccountRole::Operator => {
                accounts.set_status(account.id, AccountStatus::Suspended).await?;
            }
            ("activar", AccountStatus::Suspended) => accounts.set_status(account.id, AccountStatus::Active).await?,
            _ => return Err(PageError::NotAForm),
        }
        Ok(response::redirect(&format!("{}?hecho=1", user.request.path())))
    })
    .await
}

async fn find(user: &CurrentUser, page: &str) -> Result<Account, PageError> {
    let mut bytes = [0; 16];
    hex::decode_to_slice(page, &mut bytes).map_err(|_| PageError::NotFound)?;
    user.panel.accounts.by_page(AccountPage(bytes)).await?.ok_or(PageError::NotFound)
}

/// With its tone.
const fn word(status: AccountStatus) -> (&'static str, &'static str) {
    match status {
        AccountStatus::Active => ("good", "En uso"),
        AccountStatus::Suspended => ("bad", "Suspendida"),
        AccountStatus::Unconfirmed => ("warn", "Sin confirmar"),
    }
}

/// Of a webhook's URL without its path, which may have a secret.
fn origin(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or_default();
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    format!("{scheme}://{}", authority.rsplit('@').next().unwrap_or_default())
}

/// With its tone.
const fn state_of(webhook: &Webhook) -> (&'static str, &'static str) {
    match webhook.status {
        WebhookStatus::Active if webhook.failures > 0 => ("warn", "Con fallas"),
        WebhookStatus::Active => ("good", "En uso"),
        WebhookStatus::Paused => ("", "En pausa"),
        WebhookStatus::Gone | WebhookStatus::Failed => ("bad", "Desactivado"),
    }
}
