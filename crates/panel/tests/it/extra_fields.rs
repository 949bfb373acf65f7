//! Fields that no page offers: whoever sends them sets nothing.

use crate::browser::Browser;
use crate::stage::{PASSWORD, Stage};

const SURPLUS: [(&str, &str); 9] = [
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
async fn a_new_account_has_the_plan_of_new_accounts_whatever_is_sent() {
    let stage = Stage::new().await;
    let fields = [&SURPLUS[..], &[("email", "ana@kuraka.example"), ("password", PASSWORD)]].concat();
    Browser::new(&stage).submit("/registro", "/registro", &fields).await.leads_to();
    assert_eq!(stage.account("ana@kuraka.example").await.plan.as_str(), "free");
}

#[actix_web::test]
async fn a_form_in_the_panel_sets_what_its_page_offers() {
    let stage = Stage::new().await;
    stage.signed_in("otra@kuraka.example").await;
    let mut owner = stage.signed_in("ana@kuraka.example").await;
    let before = stage.account("ana@kuraka.example").await;
    let fields = [&SURPLUS[..], &[("name", "mía"), ("expires", ""), ("digest", "x"), ("token", "kur_x")]].concat();
    owner.submit("/panel/tokens", "/panel/tokens", &fields).await;
    assert_eq!(stage.tokens("otra@kuraka.example").await.len(), 0);
    assert_eq!(stage.tokens("ana@kuraka.example").await.len(), 1);
    let fields = [&SURPLUS[..], &[("current", PASSWORD), ("password", "otra frase larga y mía")]].concat();
    owner.submit("/panel/cuenta", "/panel/cuenta/clave", &fields).await.leads_to();
    assert_eq!(stage.account("ana@kuraka.example").await, before);
}
