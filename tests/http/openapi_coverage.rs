//! Makes a call for every operation, status and code of the committed OpenAPI document and compares the answer and its
//! headers with the document. The test fails if the document has an answer that no call got, or if a call got an answer
//! that the document does not have.

use std::collections::BTreeSet;

use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use kuraka_server::http::ENDPOINTS;
use serde_json::Value;

use crate::answer::Answer;
use crate::app::{App, eventually, scene};
use crate::request::Request;
use crate::ruc_historial::{ago, line, padron, publish_on};
use crate::sandbox::{PROVIDER, claim, sandbox};

const DOCUMENT: &str = include_str!("../../docs/reference/openapi.json");

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
struct Met {
    document: Value,
    met: BTreeSet<String>,
}

/// The prefix that a server of the document puts before every path: none or `/api`.
fn prefix(server: &Value) -> &str {
    server["url"].as_str().unwrap().trim_end_matches('/')
}

impl Met {
    /// Compares an answer with the document of its operation, and records it.
    fn note(&mut self, method: &str, path: &str, answer: &Answer) {
        let (status, code) = (answer.status.to_string(), answer.code());
        let line = format!("{path} {status} {code}");
        // A wrong method has no operation, so the path's own operation documents the answer.
        let operations = self.document["paths"][path.strip_prefix("/api").unwrap_or(path)].as_object().unwrap();
        let operation = operations.get(&method.to_lowercase()).or(operations.values().next()).unwrap();
        let response = self.resolve(&operation["responses"][&status]);
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
        self.met.insert(line);
    }

    /// The value that a reference of the document leads to; any other value itself.
    fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        let Some(reference) = value.get("$ref") else { return value };
        self.document.pointer(reference.as_str().unwrap().trim_start_matches('#')).unwrap()
    }

    /// Every answer in the document, of each of its servers.
    fn documented(&self) -> BTreeSet<String> {
        let mut lines = BTreeSet::new();
        let prefixes: Vec<&str> = self.document["servers"].as_array().unwrap().iter().map(prefix).collect();
        for (path, operations) in self.document["paths"].as_object().unwrap() {
            for operation in operations.as_object().unwrap().values() {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let response = self.resolve(response);
                    // It has no body.
                    if status == "304" {
                        continue;
                    }
                    for code in response["content"]["application/json"]["examples"].as_object().unwrap().keys() {
                        lines.extend(prefixes.iter().map(|prefix| format!("{prefix}{path} {status} {code}")));
                    }
                }
            }
        }
        lines
    }
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
fn get_form(app: &App, prefix: &str, operation: &str, ruc: &str) -> (String, Request) {
    let request = app.request("GET", &format!("{prefix}/{operation}/{ruc}"));
    let parameter = if operation == "tipo-de-cambio" { "fecha" } else { "ruc" };
    (format!("{prefix}/{operation}/{{{parameter}}}"), request)
}

/// The requests to the `GET` forms that any server can answer.
async fn meet_get_forms(met: &mut Met, app: &App, prefix: &str) {
    let owner = app.owner().await;
    for operation in ruc_operations() {
        let get = |ruc: &str| get_form(app, prefix, operation, ruc);
        for ruc in [good_ruc(operation), sample::ABSENT, "x", "20100119227?fecha=2000-01-01", "2000-01-01"] {
            let (path, request) = get(ruc);
            met.note("GET", &path, &request.token(&owner.token).send().await);
        }
        let (path, request) = get(sample::COMPANY);
        met.note("GET", &path, &request.clone().send().await);
        met.note("GET", &path, &request.token(&owner.token).body(" ".repeat(4_097)).send().await);
        let request = app.request("PUT", &format!("{prefix}/{operation}/x")).token(&owner.token);
        met.note("PUT", &path, &request.send().await);
    }
}

