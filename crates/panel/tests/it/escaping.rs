//! Texts from users and from requests are escaped on every page that shows them.

use kuraka_api::Method;
use kuraka_panel::routes::ROUTES;

use crate::test_app::{TestApp, filled_in};

const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'-alert(1)-'",
    "{{ 7*7 }}</code><svg/onload=alert(1)>",
    "&lt;b&gt;\u{202e}",
];

#[actix_web::test]
async fn html_in_a_token_name_is_escaped() {
    let (app, mut owner) = TestApp::owner().await;
    for name in HOSTILE {
        let token = app.token(&mut owner, name).await;
        for route in ROUTES.iter().filter(|route| route.method == Method::Get) {
            let response = owner.get(&filled_in(route.path, token)).await;
            response.assert_lacks(name);
        }
        let response = owner.get("/panel/tokens").await;
        let escaped = name.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;");
        response.assert_contains(&escaped.replace('"', "&#34;").replace('\'', "&#39;"));
    }
}

#[actix_web::test]
async fn html_in_an_email_is_escaped() {
    let app = TestApp::new().await;
    for email in ["\"><script>alert(1)</script>", "a@b\"onfocus=alert(1) x=\"", "<b>@kuraka.example"] {
        let mut stranger = crate::browser::Browser::new(&app);
        let response = stranger.sign_up(email, "corta").await;
        response.assert_lacks(email);
        let mut signed_up = crate::browser::Browser::new(&app);
        signed_up.sign_up(email, crate::test_app::PASSWORD).await;
        signed_up.get("/panel/cuenta").await.assert_lacks(email);
    }
}

#[actix_web::test]
async fn html_in_a_query_string_is_not_echoed() {
    let (_, mut owner) = TestApp::owner().await;
    let response = owner.get("/panel/probar?operacion=%3Cscript%3E&ejemplo=%22%3E%3Cb%3E").await;
    response.assert_none(["<script>", "\"><b>"]);
}

#[actix_web::test]
async fn html_in_a_list_is_escaped() {
    let (_, mut owner) = TestApp::owner().await;
    for cell in ["<b>", "</i>", "&lt<b>", "x\"><svg/onload=alert(1)>"] {
        let text = format!("RUC\t{cell}\n20100119227\t{cell}\n{cell}\tx");
        let read = owner.submit("/panel/lista", "/panel/lista", &[("text", &text)]).await;
        let response = owner.get(read.location()).await;
        response.assert_lacks(cell);
        let escaped = cell.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;").replace('"', "&#34;");
        response.assert_contains(&format!("<td>{escaped}</td>"));
    }
}
