//! `/panel/avisos`: the account's webhooks, creating one, and the page of each with its deliveries. Every use case gets
//! the session's account, so that another's webhook is not found.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use kuraka_app::Notifier;
use kuraka_app::webhooks::{CreateWebhookError, ResendResult, SendError};
use kuraka_ports::{
    Attempt, AttemptResult, Delivery, DeliveryId, MAX_WEBHOOKS_PER_ACCOUNT, NoAnswer, TokenKind, Webhook, WebhookId,
    WebhookSecret, WebhookStatus, WebhookUrlError,
};

use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::request::{CurrentUser, Fields, UserForm};
use crate::{response, spanish};

/// Of an answer.
const SHOWN: usize = 200;
/// Characters of a delivery that are shown.
const BODY_SHOWN: usize = 600;

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage {
    layout: Layout,
    /// `None` = the settings have none.
    webhooks: Option<Vec<Webhook>>,
    url: String,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "webhook.html")]
struct WebhookPage {
    layout: Layout,
    webhook: Webhook,
    deliveries: Vec<Delivery>,
    /// Shown once.
    secret: Option<WebhookSecret>,
    /// The word for the result of resending a delivery; may be empty.
    done: String,
}

#[derive(Template)]
#[template(path = "webhook_delete.html")]
struct DeletePage {
    layout: Layout,
    webhook: Webhook,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let page = WebhooksPage::load(&user).await?;
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn create(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let url = fields.text("url").trim().to_owned();
    let kind = if fields.text("kind") == "test" { TokenKind::Test } else { TokenKind::Live };
    let wrong = match notifier(&user)?.create(user.account.id, &url, false, kind).await {
        Ok(made) => return page_of(&user, made.id, Some(made.secret), "").await,
        Err(CreateWebhookError::Store(error)) => return Err(error.into()),
        Err(CreateWebhookError::Busy(_) | CreateWebhookError::Feed(_)) => return Err(PageError::Busy),
        Err(CreateWebhookError::TooMany) => {
            format!("Llegó a {MAX_WEBHOOKS_PER_ACCOUNT} direcciones, el máximo. Elimine una.")
        }
        Err(CreateWebhookError::Url(error)) => match error {
            WebhookUrlError::NotAUrl => "Escriba una dirección completa, de hasta 2,048 caracteres.",
            WebhookUrlError::User => "La dirección no puede llevar usuario ni contraseña.",
            WebhookUrlError::Scheme => "La dirección debe empezar con https:// y usar el puerto 443 o el 8443.",
            WebhookUrlError::NotPublic => "La dirección debe ser pública en internet.",
        }
        .to_owned(),
    };
    let page = WebhooksPage { url, wrong: Some(wrong), ..WebhooksPage::load(&user).await? };
    Ok(response::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
}

pub(crate) async fn show_one(user: CurrentUser, id: web::Path<String>) -> Result<HttpResponse, PageError> {
    page_of(&user, webhook_id(&id)?, None, Fields::from_query(&user.request).text("hecho")).await
}

/// Does what the pressed button says.
pub(crate) async fn change(form: UserForm, id: web::Path<String>) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let (id, owner, notifier) = (webhook_id(&id)?, Some(user.account.id), notifier(&user)?);
    let webhook = notifier.store.webhook(owner, id).await?.ok_or(PageError::NotFound)?;
    if let Ok(delivery) = fields.text("entrega").parse() {
        let done = match notifier.send_again(owner, DeliveryId(delivery)).await?.ok_or(PageError::NotFound)? {
            ResendResult::Now(_) => "",
            ResendResult::Soon => "?hecho=pendiente",
            ResendResult::WhenActive => "?hecho=inactiva",
        };
        return Ok(response::redirect(&format!("/panel/avisos/{id}{done}")));
    }
    match fields.text("accion") {
        "probar" => drop(notifier.test(owner, id).await?),
        "pausar" => drop(notifier.set_active(owner, id, false).await?),
        "activar" => drop(notifier.set_active(owner, id, true).await?),
        "rotar" => {
            let secret = notifier.rotate(owner, id).await?;
            return page_of(&user, id, secret, "").await;
        }
        // Confirmed on a page of its own, which works without JavaScript.
        "eliminar" => {
            let page = DeletePage { layout: user.layout(MenuItem::WEBHOOKS), webhook };
            return Ok(response::page(StatusCode::OK, &page));
        }
        "confirmar" => {
            notifier.store.delete_webhook(owner, id).await?;
            return Ok(response::redirect("/panel/avisos"));
        }
        _ => {}
    }
    Ok(response::redirect(&format!("/panel/avisos/{id}")))
}

async fn page_of(
    user: &CurrentUser,
    id: WebhookId,
    secret: Option<WebhookSecret>,
    done: &str,
) -> Result<HttpResponse, PageError> {
    let found = notifier(user)?.with_deliveries(Some(user.account.id), id).await?;
    let (webhook, deliveries) = found.ok_or(PageError::NotFound)?;
    let status = if secret.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    let (layout, done) = (user.layout(MenuItem::WEBHOOKS), done.to_owned());
    let page = WebhookPage { layout, webhook, deliveries, secret, done };
    Ok(response::page(status, &page))
}

/// Not found if the settings have no webhooks.
fn notifier(user: &CurrentUser) -> Result<&Arc<Notifier>, PageError> {
    user.panel.notifier.as_ref().ok_or(PageError::NotFound)
}

fn webhook_id(text: &str) -> Result<WebhookId, PageError> {
    text.parse().map(WebhookId).map_err(|_| PageError::NotFound)
}

impl WebhooksPage {
    async fn load(user: &CurrentUser) -> Result<Self, PageError> {
        let webhooks = match &user.panel.notifier {
            Some(notifier) => Some(notifier.store.webhooks(user.account.id).await?),
            None => None,
        };
        Ok(Self { layout: user.layout(MenuItem::WEBHOOKS), webhooks, url: String::new(), wrong: None })
    }
}

/// Tone and word of its state, and a remark.
fn state_of(webhook: &Webhook) -> (&'static str, &'static str, String) {
    match (webhook.status, webhook.failing_since) {
        _ if webhook.kind == TokenKind::Test => {
            ("", "De prueba", "Solo recibe los cambios que usted envíe con el botón.".to_owned())
        }
        (WebhookStatus::Active, None) => ("good", "Activo", String::new()),
        (WebhookStatus::Active, Some(since)) => {
            let next = webhook.next_attempt.map(|next| format!(" Próximo intento: {}.", spanish::moment(next)));
            let since = spanish::moment(since);
            ("warn", "Con fallas", format!("Falla desde el {since}.{}", next.unwrap_or_default()))
        }
        (WebhookStatus::Paused, _) => ("", "En pausa", "Al activarlo, seguirá desde donde quedó.".to_owned()),
        (WebhookStatus::Gone, _) => ("bad", "Desactivado", "El receptor respondió 410.".to_owned()),
        (WebhookStatus::Failed, _) => ("bad", "Desactivado", "Falló durante cinco días.".to_owned()),
    }
}

/// Tone and word of its state.
fn progress(delivery: &Delivery) -> (&'static str, &'static str) {
    let is_delivered = delivery.last.as_ref().is_some_and(|last| last.result.is_delivered());
    match (delivery.is_pending, is_delivered) {
        (true, _) => ("warn", "Pendiente"),
        (false, true) => ("good", "Entregado"),
        (false, false) => ("bad", "Falló"),
    }
}

/// The result of an attempt, and the beginning of the answer.
fn result(attempt: &Attempt) -> (String, String) {
    match &attempt.result {
        AttemptResult::Answered { status, text } => {
            (format!("HTTP {status} en {} ms", attempt.took.as_millis()), start(text, SHOWN))
        }
        AttemptResult::NoAnswer(reason) => (no_answer(*reason).to_owned(), String::new()),
    }
}

fn start(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}

/// One reason for private and for silent addresses, so that an owner does not learn the operator's names.
const fn no_answer(reason: NoAnswer) -> &'static str {
    match reason {
        NoAnswer::Address | NoAnswer::Connection => {
            "No se pudo conectar: la dirección no existe o no es pública, o su certificado no es válido"
        }
        NoAnswer::Timeout => "No respondió en 10 segundos",
    }
}

impl From<SendError> for PageError {
    fn from(error: SendError) -> Self {
        match error {
            SendError::Store(error) => error.into(),
            SendError::Busy(_) | SendError::TooMany => Self::Busy,
            SendError::Panicked(_) => Self::Internal("sending a webhook panicked"),
        }
    }
}
