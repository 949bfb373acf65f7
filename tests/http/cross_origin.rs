//! Calls from pages of other sites, operations of the original interface that are not served, and lists that are missing.

use kuraka_sandbox::sample;

use crate::app::scene;
use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_its_list_a_flag_of_perception_is_empty() {
    let (app, owner) = scene().start_with_owner().await;
    let data = app.post("/api/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    assert_eq!([&data["es_agente_de_percepcion"], &data["es_agente_de_percepcion_combustible"]], ["", ""]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_operation_of_the_original_that_is_not_served_is_named() {
    let app = scene().start().await;
    for (method, path) in [("POST", "/dni"), ("GET", "/api/dni/12345678"), ("POST", "/api/ruc_representantes/")] {
        let message = app.request(method, path).send().await.refused("route_not_found");
        assert!(message.starts_with("Este servicio no tiene la operación "), "{path}: {message}");
    }
    let message = app.post("/api/nada").send().await.refused("route_not_found");
    assert!(!message.contains("operación"), "{message}");
    let metrics = app.admin("/metrics").send().await.body;
    assert!(metrics.contains(r#"kuraka_unserved_calls_total{name="dni"} 2"#), "{metrics}");
    assert!(!metrics.contains("12345678"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_page_of_another_site_may_call_every_operation_and_nothing_else() {
    let (app, owner) = shared().await;
    let of_page = |method: &str, path: &str| app.request(method, path).header("Origin", "https://tienda.example");
    for path in ["/ruc", "/api/ruc", "/api/ruc/20100119227", "/cpe", "/ruc_sunat", "/ubigeos", "/usage", "/api/dni"] {
        let preflight = of_page("OPTIONS", path).header("Access-Control-Request-Method", "POST").send().await;
        assert_eq!((preflight.status, preflight.body.as_str()), (204, ""), "{path}");
        assert_eq!(preflight.must("access-control-allow-origin"), "*");
        assert_eq!(preflight.must("access-control-allow-methods"), "GET, POST");
        assert_eq!(preflight.must("access-control-allow-headers"), "Authorization, Content-Type, Accept");
        let refused = of_page("OPTIONS", path).send().await;
        assert!([404, 405].contains(&refused.status), "{path}");
    }
    let found = of_page("POST", "/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    found.found();
    assert_eq!(found.must("access-control-allow-origin"), "*");
    assert!(found.must("access-control-expose-headers").contains("X-Request-Id"));
    of_page("POST", "/ruc").ruc(sample::COMPANY).send().await.must("access-control-allow-origin");
    let without = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    for path in ["/docs", "/", "/entrar", "/nada", "/openapi.json"] {
        let page = of_page("GET", path).send().await;
        assert_eq!(page.header("access-control-allow-origin"), None, "{path}");
    }
    for name in ["access-control-allow-origin", "access-control-expose-headers"] {
        assert_eq!(without.header(name), None, "{name}");
    }
}
