//! The pages of who operates the service: who may open them, what they show, and their changes.

use std::sync::Mutex;
use std::time::Duration;

use actix_web::http::StatusCode;
use async_trait::async_trait;
use jiff::SignedDuration;
use kuraka_api::Method;
use kuraka_panel::operator::{Health, Operator, RecentCounts, TimeBound};
use kuraka_panel::routes::{Access, ROUTES};
use kuraka_panel::source_status::State;
use kuraka_ports::{
    AccountPage, AccountRole, AccountStatus, Accounts, Actor, Audit, AuditFilter, AuditLine, DatasetStatus,
    NewAuditLine, Origin, StoreError,
};

use crate::browser::{Browser, Response};
use crate::test_app::{EMAIL, PASSWORD, TestApp, failed, filled_in, padron};

const OPERATOR: &str = EMAIL;
const CLIENT: &str = "luz@kuraka.example";

/// Notes what it is asked to do.
#[derive(Default)]
pub(crate) struct FakeOperator {
    health: Mutex<Health>,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl Operator for FakeOperator {
    async fn health(&self) -> Result<Health, StoreError> {
        Ok(self.health.lock().unwrap().clone())
    }

    fn update(&self, dataset: &str) -> bool {
        self.asked.lock().unwrap().push(format!("update {dataset}"));
        true
    }

    async fn roll_back(&self, dataset: &str, from: &str) -> bool {
        self.asked.lock().unwrap().push(format!("roll back {dataset} from {from}"));
        false
    }
}

impl TestApp {
    pub(crate) async fn make_operator(&self, browser: &mut Browser<'_>, email: &str) {
        self.store.set_role(self.account(email).await.id, AccountRole::Operator).await.unwrap();
        self.log_in(browser, email).await;
    }

    async fn operator(&self) -> Browser<'_> {
        let mut browser = self.signed_in(OPERATOR).await;
        self.make_operator(&mut browser, OPERATOR).await;
        browser
    }

    async fn audited(&self, action: &str) -> Vec<AuditLine> {
        self.store.lines(&AuditFilter { action: Some(action), ..AuditFilter::default() }, 100).await.unwrap()
    }
}

/// The address of the client's page.
async fn client_page(operator: &mut Browser<'_>) -> String {
    page_of(operator, "LUZ@").await
}

/// The address of the page of the account whose e-mail address has this part.
pub(crate) async fn page_of(operator: &mut Browser<'_>, text: &str) -> String {
    let list = operator.submit("/panel/tokens", "/panel/operacion/cuentas", &[("texto", text)]).await;
    assert_eq!(list.body.matches("href=\"/panel/operacion/cuentas/").count(), 1, "{}", list.body);
    format!("/panel/operacion/cuentas/{}", list.between("href=\"/panel/operacion/cuentas/", "\""))
}

async fn suspend(operator: &mut Browser<'_>, page: &str, password: &str) -> Response {
    operator.submit("/panel/tokens", page, &[("accion", "suspender"), ("password", password)]).await
}

#[actix_web::test]
async fn the_operators_pages_do_not_exist_for_others() {
    let app = TestApp::new().await;
    let mut operator = app.operator().await;
    let mut client = app.signed_in(CLIENT).await;
    let page = client_page(&mut operator).await;
    let before = app.state();
    for route in ROUTES.iter().filter(|route| route.access == Access::Operator) {
        let path = route.path.replace("/panel/operacion/cuentas/{page}", &page);
        let response = match route.method {
            Method::Get => client.get(&path).await,
            Method::Post => client.submit("/panel/tokens", &path, &[("accion", "plan"), ("plan", "empresa")]).await,
        };
        assert_eq!(response.status, StatusCode::NOT_FOUND, "{}", route.path);
        response.assert_contains("Esta página no existe");
        if route.method == Method::Get {
            assert_eq!(operator.get(&path).await.status, StatusCode::OK, "{}", route.path);
            let unknown = operator.get(&filled_in(route.path, 1)).await;
            assert_eq!(unknown.status.is_success(), !route.path.contains('{'), "{}", route.path);
        }
    }
    assert_eq!(app.state(), before);
    client.get("/panel").await.assert_lacks("/panel/operacion");
    operator.get("/panel").await.assert_contains("/panel/operacion");
}

#[actix_web::test]
async fn a_change_asks_for_a_password_older_than_15_minutes() {
    let app = TestApp::new().await;
    let mut operator = app.operator().await;
    let mut client = app.signed_in(CLIENT).await;
    let page = client_page(&mut operator).await;
    let status = async || app.account(CLIENT).await.status;
    app.clock.advance(Duration::from_secs(15 * 60));
    for (password, text) in [("", "Confirme su contraseña"), ("otra", "La contraseña no es correcta.")] {
        let asked = suspend(&mut operator, &page, password).await;
        assert_eq!((asked.status, status().await), (StatusCode::UNPROCESSABLE_ENTITY, AccountStatus::Active));
        asked.assert_contains(text);
        asked.assert_contains("name=\"accion\" value=\"suspender\"");
    }
    assert_eq!(suspend(&mut operator, &page, PASSWORD).await.location(), format!("{page}?hecho=1"));
    assert_eq!(status().await, AccountStatus::Suspended);
    assert_eq!(client.get("/panel").await.status, StatusCode::SEE_OTHER, "its session has ended");
    let activate = [("accion", "activar")];
    assert_eq!(operator.submit("/panel/tokens", &page, &activate).await.location(), format!("{page}?hecho=1"));
    assert_eq!(status().await, AccountStatus::Active, "without a password, which is recent again");
    let lines = app.audited("account.set_status").await;
    let by = lines.iter().map(|line| (line.origin.actor.clone(), line.after.as_deref())).collect::<Vec<_>>();
    let actor = Actor::Operator(OPERATOR.to_owned());
    assert_eq!(by, [(actor.clone(), Some("suspended")), (actor, Some("active"))]);
    let log = operator.get("/panel/operacion/auditoria").await;
    log.assert_contains(&format!("operador {OPERATOR}"));
}

