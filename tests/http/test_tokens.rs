//! Test tokens: answered from the sample and the sandbox, never from the server's data or sources, and never charged.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use kuraka_adapters::clock::SystemClock;
use kuraka_api::Method;
use kuraka_app::{CreateToken, OwnTokens};
use kuraka_ports::{AccountId, DailyUsage, TokenKind, WatchListId};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{FaultCase, FaultTarget, Target, VOUCHERS};
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
use kuraka_server::http::{ENDPOINTS, Running};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::answer::Answer;
use crate::app::{App, Owner, scene};
use crate::reliability::{figure, number};
use crate::request::Request;
use crate::sandbox::{PROVIDER, claim, sandbox};
use crate::seguimiento::watch;
use crate::test_data::test_data;

const CONNECTIONS: u64 = 8;

/// Repeats itself (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as usize % end
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn ruc(&mut self) -> Value {
        let quick =
            ["status-401", "status-403", "status-404", "status-500", "throttled", "captcha", "firewall", "empty"];
        let faults = quick.map(|name| FaultCase::named(name).unwrap()).into_iter();
        let faults = faults.flat_map(|case| [FaultTarget::Official, FaultTarget::Both].map(|target| case.ruc(target)));
        let known = [sample::COMPANY, sample::DESCRIBED, sample::PERSON, sample::ABSENT, sample::BAD_CHECK_DIGIT, ""];
        let known = known.map(str::to_owned).into_iter().chain(faults.flatten().map(|ruc| ruc.to_string()));
        json!(self.pick(&known.collect::<Vec<_>>()))
    }

    fn voucher(&mut self) -> Value {
        let mut voucher = claim(self.pick(VOUCHERS));
        if self.below(4) == 0 {
            voucher["numero_documento"] = json!(self.below(90_000).to_string());
        }
        voucher
    }

    /// A body that may be one of the operation's.
    fn body(&mut self, operation: &str) -> Value {
        let day = |it: &mut Self| json!(format!("2026-{:02}-{:02}", 1 + it.below(12), 1 + it.below(28)));
        let rucs = |it: &mut Self| (0..it.below(5)).map(|_| it.ruc()).collect::<Vec<_>>();
        match operation {
            "cpe" => self.voucher(),
            "cpe-multiple" => json!({"comprobantes": (0..self.below(4)).map(|_| self.voucher()).collect::<Vec<_>>()}),
            "ruc-multiple" => json!({"rucs": rucs(self), "ficha": self.below(2) == 0}),
            "ruc-busqueda" => json!({"nombre": self.pick(&["banco", "compañia", "x", ""])}),
            "ruc-historial" => json!({"ruc": self.ruc(), "fecha": day(self)}),
            "seguimiento" => json!({"agregar": rucs(self), "quitar": rucs(self)}),
            "cambios" => json!({"desde": day(self), "todos": self.below(2) == 0}),
            "tipo-de-cambio" => json!({"fecha": day(self)}),
            _ => json!({"ruc": self.ruc()}),
        }
    }

    fn request(&mut self, app: &App, token: &str) -> Request {
        if self.below(10) == 0 {
            let tools = ["consultar_ruc", "buscar_empresa", "validar_comprobante", "consultar_lista", "tipo_de_cambio"];
            let name = *self.pick(&tools);
            let like = *self.pick(&["cpe", "ruc", "ruc-multiple", "ruc-busqueda"]);
            let body = self.body(like);
            let params = json!({"name": name, "arguments": body});
            let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            return app.post("/mcp").token(token).json(message.to_string());
        }
        let operation = self.pick(&ENDPOINTS).operation;
        let path = format!("/{}", operation.path);
        match operation.method {
            Method::Get => app.request("GET", &path).token(token),
            Method::Post => app.post(&path).token(token).json(self.body(operation.path).to_string()),
        }
    }
}

async fn test_token(app: &App, account: AccountId) -> String {
    let tokens = OwnTokens::new(app.store.clone(), Arc::new(SystemClock::start()), getrandom::fill);
    let wish = CreateToken { name: "prueba".to_owned(), kind: TokenKind::Test, ..CreateToken::default() };
    tokens.create(account, &wish).await.unwrap().reveal().to_owned()
}

