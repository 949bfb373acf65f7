//! Makes a call for every operation, status and code of the committed OpenAPI document and compares the answer and its
//! headers with the document. The test fails if the document has an answer that no call got, or if a call got an answer
//! that the document does not have.

use std::collections::BTreeSet;

use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use kuraka_server::http::ENDPOINTS;

use crate::answer::Answer;
use crate::app::{App, eventually, scene};
use crate::request::Request;
use crate::ruc_historial::{ago, line, padron, publish_on};
use crate::sandbox::{PROVIDER, claim, sandbox};
use crate::schemas::{DOCUMENT, resolve};

/// Answers that no test can cause over HTTP. The list may only shrink.
const UNMET: [&str; 2] = [
    // Needs a bug: crates/server/tests/it/panics.rs causes one.
    "internal_error",
    // Needs a store that is out of reach: tests/http/outages.rs has one.
    "service_unavailable",
];

/// The other operations with a body.
const OTHERS: [&str; 6] = ["cpe", "cpe-multiple", "ruc-busqueda", "ruc-multiple", "cambios", "seguimiento"];
/// The operations without a body.
const FREE: [&str; 3] = ["usage", "ubigeos", "seguimiento"];

/// The operations about one RUC, and the exchange rate of a day. Each has a `GET` form with it in its path.
fn ruc_operations() -> impl Iterator<Item = &'static str> {
    let operations = ENDPOINTS.into_iter().map(|endpoint| endpoint.operation);
    operations.filter(|operation| operation.path_parameter.is_some()).map(|operation| operation.name)
}

/// The answers so far, such as `/api/ruc 404 document_not_found`.
#[derive(Default)]
struct Met(BTreeSet<String>);

impl Met {
    /// Compares an answer with the document of its operation, and records it.
    fn note(&mut self, method: &str, path: &str, answer: &Answer) {
        let (status, code) = (answer.status.to_string(), answer.code());
        let line = format!("{path} {status} {code}");
        // A wrong method has no operation, so the path's own operation documents the answer.
        let operations = DOCUMENT["paths"][path.strip_prefix("/api").unwrap_or(path)].as_object().unwrap();
        let operation = operations.get(&method.to_lowercase()).or(operations.values().next()).unwrap();
        let response = resolve(&operation["responses"][&status]);
        let examples = response["content"]["application/json"]["examples"].as_object();
        let examples = examples.unwrap_or_else(|| panic!("{method} {line} is not documented"));
        let example = &examples.get(&code).unwrap_or_else(|| panic!("{method} {line} is not documented"))["value"];
        for field in ["success", "code", "retryable"] {
            assert_eq!(answer.json()[field], example[field], "{line}: {field}");
        }
        let documented = response["headers"].as_object().unwrap();
        for header in ["x-source", "x-source-status", "x-registry-edition", "retry-after", "ratelimit", "allow"] {
            if answer.header(header).is_some() && !(header == "ratelimit" && code == "forbidden") {
                assert!(documented.keys().any(|name| name.to_lowercase() == header), "{line}: {header}");
            }
        }
        self.0.insert(line);
    }
}

/// Every answer in the document.
fn documented() -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (path, operations) in DOCUMENT["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            // A 304 has no body.
            for (status, response) in operation["responses"].as_object().unwrap().iter().filter(|it| it.0 != "304") {
                let examples = resolve(response)["content"]["application/json"]["examples"].as_object().unwrap();
                lines.extend(examples.keys().map(|code| format!("{path} {status} {code}")));
            }
        }
    }
    lines
}

/// A RUC that gets a record.
fn good_ruc(operation: &str) -> &'static str {
    match operation {
        "ruc-official" => sample::ON_BOTH_LISTS,
        "ruc-anexos" => sample::DESCRIBED,
        "tipo-de-cambio" => "2026-09-06",
        _ => sample::COMPANY,
    }
}