async fn meet_all(met: &mut Met, app: &App, prefix: &str) {
    let owner = app.owner().await;
    for operation in ruc_operations().chain(OTHERS) {
        let path = format!("{prefix}/{operation}");
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
        let path = format!("{prefix}/{operation}");
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
    let path = format!("{prefix}/ubigeos");
    let large = app.request("GET", &path).token(&owner.token).body(" ".repeat(4_097));
    met.note("GET", &path, &large.send().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_get_exactly_the_documented_answers() {
    let mut met = Met { document: serde_json::from_str(DOCUMENT).unwrap(), met: BTreeSet::new() };
    let upstream = sandbox().await;
    let app = scene().with_datasets().official(&upstream).provider(&upstream, PROVIDER).vouchers(&upstream);
    let app = app.start().await;
    let empty = scene().without_edition().start().await;
    let slow = scene().plan(100, 1, 1).start().await;
    let poor = scene().without_edition().plan(0, 100, 100).watched(0).start().await;
    publish_on(&poor, &PADRON, ago(5), &padron(&[])).await;
    let found = line(sample::DESCRIBED);
    publish_on(&poor, &PADRON, ago(4), &padron(&[(&found, &found.replace("|HABIDO|", "|NO HALLADO|"))])).await;
    for prefix in [""] {
        meet_all(&mut met, &app, prefix).await;
        meet_get_forms(&mut met, &app, prefix).await;
        let (nobody, hasty, broke) = (empty.owner().await, slow.owner().await, poor.owner().await);
        let others = OTHERS.map(|operation| (operation, "POST"));
        for (operation, method) in
            ruc_operations().flat_map(|operation| [(operation, "POST"), (operation, "GET")]).chain(others)
        {
            let ask = |app: &App, token: &str| match method {
                "GET" => get_form(app, prefix, operation, good_ruc(operation)).1.token(token),
                _ => app.post(&format!("{prefix}/{operation}")).token(token).json(good(operation)),
            };
            if operation == "cambios" {
                for days in [5, 6] {
                    let body = format!("{{\"desde\": \"{}\", \"todos\": true}}", ago(days));
                    let path = format!("{prefix}/cambios");
                    met.note(method, &path, &poor.post(&path).token(&broke.token).json(body).send().await);
                }
            }
            let path = match method {
                "GET" => get_form(&app, prefix, operation, "").0,
                _ => format!("{prefix}/{operation}"),
            };
            met.note(method, &path, &ask(&empty, &nobody.token).send().await);
            met.note(method, &path, &ask(&poor, &broke.token).send().await);
            let answer = eventually("too fast", async || {
                let answer = ask(&slow, &hasty.token).send().await;
                (answer.code() == "rate_limited").then_some(answer)
            });
            met.note(method, &path, &answer.await);
        }
        let path = format!("{prefix}/ubigeos");
        let answer = eventually("too fast", async || {
            let answer = slow.request("GET", &path).token(&hasty.token).send().await;
            (answer.code() == "rate_limited").then_some(answer)
        });
        met.note("GET", &path, &answer.await);
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
    for prefix in [""] {
        for operation in ruc_operations().chain(OTHERS).chain(FREE) {
            let path = format!("{prefix}/{operation}");
            let method = if FREE.contains(&operation) { "GET" } else { "POST" };
            let answer = eventually("the suspension is seen", async || {
                let answer = gone.request(method, &path).token(&owner.token).json(good(operation)).send().await;
                (answer.code() == "forbidden").then_some(answer)
            });
            met.note(method, &path, &answer.await);
        }
        for operation in ruc_operations() {
            let (path, request) = get_form(&gone, prefix, operation, sample::COMPANY);
            met.note("GET", &path, &request.token(&owner.token).send().await);
        }
    }

    let is_met_elsewhere = |line: &&String| !UNMET.iter().any(|code| line.ends_with(code));
    let documented = met.documented();
    let unmet: Vec<&String> = documented.difference(&met.met).filter(is_met_elsewhere).collect();
    assert!(unmet.is_empty(), "documented, but no call got them: {unmet:#?}");
    assert!(met.met.len() > 200, "{}", met.met.len());
}
