//! The page of webhooks: a secret is shown once, buttons do what they say, and answers are shown.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use async_trait::async_trait;
use kuraka_app::Notifier;
use kuraka_app::webhooks::{WebhookContent, attempts};
use kuraka_ports::{
    AttemptResult, ChangedDatum, DatumChange, FeedChange, NewDelivery, NoAnswer, TokenKind, Webhook, WebhookId,
    WebhookQueue, WebhookRequest, WebhookSender, WebhookStatus, WebhookUrlError, Webhooks,
};
use tokio::runtime::Handle;

use crate::browser::{Browser, Response};
use crate::feed::ScriptedFeed;
use crate::test_app::{EMAIL, TestApp};

const URL: &str = "https://erp.example.pe/avisos";

/// A receiver that is thankful.
struct Outside;

#[async_trait]
impl WebhookSender for Outside {
    fn check(&self, url: &str, by_operator: bool) -> Result<String, WebhookUrlError> {
        assert!(!by_operator);
        match url {
            "" => Err(WebhookUrlError::NotAUrl),
            "https://ana@example.pe" => Err(WebhookUrlError::User),
            "http://example.pe" => Err(WebhookUrlError::Scheme),
            "https://10.0.0.1" => Err(WebhookUrlError::NotPublic),
            _ => Ok(url.to_owned()),
        }
    }

    async fn send(&self, _: &WebhookRequest) -> (AttemptResult, Option<Duration>) {
        (AttemptResult::Answered { status: 200, text: "<gracias>".to_owned() }, None)
    }
}

/// The use cases on these fakes.
pub(crate) fn notifier(store: &Arc<kuraka_ports::fake::MemoryStore>, clock: Arc<dyn kuraka_ports::Clock>) -> Notifier {
    Notifier {
        store: store.clone(),
        watched: store.clone(),
        test_change: Box::new(sample_change),
        feed: Arc::new(ScriptedFeed::default()),
        sender: Arc::new(Outside),
        clock,
        random: getrandom::fill,
        write: |_, content| match content {
            WebhookContent::Test => "{}".to_owned(),
            WebhookContent::Changes { changes, .. } => {
                changes.iter().map(|change| format!("[{:?}]", change.what.after)).collect()
            }
        },
        limits: attempts(),
        runtime: Handle::current(),
    }
}

fn sample_change() -> FeedChange {
    let (datum, [before, after]) = (ChangedDatum::Condition, ["NO HABIDO", "HABIDO"].map(Into::into));
    FeedChange {
        ruc: "20999990038".parse().unwrap(),
        date: kuraka_domain::Date::parse("2026-11-20").unwrap(),
        edition: "2026-11-20-1".into(),
        what: DatumChange { datum, before, after },
    }
}

async fn made(owner: &mut Browser<'_>) -> Response {
    owner.submit("/panel/avisos", "/panel/avisos", &[("url", URL)]).await
}

/// Presses a button on the page of the first webhook.
async fn press(owner: &mut Browser<'_>, action: &str) -> Response {
    owner.submit("/panel/avisos/1", "/panel/avisos/1", &[("accion", action)]).await
}

async fn webhook(app: &TestApp) -> Webhook {
    app.store.webhook(None, WebhookId(1)).await.unwrap().unwrap()
}

#[actix_web::test]
async fn a_secret_is_shown_only_once() {
    let (_, mut owner) = TestApp::owner().await;
    owner.get("/panel/avisos").await.assert_contains("Todavía no tiene ninguna URL");
    let response = made(&mut owner).await;
    assert_eq!(response.status, StatusCode::CREATED);
    let secret = response.between("id=\"secret\">", "<").to_owned();
    assert!(secret.starts_with("whsec_") && secret.len() == 50, "{secret}");
    let rotated = press(&mut owner, "rotar").await;
    let new = rotated.between("id=\"secret\">", "<").to_owned();
    assert_ne!(new, secret);
    for path in ["/panel/avisos", "/panel/avisos/1"] {
        let page = owner.get(path).await;
        page.assert_contains(URL);
        page.assert_lacks("whsec_");
    }
}

#[actix_web::test]
async fn an_address_that_is_refused_says_what_is_allowed() {
    let (_, mut owner) = TestApp::owner().await;
    for (url, reason) in [
        ("", "dirección completa"),
        ("https://ana@example.pe", "usuario ni contraseña"),
        ("http://example.pe", "debe empezar con https://"),
        ("https://10.0.0.1", "pública"),
    ] {
        let response = owner.submit("/panel/avisos", "/panel/avisos", &[("url", url)]).await;
        assert_eq!(response.status, StatusCode::UNPROCESSABLE_ENTITY, "{url}");
        response.assert_contains(reason);
    }
    for _ in 0..5 {
        assert_eq!(made(&mut owner).await.status, StatusCode::CREATED);
    }
    made(&mut owner).await.assert_contains("Llegó a 5 direcciones");
}

#[actix_web::test]
async fn a_test_shows_the_answer_and_is_sent_again() {
    let (_, mut owner) = TestApp::owner().await;
    made(&mut owner).await;
    assert_eq!(press(&mut owner, "probar").await.location(), "/panel/avisos/1");
    let page = owner.get("/panel/avisos/1").await;
    page.assert_all([
        "Prueba",
        "Entregado",
        "HTTP 200 en 0 ms",
        "1 intento",
        "&#60;gracias&#62;",
        "<summary>Contenido</summary>",
    ]);
    let fields = [("entrega", "1")];
    assert_eq!(owner.submit("/panel/avisos/1", "/panel/avisos/1", &fields).await.location(), "/panel/avisos/1");
    owner.get("/panel/avisos/1").await.assert_contains("2 intentos");
}

