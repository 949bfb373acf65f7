//! Form fields that no page offers are ignored.

use crate::browser::Browser;
use crate::test_app::{EMAIL, PASSWORD, TestApp};

const EXTRA: [(&str, &str); 9] = [
    ("plan", "empresa"),
    ("quota", "1000000"),
    ("queries", "1000000"),
    ("role", "admin"),
    ("status", "active"),
    ("id", "1"),
    ("account", "1"),
    ("account_id", "1"),
    ("created", "2000-01-01"),
];

#[actix_web::test]
async fn extra_fields_of_the_sign_up_form_are_ignored() {
    let app = TestApp::new().await;
    let fields = [&EXTRA[..], &[("email", EMAIL), ("password", PASSWORD)]].concat();
    Browser::new(&app).submit("/registro", "/registro", &fields).await.location();
    assert_eq!(app.account(EMAIL).await.plan.as_str(), "free");
}

#[actix_web::test]
async fn extra_fields_of_panel_forms_are_ignored() {
    let app = TestApp::new().await;
    app.signed_in("otra@kuraka.example").await;
    let mut owner = app.signed_in(EMAIL).await;
    let before = app.account(EMAIL).await;
    let fields = [&EXTRA[..], &[("name", "mía"), ("expires", ""), ("digest", "x"), ("token", "kur_x")]].concat();
    owner.submit("/panel/tokens", "/panel/tokens", &fields).await;
    assert_eq!(app.tokens("otra@kuraka.example").await.len(), 0);
    assert_eq!(app.tokens(EMAIL).await.len(), 1);
    let fields = [&EXTRA[..], &[("current", PASSWORD), ("password", "otra frase larga y mía")]].concat();
    owner.submit("/panel/cuenta", "/panel/cuenta/clave", &fields).await.location();
    assert_eq!(app.account(EMAIL).await, before);
}
