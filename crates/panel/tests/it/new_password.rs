//! A new password by a mailed link.

use actix_web::http::{StatusCode, header};
use kuraka_app::Mails;
use kuraka_panel::mail_message;
use kuraka_ports::MailMessage;

use crate::browser::Browser;
use crate::test_app::{EMAIL, PASSWORD, TestApp};

const NEW: &str = "otra frase larga y mía";

/// The mails that the server's job would send now.
pub(crate) async fn mails(app: &TestApp) -> Vec<MailMessage> {
    let (outbox, accounts, codes) = (app.store.clone(), app.store.clone(), app.store.clone());
    let mails = Mails { outbox, accounts, codes, clock: app.clock.clone(), random: getrandom::fill };
    let mut sent = Vec::new();
    while let Some(mail) = mails.lease().await.unwrap() {
        if let Some(code) = mails.prepare(&mail).await.unwrap() {
            sent.push(mail_message(&mail, "https://api.kuraka.example", None, &code));
            mails.settle(&mail, &Ok(())).await.unwrap();
        }
    }
    sent
}

/// The path of a mail's link.
pub(crate) fn linked(mail: &MailMessage) -> String {
    let path = mail.text.split_once("https://api.kuraka.example").unwrap().1;
    path.split_once('\n').unwrap().0.to_owned()
}

/// Requests a link, and returns its path.
async fn link(app: &TestApp, browser: &mut Browser<'_>) -> String {
    browser.submit("/clave", "/clave", &[("email", EMAIL)]).await.assert_contains("Revise su correo");
    let [mail] = &*mails(app).await else { panic!("one mail") };
    linked(mail)
}

#[actix_web::test]
async fn a_mailed_link_sets_the_password_once_and_ends_every_session() {
    let app = TestApp::with_mail().await;
    let mut elsewhere = app.signed_in(EMAIL).await;
    let mut browser = Browser::new(&app);
    let (older, link) = (link(&app, &mut browser).await, link(&app, &mut browser).await);
    assert_eq!(link.strip_prefix("/clave/").unwrap().len(), 32, "128 bits: {link}");
    let before = app.state();
    for _ in 0..2 {
        let page = browser.get(&link).await;
        assert_eq!(page.status, StatusCode::OK);
        assert_eq!(page.headers.get(header::REFERRER_POLICY).unwrap(), "no-referrer");
    }
    assert_eq!(app.state(), before, "a GET changes nothing");
    let weak = browser.submit(&link, &link, &[("password", "corta")]).await;
    assert_eq!(weak.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(elsewhere.get("/panel").await.status, StatusCode::OK);

    let token = browser.get(&link).await.form_token();
    let fields = [("form_token", &*token), ("password", NEW)];
    browser.post(&link, &fields).await.assert_contains("Su contraseña cambió");
    assert_eq!(elsewhere.get("/panel/tokens").await.location(), "/ingresar?volver=/panel/tokens");
    for void in [&link, &older] {
        assert_eq!(browser.get(void).await.status, StatusCode::NOT_FOUND);
        assert_eq!(browser.post(void, &fields).await.status, StatusCode::NOT_FOUND);
    }
    let log_in = async |password| {
        let mut browser = Browser::new(&app);
        browser.log_in(EMAIL, password).await.status
    };
    assert_eq!((log_in(PASSWORD).await, log_in(NEW).await), (StatusCode::UNPROCESSABLE_ENTITY, StatusCode::SEE_OTHER));
}

#[actix_web::test]
async fn a_link_ends_after_an_hour() {
    let app = TestApp::with_mail().await;
    app.signed_in(EMAIL).await;
    let mut browser = Browser::new(&app);
    let link = link(&app, &mut browser).await;
    app.clock.advance(std::time::Duration::from_secs(3_599));
    assert_eq!(browser.get(&link).await.status, StatusCode::OK);
    app.clock.advance(std::time::Duration::from_secs(1));
    browser.get(&link).await.assert_contains("Este enlace ya no vale");
    assert_eq!(browser.get("/clave/0123456789abcdef0123456789abcdef").await.status, StatusCode::NOT_FOUND);
}

/// The store does the same for both, too.
#[actix_web::test]
async fn known_and_unknown_addresses_get_the_same_answer_but_not_the_same_mail() {
    let app = TestApp::with_mail().await;
    app.signed_in(EMAIL).await;
    let mut pages = Vec::new();
    for email in [EMAIL, "nadie@kuraka.example"] {
        let mut browser = Browser::new(&app);
        let before = app.store.asked();
        let page = browser.submit("/clave", "/clave", &[("email", email)]).await;
        pages.push((page.status, page.body, app.store.asked() - before));
    }
    assert_eq!(pages[0], pages[1]);
    let sent = mails(&app).await;
    let to: Vec<_> = sent.iter().map(|mail| mail.to.as_str()).collect();
    assert_eq!(to, [EMAIL]);
}

#[actix_web::test]
async fn an_address_gets_three_mails_an_hour_and_a_network_ten() {
    let app = TestApp::with_mail().await;
    app.signed_in(EMAIL).await;
    let request = async |email: &str| {
        let page = Browser::new(&app).submit("/clave", "/clave", &[("email", email)]).await;
        page.assert_contains("Revise su correo");
    };
    for _ in 0..4 {
        request(EMAIL).await;
    }
    assert_eq!(mails(&app).await.len(), 3);
    for number in 0..7 {
        request(&format!("otra{number}@kuraka.example")).await;
    }
    app.signed_in("eva@kuraka.example").await;
    request("eva@kuraka.example").await;
    assert_eq!(mails(&app).await.len(), 0, "the network has had its ten");
    app.clock.advance(std::time::Duration::from_secs(3_600));
    request("eva@kuraka.example").await;
    assert_eq!(mails(&app).await.len(), 1);
}

#[actix_web::test]
async fn without_a_mail_server_there_are_no_links() {
    let app = TestApp::new().await;
    let mut browser = Browser::new(&app);
    for path in ["/clave", "/clave/0123456789abcdef0123456789abcdef"] {
        assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND);
    }
    let page = browser.get("/ingresar").await;
    page.assert_contains("Pida una nueva a quien administra");
    page.assert_lacks("href=\"/clave\"");
}