/// A body that gets a record.
fn good(operation: &str) -> String {
    match operation {
        "cpe" => claim(&VOUCHERS[0]).to_string(),
        "cpe-multiple" => format!("{{\"comprobantes\": [{}]}}", claim(&VOUCHERS[0])),
        "ruc-busqueda" => r#"{"nombre": "molinos"}"#.to_owned(),
        "cambios" => r#"{"todos": true}"#.to_owned(),
        "seguimiento" => format!("{{\"agregar\": [{:?}]}}", sample::COMPANY),
        "ruc-multiple" => format!("{{\"rucs\": [{:?}]}}", sample::COMPANY),
        "tipo-de-cambio" => r#"{"fecha": "2026-09-06"}"#.to_owned(),
        _ => format!("{{\"ruc\":\"{}\"}}", good_ruc(operation)),
    }
}

/// The path in the document of the `GET` form of an operation, and a request to it for this RUC.
fn get_form(app: &App, operation: &str, ruc: &str) -> (String, Request) {
    let request = app.request("GET", &format!("/{operation}/{ruc}"));
    let parameter = if operation == "tipo-de-cambio" { "fecha" } else { "ruc" };
    (format!("/{operation}/{{{parameter}}}"), request)
}

/// The requests to the `GET` forms that any server can answer.
async fn meet_get_forms(met: &mut Met, app: &App) {
    let owner = app.owner().await;
    for operation in ruc_operations() {
        let get = |ruc: &str| get_form(app, operation, ruc);
        for ruc in [good_ruc(operation), sample::ABSENT, "x", "20100119227?fecha=2000-01-01", "2000-01-01"] {
            let (path, request) = get(ruc);
            met.note("GET", &path, &request.token(&owner.token).send().await);
        }
        let (path, request) = get(sample::COMPANY);
        met.note("GET", &path, &request.clone().send().await);
        met.note("GET", &path, &request.token(&owner.token).body(" ".repeat(4_097)).send().await);
        let request = app.request("PUT", &format!("/{operation}/x")).token(&owner.token);
        met.note("PUT", &path, &request.send().await);
    }
}