fn of_operations(page: &str, metric: &str) -> u64 {
    let lines = page.lines().filter(|line| line.starts_with(metric));
    lines.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_calls_with_a_test_token_touch_no_source_and_no_query() {
    let calls = number("TEST_CALLS", 800);
    let live = sandbox().await;
    let scene = scene().without_edition().official(&live).provider(&live, PROVIDER).vouchers(&live);
    let app = Arc::new(scene.start().await);
    let owner = app.owner().await;
    let token = test_token(&app, owner.account).await;
    let mut callers = JoinSet::new();
    for seed in 0..CONNECTIONS {
        let (app, token) = (Arc::clone(&app), token.clone());
        callers.spawn(async move {
            let (mut random, mut wire, mut codes) = (Random(seed), app.connect().await, Vec::new());
            for _ in 0..calls / CONNECTIONS {
                let answer = wire.ask(&random.request(&app, &token)).await;
                assert_eq!(answer.header("x-source-status"), Some("sandbox"), "{answer:?}");
                assert!(answer.status != 500, "{answer:?}");
                codes.push(answer.status);
            }
            codes
        });
    }
    let statuses: Vec<u16> = callers.join_all().await.concat();
    assert_eq!(statuses.len() as u64, calls);
    for status in [200, 400, 404, 503] {
        assert!(statuses.contains(&status), "no call was answered with {status}");
    }
    for target in [Target::Official, Target::provider(PROVIDER), Target::Token, Target::Vouchers] {
        assert_eq!(live.requests_in_all(&target), 0, "{target:?}");
    }
    assert_eq!(app.used(&owner).await, 0);
    assert_eq!(app.store.watched_set(WatchListId::live(owner.account)).await.unwrap().rucs(), []);
    let page = app.admin("/metrics").send().await.body;
    for metric in ["kuraka_answers_total", "kuraka_queries_charged_total", "kuraka_source_calls_total"] {
        assert_eq!(of_operations(&page, metric), 0, "{metric}");
    }
    let answered = of_operations(&page, "kuraka_test_answers_total");
    // An agent's call of a tool is two answers.
    assert!((calls..2 * calls).contains(&answered), "{answered}");
    let day = kuraka_domain::Date::new(2026, 1, 1).unwrap();
    assert!(DailyUsage::since(&*app.store, owner.account, day).await.unwrap().is_empty());
    figure("Q19", &format!("{calls} random calls with a test token"), "0 live sources touched, 0 queries charged");
}

async fn official(app: &App, token: &str, ruc: &str) -> Answer {
    app.post("/ruc-official").token(token).ruc(ruc).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn no_status_that_one_caller_tests_pauses_a_source_for_others() {
    let (app, owner) = scene().start_with_owner().await;
    let token = test_token(&app, owner.account).await;
    let accepted = claim(VOUCHERS.iter().find(|known| known.about == "accepted").unwrap());
    let cpe = async |body: &Value| app.post("/cpe").token(&token).json(body.to_string()).send().await;
    for case in FaultCase::ALL.iter().filter(|case| case.name.starts_with("status-") || case.name == "throttled") {
        let ruc = case.ruc(FaultTarget::Official).unwrap().to_string();
        let mut voucher = accepted.clone();
        voucher["ruc_emisor"] = json!(ruc);
        for _ in 0..2 {
            assert_eq!(official(&app, &token, &ruc).await.must("x-source"), "provider", "{}", case.name);
            assert_ne!(cpe(&voucher).await.status, 200, "{}", case.name);
        }
        assert_eq!(official(&app, &token, sample::COMPANY).await.must("x-source"), "official", "{}", case.name);
        assert_eq!(cpe(&accepted).await.found()["comprobante_estado_codigo"], "1", "{}", case.name);
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Start {
    Works,
    /// With settings that cannot be used.
    Breaks,
    Panics,
}

/// Test data that counts its starts.
fn counted(folder: &Path, how: Start) -> (TestData, Arc<AtomicUsize>, Arc<()>) {
    let (test_data, starts, running) = (test_data(folder), Arc::new(AtomicUsize::new(0)), Arc::new(()));
    let (count, runs) = (Arc::clone(&starts), Arc::clone(&running));
    let start: StartTestData = Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
        let (started, runs) = ((test_data.start)(), Arc::clone(&runs));
        Box::pin(async move {
            let (mut settings, upstream) = started.await?;
            assert!(how != Start::Panics, "a test");
            if how == Start::Breaks {
                settings.providers.iter_mut().for_each(|provider| provider.entry = "nobody".to_owned());
            }
            Ok((settings, Box::new((upstream, runs)) as Running))
        })
    });
    (TestData { start, ..test_data }, starts, running)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_test_instance_is_made_once_and_a_failure_is_remembered() {
    for (how, status, runs) in [(Start::Works, 200, 2), (Start::Breaks, 503, 1), (Start::Panics, 503, 1)] {
        let folder = tempfile::tempdir().unwrap();
        let (test_data, starts, running) = counted(folder.path(), how);
        // Which keeps a count of what runs, too.
        let kept = Arc::strong_count(&running) - 1;
        let mut scene = scene();
        scene.test_data = Some(test_data);
        let app = Arc::new(scene.start().await);
        let owner = app.owner().await;
        let token = test_token(&app, owner.account).await;
        let mut callers = JoinSet::new();
        for _ in 0..10 {
            let (app, token) = (Arc::clone(&app), token.clone());
            callers.spawn(async move {
                app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await;
                app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await
            });
        }
        for answer in callers.join_all().await {
            assert_eq!((answer.status, answer.must("x-source-status")), (status, "sandbox"));
            let retry_after = answer.header("retry-after").map(|seconds| seconds.parse::<u64>().unwrap());
            assert!(retry_after.is_none_or(|seconds| (30..=60).contains(&seconds)), "{retry_after:?}");
            assert_eq!(retry_after.is_some(), status == 503);
        }
        assert_eq!(starts.load(Ordering::SeqCst), 1);
        assert_eq!(Arc::strong_count(&running) - kept, runs, "what a failure has started runs on");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_refused_test_call_is_counted_apart() {
    let (app, owner) = scene().start_with_owner().await;
    let token = test_token(&app, owner.account).await;
    for request in [
        app.post("/ruc").token("kur_test_x").ruc(sample::COMPANY),
        app.post("/ruc").token(&token).header("Content-Type", "text/plain").body("a"),
        app.post("/ruc").token(&token).json("x".repeat(20_000)),
    ] {
        let answer = request.send().await;
        assert_eq!((answer.status / 100, answer.must("x-source-status")), (4, "sandbox"), "{answer:?}");
    }
    let page = app.admin("/metrics").send().await.body;
    assert_eq!(of_operations(&page, "kuraka_answers_total"), 0);
    assert_eq!(of_operations(&page, "kuraka_test_answers_total"), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn test_calls_have_the_plans_rate_for_themselves_and_use_no_query() {
    let (app, owner) = scene().plan(2, 1, 3).start_with_owner().await;
    let token = test_token(&app, owner.account).await;
    let ruc = async |token: &str| app.post("/ruc").token(token).ruc(sample::COMPANY).send().await;
    for _ in 0..3 {
        let answer = ruc(&token).await;
        assert_eq!(answer.status, 200);
        assert!(answer.must("ratelimit").contains("\"monthly\";r=2;"), "{answer:?}");
    }
    let refused = ruc(&token).await;
    assert_eq!(refused.must("x-source-status"), "sandbox");
    refused.refused("rate_limited");
    let live = ruc(&owner.token).await;
    assert_eq!(live.status, 200);
    assert!(live.must("ratelimit").starts_with("\"burst\";r=2;"), "{live:?}");
    let usage = async |token: &str| app.request("GET", "/usage").token(token).send().await.found();
    assert_eq!(usage(&token).await["consultas"], json!({"limite": 2, "usadas": 0, "restantes": 2}));
    assert_eq!(usage(&owner.token).await["consultas"]["usadas"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_live_token_is_never_answered_from_test_data() {
    let (app, owner) = scene().without_edition().start_with_owner().await;
    let token = test_token(&app, owner.account).await;
    assert_eq!(app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await.status, 200);
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    answer.refused("upstream_unavailable");
    assert_eq!(answer.header("x-source-status"), None);
    // The letters after the prefix are no live token.
    let other = token.replace("test_", "");
    app.post("/ruc").token(&other).ruc(sample::COMPANY).send().await.refused("unauthenticated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_test_token_has_a_watch_list_of_its_own_and_a_change_a_minute() {
    let (app, owner) = scene().without_edition().start_with_owner().await;
    let test = Owner { token: test_token(&app, owner.account).await, ..owner };
    let body = json!({"agregar": [{"ruc": sample::DESCRIBED, "codigo": "P-1"}, sample::COMPANY]});
    assert_eq!(watch(&app, &test, body).await["total"], 2);
    let live = WatchListId::live(test.account);
    assert_eq!(app.store.watched_set(live).await.unwrap().rucs(), []);
    let kept = app.store.watched_set(WatchListId { kind: TokenKind::Test, ..live }).await.unwrap();
    assert_eq!(kept.rucs().len(), 2);
    let changes = async |body: Value| app.post("/cambios").token(&test.token).json(body.to_string()).send().await;
    let today = kuraka_app::calendar::today(crate::app::now()).to_string();
    let page = changes(json!({"desde": today, "limite": 1})).await.found();
    let first = &page["cambios"][0];
    assert_eq!(
        (&first["ruc"], &first["codigo"], &first["dato"]),
        (&json!(sample::DESCRIBED), &json!("P-1"), &json!("condicion"))
    );
    let next = page["siguiente"].as_str().unwrap().to_owned();
    let second = changes(json!({"desde": next, "limite": 1})).await.found();
    assert_eq!(second["cambios"][0]["antes"], first["despues"]);
    // A cursor of test data is none of the account's live list.
    let live = app.owner().await;
    let refused = app.post("/cambios").token(&live.token).json(json!({"desde": next}).to_string()).send().await;
    assert_ne!(refused.status, 200);
}
