//! Texts that somebody chose, on every page that shows them: they are texts and nothing else.

use kuraka_panel::routes::{Method, ROUTES};

use crate::stage::{Stage, filled_in};

const HOSTILE: [&str; 5] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'-alert(1)-'",
    "{{ 7*7 }}</code><svg/onload=alert(1)>",
    "&lt;b&gt;\u{202e}",
];

#[actix_web::test]
async fn a_hostile_name_is_shown_as_it_is_written() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    for name in HOSTILE {
        let token = stage.token(&mut owner, name).await;
        for route in ROUTES.iter().filter(|route| route.method == Method::Get) {
            let shown = owner.get(&filled_in(route.path, token)).await;
            shown.hides(name);
        }
        let shown = owner.get("/panel/tokens").await;
        let escaped = name.replace('&', "&#38;").replace('<', "&#60;").replace('>', "&#62;");
        shown.says(&escaped.replace('"', "&#34;").replace('\'', "&#39;"));
    }
}

#[actix_web::test]
async fn a_hostile_address_comes_back_as_a_text() {
    let stage = Stage::new().await;
    for email in ["\"><script>alert(1)</script>", "a@b\"onfocus=alert(1) x=\"", "<b>@kuraka.example"] {
        let mut stranger = crate::browser::Browser::new(&stage);
        let shown = stranger.submit("/registro", "/registro", &[("email", email), ("password", "corta")]).await;
        shown.hides(email);
        let mut signed_up = crate::browser::Browser::new(&stage);
        signed_up.submit("/registro", "/registro", &[("email", email), ("password", crate::stage::PASSWORD)]).await;
        signed_up.get("/panel/cuenta").await.hides(email);
    }
}

#[actix_web::test]
async fn what_a_browser_says_of_itself_is_a_text_too() {
    let stage = Stage::new().await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let shown = owner.get("/panel/probar?operacion=%3Cscript%3E&ejemplo=%22%3E%3Cb%3E").await;
    shown.hides("<script>");
    shown.hides("\"><b>");
}
