//! The log-in returns to the page where the owner was, and never leaves the panel.

use std::time::Duration;

use actix_web::http::StatusCode;

use crate::browser::{Browser, HOST, form};
use crate::test_app::{EMAIL, PASSWORD, TestApp};

/// Where the log-in leads with this value of `volver`.
async fn returned(app: &TestApp, page: &str) -> String {
    let mut browser = Browser::new(app);
    let fields = [("email", EMAIL), ("password", PASSWORD), ("volver", page)];
    let location = browser.submit("/ingresar", "/ingresar", &fields).await.location().to_owned();
    app.clock.advance(Duration::from_secs(60));
    location
}

#[actix_web::test]
async fn the_log_in_leads_to_pages_of_the_panel_only() {
    let app = TestApp::new().await;
    app.signed_in(EMAIL).await;
    for page in ["/panel/lista/0123", "/panel/lista/0123?estado=rojo&pagina=2", "/panel?x=1", "/panel/nada"] {
        assert_eq!(returned(&app, page).await, page);
    }
    for (page, expected) in [
        ("/panel/consumo.csv", "/panel/consumo"),
        ("/panel/lista/0123.xlsx", "/panel/lista/0123"),
        ("/panel/consultar/20100119227?fecha=2026-11-01", "/panel/consultar?ruc=20100119227"),
        ("/panel/consultar?q=acero+sur", "/panel/consultar?ruc=acero+sur"),
        ("/panel/consultar/sugerencias?q=a", "/panel/consultar"),
        ("/panel/seguimiento/buscar", "/panel/seguimiento"),
        ("/panel/lista/0123/seguir", "/panel/seguimiento"),
    ] {
        assert_eq!(returned(&app, page).await, expected);
    }
    let long = format!("/panel/{}", "a".repeat(1_000));
    for evil in [
        "//evil.example",
        "https://evil.example/panel",
        "https:",
        "javascript:alert(1)",
        "/\\evil.example",
        "\\\\evil.example",
        "/panel\\@evil.example",
        "/panel.evil.example",
        "/panel@evil.example",
        "panel/lista",
        " /panel/lista",
        "/panel/lista\r\nSet-Cookie: a=b",
        "/panel/\tlista",
        "/panel/lísta",
        "/docs",
        long.as_str(),
    ] {
        assert_eq!(returned(&app, evil).await, "/panel", "{evil:?}");
    }
}

#[actix_web::test]
async fn an_expired_session_says_so_and_returns_to_the_page_of_the_form() {
    let (app, mut owner) = TestApp::owner().await;
    let token = owner.get("/panel/tokens").await.form_token();
    Browser::new(app).get("/ingresar").await.assert_lacks("Su sesión terminó");
    app.clock.advance(Duration::from_secs(30 * 60));
    let page = owner.get("/panel/seguimiento").await.location().to_owned();
    assert_eq!(page, "/ingresar?volver=/panel/seguimiento");
    let page = owner.get(&page).await;
    page.assert_contains("Su sesión terminó");
    page.assert_lacks("El formulario que envió no se recibió");

    let sent = |from: &str| {
        let fields = [("form_token", token.as_str()), ("name", "facturación"), ("expires", "")];
        form("/panel/tokens", &fields).insert_header(("Sec-Fetch-Site", "same-origin")).insert_header(("Referer", from))
    };
    let elsewhere = owner.send(sent("http://evil.example/panel/tokens")).await;
    assert_eq!(elsewhere.location(), "/ingresar?formulario=1");
    let lost = owner.send(sent(&format!("http://{HOST}/panel/tokens?a=1"))).await.location().to_owned();
    assert_eq!(lost, "/ingresar?volver=/panel/tokens%3Fa%3D1&formulario=1");
    let page = owner.get(&lost).await;
    page.assert_contains("El formulario que envió no se recibió");
    let fields = [("email", EMAIL), ("password", PASSWORD), ("volver", "/panel/tokens?a=1")];
    assert_eq!(owner.submit(&lost, "/ingresar", &fields).await.location(), "/panel/tokens?a=1");
    assert!(app.tokens(EMAIL).await.is_empty());
}

#[actix_web::test]
async fn error_pages_keep_the_menu_with_a_session() {
    let (app, mut owner) = TestApp::owner().await;
    for (path, status) in
        [("/panel/lista/00", StatusCode::NOT_FOUND), ("/panel/tokens/7/revocar", StatusCode::NOT_FOUND)]
    {
        let page = owner.get(path).await;
        assert_eq!(page.status, status);
        page.assert_all(["aria-label=\"Secciones\"", EMAIL, "href=\"/panel\">Ir al inicio", "Esta página no existe"]);
    }
    let forged = owner.post("/panel/tokens", &[("form_token", "x")]).await;
    assert_eq!(forged.status, StatusCode::FORBIDDEN);
    forged.assert_contains("aria-label=\"Secciones\"");
    let large = "x".repeat(20 << 10);
    let from = form("/panel/tokens", &[("name", &large)]).insert_header(("Sec-Fetch-Site", "same-origin"));
    let page = owner.send(from.insert_header(("Referer", format!("http://{HOST}/panel/tokens?a")))).await;
    assert_eq!(page.status, StatusCode::PAYLOAD_TOO_LARGE);
    page.assert_contains("href=\"/panel/tokens?a\">Volver");
    let page =
        owner.send(actix_web::test::TestRequest::get().uri("/nada").insert_header(("Accept", "text/html"))).await;
    page.assert_contains("aria-label=\"Secciones\"");
    let page = Browser::new(app).post("/ingresar", &[]).await;
    assert_eq!(page.status, StatusCode::FORBIDDEN);
    page.assert_lacks("Secciones");
}