#[actix_web::test]
async fn a_test_webhook_is_marked_and_its_button_sends_a_change() {
    let (app, mut owner) = TestApp::owner().await;
    owner.submit("/panel/avisos", "/panel/avisos", &[("url", URL), ("kind", "test")]).await;
    assert_eq!(webhook(app).await.kind, TokenKind::Test);
    owner.get("/panel/avisos").await.assert_contains("De prueba");
    let page = owner.get("/panel/avisos/1").await;
    page.assert_contains("Enviar un cambio");
    page.assert_lacks("Pausar");
    press(&mut owner, "probar").await;
    let [sent] = app.store.deliveries(WebhookId(1)).await.unwrap().try_into().unwrap();
    assert_eq!(sent.body, "[\"HABIDO\"]");
    owner.get("/panel/avisos/1").await.assert_contains("Entregado");
}

#[actix_web::test]
async fn a_webhook_is_paused_activated_and_deleted_after_a_question() {
    let (app, mut owner) = TestApp::owner().await;
    made(&mut owner).await;
    press(&mut owner, "pausar").await;
    assert_eq!(webhook(app).await.status, WebhookStatus::Paused);
    owner.get("/panel/avisos/1").await.assert_contains("En pausa");
    press(&mut owner, "activar").await;
    assert_eq!(webhook(app).await.status, WebhookStatus::Active);
    press(&mut owner, "eliminar").await.assert_contains("¿Eliminar esta dirección?");
    assert_eq!(webhook(app).await.url, URL, "not before it is confirmed");
    assert_eq!(press(&mut owner, "confirmar").await.location(), "/panel/avisos");
    assert_eq!(owner.get("/panel/avisos/1").await.status, StatusCode::NOT_FOUND);
}

#[actix_web::test]
async fn a_delivery_that_fails_shows_why_and_since_when() {
    let (app, mut owner) = TestApp::owner().await;
    made(&mut owner).await;
    let now = kuraka_ports::Clock::now(&*app.clock);
    let leased = app.store.lease_webhook("newest", now, now).await.unwrap().unwrap();
    let new = NewDelivery { message: "msg_1".to_owned(), body: "{}".to_owned(), created: now };
    let pending = app.store.add_pending(&leased, &new, "newest", now).await.unwrap().unwrap();
    let result = AttemptResult::NoAnswer(NoAnswer::Connection);
    let attempt = kuraka_ports::Attempt { at: now, took: Duration::ZERO, result };
    let then = kuraka_ports::AfterAttempt::RetryAt(now + Duration::from_secs(7_200));
    app.store.finish_attempt(&leased, pending.id, &attempt, then, false).await.unwrap();
    let page = owner.get("/panel/avisos/1").await;
    page.assert_all([
        "Con fallas",
        "Falla desde el 20 nov 2026, 10:00",
        "Próximo intento: 20 nov 2026, 12:00",
        "Pendiente",
    ]);
    page.assert_contains("su certificado no es válido");
    let mut operator = app.signed_in("rosa@kuraka.example").await;
    app.make_operator(&mut operator, "rosa@kuraka.example").await;
    let page = crate::operator::page_of(&mut operator, EMAIL).await;
    let page = operator.get(&page).await;
    page.assert_all(["Con fallas", "20 nov 2026, 10:00", "<th scope=\"row\">https://erp.example.pe</th>"]);
    page.assert_lacks(URL);
    // A reload of the page sends nothing.
    let mut again = async || {
        let sent = owner.submit("/panel/avisos/1", "/panel/avisos/1", &[("entrega", &*pending.id.0.to_string())]).await;
        owner.get(sent.location()).await
    };
    again().await.assert_contains("se enviará en unos segundos");
    app.store.set_webhook_active(None, WebhookId(1), false, now).await.unwrap();
    again().await.assert_contains("Se enviará cuando la active");
}

#[actix_web::test]
async fn a_private_address_is_not_told_from_one_that_does_not_exist() {
    let mut shown = Vec::new();
    for reason in [NoAnswer::Address, NoAnswer::Connection] {
        let app = TestApp::new().await;
        let mut owner = app.signed_in(EMAIL).await;
        made(&mut owner).await;
        let at = kuraka_ports::Clock::now(&*app.clock);
        let new = NewDelivery { message: "msg_1".to_owned(), body: "{}".to_owned(), created: at };
        let attempt = kuraka_ports::Attempt { at, took: Duration::ZERO, result: AttemptResult::NoAnswer(reason) };
        app.store.add_test(WebhookId(1), &new, &attempt).await.unwrap();
        let page = owner.get("/panel/avisos/1").await;
        page.assert_contains("la dirección no existe o no es pública");
        shown.push(page.between("No se pudo conectar", "</table>").to_owned());
    }
    assert_eq!(shown[0], shown[1]);
}

#[actix_web::test]
async fn a_delivery_of_another_account_is_not_sent() {
    let (app, mut owner) = TestApp::owner().await;
    made(&mut owner).await;
    press(&mut owner, "probar").await;
    let mut other = app.signed_in("otra@kuraka.example").await;
    made(&mut other).await;
    let before = app.state();
    let response = other.submit("/panel/avisos/2", "/panel/avisos/2", &[("entrega", "1")]).await;
    assert_eq!(response.status, StatusCode::NOT_FOUND);
    assert_eq!(app.state(), before);
}