async fn meet_all(met: &mut Met, app: &App) {
    let owner = app.owner().await;
    for operation in ruc_operations().chain(OTHERS) {
        let path = format!("/{operation}");
        let post = || app.post(&path).token(&owner.token);
        let absent = format!("{{\"ruc\":\"{}\"}}", sample::ABSENT);
        let mut requests: Vec<Request> = vec![
            post().json(good(operation)),
            post().json(r#"{"limite": 0}"#),
            post().json("[]"),
            app.post(&path).json(good(operation)),
            app.request("PUT", &path).token(&owner.token),
            post().json(" ".repeat(600_000)),
            post().header("Content-Type", "application/xml").body("x"),
        ];
        if !OTHERS.contains(&operation) {
            requests.push(post().json(absent));
            requests.push(post().json(format!("{{\"ruc\": {:?}, \"fecha\": \"2000-01-01\"}}", sample::COMPANY)));
        }
        for request in requests {
            met.note("POST", &path, &request.send().await);
        }
    }
    for operation in FREE {
        let path = format!("/{operation}");
        let get = || app.request("GET", &path);
        for request in [
            get().token(&owner.token),
            get(),
            app.request("PUT", &path),
            get().token(&owner.token).header("Authorization", "x"),
        ] {
            met.note("GET", &path, &request.send().await);
        }
    }
    let large = app.request("GET", "/ubigeos").token(&owner.token).body(" ".repeat(4_097));
    met.note("GET", "/ubigeos", &large.send().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_get_exactly_the_documented_answers() {
    let mut met = Met::default();
    let upstream = sandbox().await;
    let app = scene().with_datasets().official(&upstream).provider(&upstream, PROVIDER).vouchers(&upstream);
    let app = app.start().await;
    let empty = scene().without_edition().start().await;
    let slow = scene().plan(100, 1, 1).start().await;
    let poor = scene().without_edition().plan(0, 100, 100).watched(0).start().await;
    publish_on(&poor, &PADRON, ago(5), &padron(&[])).await;
    let found = line(sample::DESCRIBED);
    publish_on(&poor, &PADRON, ago(4), &padron(&[(&found, &found.replace("|HABIDO|", "|NO HALLADO|"))])).await;
    meet_all(&mut met, &app).await;
    meet_get_forms(&mut met, &app).await;
    let (of_empty, of_slow, of_poor) = (empty.owner().await, slow.owner().await, poor.owner().await);
    for days in [5, 6] {
        let body = format!("{{\"desde\": \"{}\", \"todos\": true}}", ago(days));
        let answer = poor.post("/cambios").token(&of_poor.token).json(body).send().await;
        met.note("POST", "/cambios", &answer);
    }
    let gets = ruc_operations().map(|operation| (operation, "GET"));
    let posts = ruc_operations().chain(OTHERS).map(|operation| (operation, "POST"));
    for (operation, method) in gets.chain(posts).chain([("ubigeos", "GET")]) {
        let ask = |app: &App, token: &str| match (operation, method) {
            ("ubigeos", _) => app.request("GET", "/ubigeos").token(token),
            (_, "GET") => get_form(app, operation, good_ruc(operation)).1.token(token),
            _ => app.post(&format!("/{operation}")).token(token).json(good(operation)),
        };
        let path = match (operation, method) {
            ("ubigeos", _) | (_, "POST") => format!("/{operation}"),
            _ => get_form(&app, operation, "").0,
        };
        if operation != "ubigeos" {
            met.note(method, &path, &ask(&empty, &of_empty.token).send().await);
            met.note(method, &path, &ask(&poor, &of_poor.token).send().await);
        }
        let answer = eventually("too fast", async || {
            let answer = ask(&slow, &of_slow.token).send().await;
            (answer.code() == "rate_limited").then_some(answer)
        });
        met.note(method, &path, &answer.await);
    }

    // Two additions are free in a month, and the plan has no query for the third.
    let spent = scene().without_edition().plan(0, 100, 100).watched(1).start().await;
    let owner = spent.owner().await;
    let [first, second] = [sample::COMPANY, sample::DESCRIBED];
    for (path, add, remove) in [
        ("/seguimiento", first, second),
        ("/seguimiento", second, first),
        ("/seguimiento", first, second),
        ("/api/seguimiento", first, second),
    ] {
        let body = format!("{{\"agregar\": [\"{add}\"], \"quitar\": [\"{remove}\"]}}");
        met.note("POST", path, &spent.post(path).token(&owner.token).json(body).send().await);
    }

    let gone = scene().start().await;
    let owner = gone.owner().await;
    gone.sql("UPDATE account SET status = 'suspended'; UPDATE revision SET value = value + 1").await;
    for operation in ruc_operations().chain(OTHERS).chain(FREE) {
        let path = format!("/{operation}");
        let method = if FREE.contains(&operation) { "GET" } else { "POST" };
        let answer = eventually("the suspension is seen", async || {
            let answer = gone.request(method, &path).token(&owner.token).json(good(operation)).send().await;
            (answer.code() == "forbidden").then_some(answer)
        });
        met.note(method, &path, &answer.await);
    }
    for operation in ruc_operations() {
        let (path, request) = get_form(&gone, operation, sample::COMPANY);
        met.note("GET", &path, &request.token(&owner.token).send().await);
    }

    let is_met_elsewhere = |line: &&String| !UNMET.iter().any(|code| line.ends_with(code));
    let documented = documented();
    let unmet: Vec<&String> = documented.difference(&met.0).filter(is_met_elsewhere).collect();
    assert!(unmet.is_empty(), "documented, but no call got them: {unmet:#?}");
    assert!(met.0.len() > 200, "{}", met.0.len());
}
