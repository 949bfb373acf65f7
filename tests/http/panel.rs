//! The panel over HTTP: sign-up, a token that calls the API, and its revocation.

use std::collections::BTreeMap;

use kuraka_ports::{AccountRole, Accounts, Actor, AuditFilter, Email};
use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use serde_json::json;

use crate::answer::Answer;
use crate::app::{App, eventually, scene};
use crate::replicas::servers;
use crate::request::Request;
use crate::ruc_historial::{ago, padron, publish_on};

pub(crate) const EMAIL: &str = "ana@kuraka.example";
pub(crate) const PASSWORD: &str = "una frase larga y mía";

/// As much of a browser as this test needs.
#[derive(Clone)]
pub(crate) struct Browser<'a> {
    app: &'a App,
    cookies: BTreeMap<String, String>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(app: &'a App) -> Self {
        Self { app, cookies: BTreeMap::new() }
    }

    /// A browser that has signed up.
    async fn signed_up(app: &'a App) -> Self {
        let mut browser = Self::new(app);
        let made = browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
        assert_eq!((made.status, made.must("location")), (303, "/panel"));
        browser
    }

    /// Makes a token.
    async fn token(&mut self) -> String {
        let made = self.submit("/panel/tokens", "/panel/tokens", &[("name", "mío"), ("expires", "90")]).await;
        assert_eq!(made.status, 201);
        between(&made.body, "id=\"token\">", "<").to_owned()
    }

    async fn get(&mut self, path: &str) -> Answer {
        self.send(self.app.request("GET", path)).await
    }

    /// Opens a page and submits its form.
    pub(crate) async fn submit(&mut self, page: &str, action: &str, fields: &[(&str, &str)]) -> Answer {
        let page = self.get(page).await;
        let token = between(&page.body, "name=\"form_token\" value=\"", "\"");
        let all = [fields, &[("form_token", token)]].concat();
        let body: Vec<String> = all.iter().map(|(name, text)| format!("{name}={}", encoded(text))).collect();
        let form = self.app.post(action).header("Content-Type", "application/x-www-form-urlencoded");
        self.send(form.header("Origin", format!("http://{}", self.app.api)).body(body.join("&"))).await
    }

    /// The request with this browser's cookies.
    pub(crate) fn with_cookies(&self, request: Request) -> Request {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if cookies.is_empty() { request } else { request.header("Cookie", cookies.join("; ")) }
    }

    async fn send(&mut self, request: Request) -> Answer {
        let answer = self.with_cookies(request).send().await;
        for line in answer.all("set-cookie") {
            let (name, rest) = line.split_once('=').unwrap();
            let (value, attributes) = rest.split_once(';').unwrap();
            if attributes.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no {before} in {text}"));
    rest.split_once(after).unwrap().0
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_user_signs_up_and_makes_uses_and_revokes_a_token() {
    let app = scene().start().await;
    assert!(Browser::new(&app).get("/").await.body.contains("Crear cuenta"));
    let mut browser = Browser::signed_up(&app).await;
    let token = browser.token().await;
    app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await.found();

    let page = eventually("the call is counted", async || {
        let page = Browser { cookies: browser.cookies.clone(), ..Browser::new(&app) }.get("/panel/consumo").await;
        Some(page).filter(|page| between(&page.body, "id=\"used\">", "<") == "1" && page.body.contains("<rect class"))
    });
    assert!(page.await.body.contains("Resumen de un contribuyente: 1 vez en 30 días"));

    let page = browser.get("/panel/tokens").await;
    let revoke = format!("/panel/tokens/{}", between(&page.body, "href=\"/panel/tokens/", "\""));
    assert_eq!(browser.submit(&revoke, &revoke, &[]).await.must("location"), "/panel/tokens");
    eventually("the token is dead", async || {
        let answer = app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await;
        (answer.status == 401).then_some(())
    })
    .await;

    let gone = browser.submit("/panel/cuenta", "/panel/cuenta/eliminar", &[("password", PASSWORD)]).await;
    assert_eq!(gone.must("location"), "/");
    assert_eq!(browser.get("/panel/tokens").await.must("location"), "/ingresar?volver=/panel/tokens");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn pages_spend_the_accounts_queries_as_its_tokens_do() {
    let app = scene().plan(6, 1_000_000, 1_000_000).with_datasets().start().await;
    let mut browser = Browser::signed_up(&app).await;
    let token = browser.token().await;
    let request = |path: &str| app.request("GET", path).header("Sec-Fetch-Site", "none");
    let sheet = format!("/panel/consultar/{}", sample::DESCRIBED);

    app.post("/ruc-ficha").token(&token).ruc(sample::DESCRIBED).send().await.found();
    let page = browser.send(request(&sheet)).await;
    assert_eq!(page.status, 200);
    for text in ["TEJIDOS DEL ALTIPLANO", "JR. GAMARRA NRO. 1157", "IMPORTADOR/EXPORTADOR", "ACTIVO · HABIDO"] {
        assert!(page.body.contains(text), "{text} is not in {}", page.body);
    }
    let items = [sample::COMPANY, sample::SANCTIONED, sample::ABSENT].join("\n");
    let kept = browser.submit("/panel/lista", "/panel/lista", &[("text", &items)]).await;
    let list = kept.header("location").unwrap().to_owned();
    browser.submit(&list, &format!("{list}/consultar"), &[("modo", "rucs")]).await;
    let page = eventually("the list is looked up", async || {
        let page = Browser { cookies: browser.cookies.clone(), ..Browser::new(&app) }.get(&list).await;
        page.body.contains("en rojo").then_some(page)
    })
    .await;
    assert!(page.body.contains("SIN CAPACIDAD OPERATIVA · NO HABIDO · ACTIVO"), "{}", page.body);
    let usage = app.request("GET", "/usage").token(&token).send().await;
    assert_eq!(usage.json()["data"]["consultas"]["usadas"], 5);

    app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await.found();
    assert_eq!(browser.send(request(&sheet)).await.status, 429);

    let page = eventually("the calls are counted", async || {
        let page = Browser { cookies: browser.cookies.clone(), ..Browser::new(&app) }.get("/panel/consumo").await;
        let calls =
            ["Ficha de un contribuyente: 3 veces en 30 días", "Varios contribuyentes a la vez: 1 vez en 30 días"];
        calls.iter().all(|calls| page.body.contains(calls)).then_some(())
    });
    page.await;
    let metrics = app.admin("/metrics").send().await.body;
    for line in [
        r#"kuraka_queries_charged_total{operation="ruc-ficha"} 2"#,
        r#"kuraka_queries_charged_total{operation="ruc-multiple"} 3"#,
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_works_on_every_server() {
    let servers = servers(3, || scene().plan(1_000, 1_000_000, 1_000_000)).await;
    let mut browser = Browser::signed_up(&servers[0]).await;
    // One server renders the form, another receives it.
    browser.app = &servers[1];
    let page = browser.get("/panel/tokens").await;
    let form_token = between(&page.body, "name=\"form_token\" value=\"", "\"").to_owned();
    browser.app = &servers[2];
    let form = servers[2].post("/panel/tokens").header("Content-Type", "application/x-www-form-urlencoded");
    let body = format!("name=m&expires=&form_token={}", encoded(&form_token));
    let made = browser.send(form.header("Origin", format!("http://{}", servers[2].api)).body(body)).await;
    assert_eq!(made.status, 201);
    let token = between(&made.body, "id=\"token\">", "<").to_owned();
    for server in &servers {
        server.post("/ruc").token(&token).ruc(sample::COMPANY).send().await.found();
    }
    // Each of the three charged one query. A plan of a thousand is charged query by query, so each knows the total.
    for server in &servers {
        let usage = server.request("GET", "/usage").token(&token).send().await;
        assert_eq!(usage.json()["data"]["consultas"]["usadas"], 3);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_store_holds_no_token_and_no_password() {
    let app = scene().start().await;
    let mut browser = Browser::signed_up(&app).await;
    let session = browser.cookies["kuraka"].clone();
    let token = browser.token().await;
    let mut bytes = Vec::new();
    for end in ["", "-wal"] {
        let file = format!("{}{end}", app.store_file().display());
        bytes.extend(std::fs::read(file).unwrap());
    }
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds(EMAIL), "the store has the e-mail address");
    for secret in [&token[10..], PASSWORD, &session] {
        assert!(!holds(secret), "{secret} is in the store");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn log_ins_and_changes_in_the_panel_are_audited_with_address_and_request() {
    let app = scene().start().await;
    let mut browser = Browser::signed_up(&app).await;
    let made = browser.submit("/panel/tokens", "/panel/tokens", &[("name", "mío"), ("expires", "90")]).await;
    let id = made.must("x-request-id").to_owned();
    for email in [EMAIL, "nadie@kuraka.example"] {
        let mut stranger = Browser::new(&app);
        stranger.submit("/ingresar", "/ingresar", &[("email", email), ("password", "no es la suya")]).await;
    }
    let lines = async |action| {
        let filter = AuditFilter { action: Some(action), ..AuditFilter::default() };
        app.store.lines(&filter, 9).await.unwrap()
    };
    let [token] = <[_; 1]>::try_from(lines("token.create").await).unwrap();
    assert_eq!((token.origin.actor, token.email.as_deref()), (Actor::Account, Some(EMAIL)));
    assert_eq!((token.origin.address, token.origin.request_id), (Some([127, 0, 0, 1].into()), Some(id)));
    let refused =
        eventually("both are written", async || Some(lines("session.refuse").await).filter(|lines| lines.len() == 2));
    let mut refused: Vec<_> = refused.await.into_iter().map(|line| line.email).collect();
    refused.sort();
    assert_eq!(refused, [None, Some(EMAIL.to_owned())]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_operator_updates_a_dataset_and_rolls_it_back() {
    let builder = scene().published(sample::PADRON, Some(ago(5))).start().await;
    let app = scene().without_edition().fetching(builder.admin).start().await;
    let mut browser = Browser::signed_up(&app).await;
    let account = Accounts::find(&*app.store, &Email::parse(EMAIL).unwrap()).await.unwrap().unwrap();
    app.store.set_role(account.id, AccountRole::Operator).await.unwrap();
    browser.submit("/ingresar", "/ingresar", &[("email", EMAIL), ("password", PASSWORD)]).await;
    let status = async || app.admin("/readyz").send().await.json()["datasets"][0].clone();
    let dated = async |days| {
        let date = json!(ago(days));
        eventually("the edition answers", async || (status().await["date"] == date).then_some(())).await;
    };
    // The builder is asked again after ten minutes.
    dated(5).await;
    publish_on(&builder, &PADRON, ago(4), &padron(&[])).await;
    let mut change = async |action, from: &str| {
        let fields = [("datos", "padron"), ("edicion", from), ("accion", action)];
        browser.submit("/panel/tokens", "/panel/operacion/datos", &fields).await
    };
    // The first update may still be completing its record.
    let mut updating = change("actualizar", "").await;
    for _ in 0..200 {
        if updating.status != 409 {
            break;
        }
        updating = change("actualizar", "").await;
    }
    assert_eq!(updating.must("location"), "/panel/operacion?hecho=actualizar");
    dated(4).await;
    let label = async || status().await["edition"].as_str().unwrap().to_owned();
    let newest = label().await;
    assert_eq!(change("anterior", &newest).await.must("location"), "/panel/operacion?hecho=anterior");
    dated(5).await;
    assert_eq!(change("anterior", &newest).await.status, 409, "it is not current any more");
    for (action, object) in [("dataset.update", "padron"), ("dataset.rollback", "padron 2")] {
        let filter = AuditFilter { action: Some(action), ..AuditFilter::default() };
        let [line] = <[_; 1]>::try_from(app.store.lines(&filter, 9).await.unwrap()).unwrap();
        assert!(line.object.starts_with(object), "{line:?}");
        assert_eq!(line.origin.actor, Actor::Operator(EMAIL.to_owned()));
        assert_eq!(line.origin.address, Some([127, 0, 0, 1].into()));
    }
    assert_eq!(change("anterior", &label().await).await.status, 409, "there is none before it");
    let page = browser.get("/panel/operacion").await;
    assert!(page.body.contains("Llamadas de la última hora"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn calls_leave_no_line_in_the_audit_log() {
    let (app, owner) = scene().start_with_owner().await;
    // The server adds the editions that it serves.
    let count = async || {
        let lines = app.store.lines(&AuditFilter::default(), 99).await.unwrap();
        lines.iter().filter(|line| line.action != "dataset.publish").count()
    };
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    let before = count().await;
    for token in [owner.token.as_str(), "kur_x"] {
        app.post("/ruc").token(token).ruc(sample::COMPANY).send().await;
    }
    assert_eq!(count().await, before);
    app.sql("DROP TABLE audit").await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
}
