//! An operation that is added to the table appears everywhere, because all modules follow the table.

use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_api::{Operation, Playground, Sample, ruc, usage};
use kuraka_sandbox::sample;
use kuraka_server::application::Application;
use kuraka_server::http::{ENDPOINTS, Endpoint};
use kuraka_server::settings::{Settings, Values, environment};
use tokio::sync::oneshot;

use super::http::{Answer, ask, get};
use super::program::Home;
use super::test_times::no_test_data;

/// Like `POST /ruc`, with another name, an alias and a smaller body limit.
const LOOKUP: Operation = Operation {
    name: "inventada",
    path: "inventada",
    aliases: &["inventada_tambien"],
    title: "Una operación inventada",
    description: "Solo existe en esta prueba.",
    body_limit: 1024,
    playground: Some(Playground {
        title: "Inventada",
        about: "Nada.",
        samples: &[Sample { title: "Una", body: "{}" }],
    }),
    ..ruc::OPERATION
};
/// Like `GET /usage`, with another name.
const FREE: Operation = Operation { name: "inventada-gratis", path: "inventada-gratis", ..usage::OPERATION };

/// The table of operations with the two invented ones.
fn endpoints() -> Vec<Endpoint> {
    let invented = [(ruc::OPERATION.name, &LOOKUP), (usage::OPERATION.name, &FREE)].map(|(name, operation)| {
        let mut endpoint = ENDPOINTS.into_iter().find(|endpoint| endpoint.operation.name == name).unwrap();
        endpoint.operation = operation;
        endpoint
    });
    ENDPOINTS.into_iter().chain(invented).collect()
}

fn settings(home: &Home) -> Settings {
    let text = format!(
        "data_dir = {:?}\nhttp.bind = \"127.0.0.1:0\"\nadmin.bind = \"127.0.0.1:0\"\ndatasets.update_every = \"off\"\n",
        home.path("data")
    );
    let file = home.write("made-up.toml", text.as_bytes());
    let nothing = environment().source(Some(Default::default()));
    Settings::read(&Values::load_with(Some(file.into()), nothing, &[]).unwrap()).unwrap()
}

fn call(to: std::net::SocketAddr, method: &str, path: &str, token: &str, body: &str) -> Answer {
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n");
    let length = body.len();
    ask(to, &format!("{head}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_operation_appears_in_routes_documents_pages_and_metrics() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    home.import(sample::PADRON);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock = Arc::new(SystemClock::start());
    let application = Application::build_with(clock, settings(&home), &endpoints(), no_test_data()).await.unwrap();
    let (api, admin) = (application.api_address, application.admin_address);
    let (stop, stopped) = oneshot::channel::<()>();
    let serving =
        tokio::spawn(async { application.run_until(async { drop(stopped.await) }).await.map_err(|e| e.to_string()) });

    let found = tokio::task::spawn_blocking(move || {
        let body = format!("{{\"ruc\":\"{}\"}}", sample::COMPANY);
        for path in ["/inventada", "/api/inventada", "/inventada_tambien", "/api/inventada_tambien"] {
            let answer = call(api, "POST", path, &token, &body);
            assert_eq!((answer.status, answer.header("x-source")), (200, Some("registry")), "{path}");
            let refused = call(api, "PUT", path, &token, &body);
            assert_eq!((refused.status, refused.header("allow")), (405, Some("post")), "{path}");
        }
        let large = call(api, "POST", "/inventada", &token, &" ".repeat(1025));
        assert_eq!(large.status, 413);
        assert!(large.body.contains("El cuerpo supera los 1 KiB permitidos."), "{}", large.body);
        assert_eq!(call(api, "GET", "/inventada-gratis", &token, "").status, 200);
        assert_eq!(call(api, "POST", "/inventada-gratis", &token, "").header("allow"), Some("get"));

        let document = get(api, "/openapi.json").json();
        assert_eq!(document["paths"]["/inventada"]["post"]["summary"], LOOKUP.title);
        let text = get(api, "/llms.txt").body;
        assert!(text.contains("## POST /inventada\n\nUna operación inventada. Solo existe en esta prueba."), "{text}");
        let page = get(api, "/docs").body;
        assert!(page.contains("POST /inventada<") && page.contains("Solo existe en esta prueba."), "{page}");
        get(admin, "/metrics").body
    });
    let metrics = found.await.unwrap();
    for line in [
        r#"kuraka_answers_total{operation="inventada",code="found"} 4"#,
        r#"kuraka_answers_total{operation="inventada",code="payload_too_large"} 1"#,
        r#"kuraka_answers_total{operation="inventada-gratis",code="found"} 1"#,
        r#"kuraka_answers_total{operation="ruc",code="found"} 0"#,
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}