#[actix_web::test]
async fn an_operator_moves_accounts_but_never_suspends_its_own() {
    let app = TestApp::new().await;
    let mut operator = app.operator().await;
    app.signed_in(CLIENT).await;
    let page = client_page(&mut operator).await;
    let change = async |operator: &mut Browser<'_>, page: &str, plan| {
        let fields = [("accion", "plan"), ("plan", plan)];
        operator.submit("/panel/tokens", page, &fields).await.status
    };
    assert_eq!(change(&mut operator, &page, "nada").await, StatusCode::BAD_REQUEST);
    assert_eq!(change(&mut operator, &page, "empresa").await, StatusCode::SEE_OTHER);
    assert_eq!(app.account(CLIENT).await.plan.as_str(), "empresa");
    operator
        .get(&page)
        .await
        .assert_contains(&format!("data-label=\"Quién\" class=\"address\">operador {OPERATOR}</td>"));
    let list = operator.submit("/panel/tokens", "/panel/operacion/cuentas", &[("texto", "ana@")]).await;
    let own = format!("/panel/operacion/cuentas/{}", list.between("href=\"/panel/operacion/cuentas/", "\""));
    assert_eq!(suspend(&mut operator, &own, "").await.status, StatusCode::BAD_REQUEST);
    operator.get(&own).await.assert_lacks("Suspender");
}

#[actix_web::test]
async fn one_page_says_whether_all_is_well() {
    let app = TestApp::new().await;
    let mut operator = app.operator().await;
    operator.get("/panel/operacion").await.assert_contains("Todo está bien en este servidor.");
    let failed = failed("the publisher answered <503>", "El publicador no responde.");
    let next_update = Some(failed.at + SignedDuration::from_hours(13));
    app.set_datasets(&[DatasetStatus { last_attempt: Some(failed), next_update, ..padron() }]);
    let answers = [("ruc".to_owned(), vec![("internal_error".to_owned(), 3)])].into();
    let times = [("ruc".to_owned(), [Some(TimeBound::AtMost(0.0004)), Some(TimeBound::MoreThan(104.8576))])].into();
    let hour = RecentCounts { answers, times, duration: Duration::from_secs(3_600), ..RecentCounts::default() };
    *app.operator.health.lock().unwrap() = Health {
        jobs: vec![("settle_leases", Duration::from_secs(400), true)],
        sources: vec![("sunat".to_owned(), State::Paused)],
        failing: vec![("luz@kuraka.example".to_owned(), AccountPage([7; 16]))],
        periods: [hour, RecentCounts { mails_given_up: 2, ..RecentCounts::default() }],
        ..Health::default()
    };
    let page = operator.get("/panel/operacion").await;
    page.assert_lacks("Todo está bien");
    page.assert_all([
        "Padrón reducido del RUC no se pudo actualizar.",
        "the publisher answered &#60;503&#62;",
        "20 nov 2026, 11:05",
        "La tarea settle_leases no termina bien desde hace 6 min.",
        "Respuestas con error interno en la última hora: 3.",
        "La fuente sunat falla y está en pausa.",
        "Correos que no se pudieron enviar en el último día: 2.",
        "≤ 0.4 ms",
        "más de 105 s",
        "falló. El publicador no responde.",
        "/panel/operacion/cuentas/07070707070707070707070707070707\">luz@kuraka.example</a>",
    ]);
}

#[actix_web::test]
async fn a_dataset_is_updated_or_rolled_back() {
    let app = TestApp::new().await;
    let mut operator = app.operator().await;
    let mut change = async |name, action| {
        let fields = [("datos", name), ("edicion", "2026-10-31-0"), ("accion", action)];
        operator.submit("/panel/tokens", "/panel/operacion/datos", &fields).await
    };
    assert_eq!(change("padron", "actualizar").await.location(), "/panel/operacion?hecho=actualizar");
    assert_eq!(change("padron", "anterior").await.status, StatusCode::CONFLICT, "it cannot");
    assert_eq!(change("nada", "actualizar").await.status, StatusCode::NOT_FOUND);
    assert_eq!(change("padron", "nada").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(*app.operator.asked.lock().unwrap(), ["update padron", "roll back padron from 2026-10-31-0"]);
    let lines = app.audited("dataset.update").await;
    assert_eq!(lines.iter().map(|line| line.object.as_str()).collect::<Vec<_>>(), ["padron"]);
    assert_eq!(lines[0].origin.actor, Actor::Operator(OPERATOR.to_owned()));
}

#[actix_web::test]
async fn an_owner_does_not_see_an_operators_address() {
    let app = TestApp::new().await;
    let mut client = app.signed_in(CLIENT).await;
    let account = Some(app.account(CLIENT).await.id);
    let line = NewAuditLine { action: "account.set_plan", account, ..NewAuditLine::default() };
    let (address, agent) = (Some("198.51.100.7".parse().unwrap()), Some("Navegador".to_owned()));
    for actor in [Actor::Account, Actor::Operator(OPERATOR.to_owned())] {
        app.store.add_line(&line, &Origin { actor, address, agent: agent.clone(), ..Origin::default() }).await.unwrap();
    }
    for (page, text) in [("/panel/cuenta", "198.51.100.7"), ("/panel/cuenta.csv", "198.51.100.7,Navegador")] {
        assert_eq!(client.get(page).await.body.matches(text).count(), 1, "{page}");
    }
}
