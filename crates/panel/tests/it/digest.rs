//! The mails of changes, from the form that asks for them to the link that ends them.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::{StatusCode, header};
use actix_web::test::TestRequest;
use kuraka_app::MailChanges;
use kuraka_domain::{Date, Ruc};
use kuraka_panel::change_text;
use kuraka_ports::fake::{ManualClock, MemoryStore, ScriptedRegistry};
use kuraka_ports::{
    Accounts, ChangedDatum, Clock, DatumChange, DigestRhythm, Digests, FeedChange, MailMessage, StoreErrorKind,
};

use crate::browser::Browser;
use crate::feed::ScriptedFeed;
use crate::new_password::mails;
use crate::taxpayers::{COMPANY, PERSON, profile};
use crate::test_app::{EMAIL, FakeDatasets, TestApp};

const BAD: &str = "20999990038";
const URL: &str = "https://api.kuraka.example";

fn publish(app: &TestApp, ruc: &str, datum: ChangedDatum, after: &str) {
    let what = DatumChange { datum, before: "antes".into(), after: after.to_owned().into() };
    let (ruc, date) = (Ruc::parse(ruc).unwrap(), Date::parse("2026-11-20").unwrap());
    app.publish_change(FeedChange { ruc, date, edition: "e".into(), what });
}

pub(crate) fn mail_changes(
    store: &Arc<MemoryStore>,
    feed: &Arc<ScriptedFeed>,
    registry: &Arc<ScriptedRegistry>,
    datasets: &Arc<FakeDatasets>,
    clock: &Arc<ManualClock>,
) -> Arc<MailChanges> {
    Arc::new(MailChanges {
        digests: store.clone(),
        lists: store.clone(),
        feed: feed.clone(),
        registry: registry.clone(),
        datasets: datasets.clone(),
        clock: clock.clone(),
        random: getrandom::fill,
        in_words: change_text,
    })
}

/// An account that watches two companies and a person, and gets its changes at this rhythm.
async fn watching<'a>(app: &'a TestApp, rhythm: &str) -> Browser<'a> {
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), profile(BAD, "ACTIVO", "NO HABIDO")], &[], &[]);
    let mut owner = app.signed_in(EMAIL).await;
    let text = format!("RUC;Código\n{COMPANY};P-9\n{BAD};\n{PERSON};A-1\n");
    owner.submit("/panel/seguimiento", "/panel/seguimiento", &[("text", &text)]).await;
    owner.submit("/panel/seguimiento", "/panel/seguimiento/correo", &[("cuando", rhythm)]).await;
    owner
}

/// What the job would send now.
async fn told(app: &TestApp) -> Vec<MailMessage> {
    while app.panel.mail_changes.as_ref().unwrap().tell().await.unwrap() {}
    mails(app).await
}

#[actix_web::test]
async fn the_gravest_changes_come_first_with_the_accounts_codes() {
    let app = TestApp::with_mail().await;
    watching(&app, "immediate").await;
    for number in 0..60 {
        publish(&app, COMPANY, ChangedDatum::Address, &format!("CALLE {number}"));
    }
    publish(&app, BAD, ChangedDatum::Condition, "HABIDO");
    publish(&app, COMPANY, ChangedDatum::Condition, "NO HABIDO");
    publish(&app, PERSON, ChangedDatum::Status, "BAJA");
    publish(&app, "20131312955", ChangedDatum::Status, "BAJA");
    let [mail] = &*told(&app).await else { panic!("one mail") };
    assert_eq!((mail.to.as_str(), &*mail.subject), (EMAIL, "62 cambios en su seguimiento"));
    let lines: Vec<&str> = mail.text.lines().filter(|line| line.starts_with("20")).collect();
    assert_eq!(
        lines[0],
        format!("{COMPANY} MOLINOS & HIJOS S.A.C. (P-9): Condición: antes → NO HABIDO"),
        "{}",
        mail.text
    );
    assert!(lines[1].starts_with(BAD) && lines[2].ends_with("antes → CALLE 0"), "{}", mail.text);
    assert!(lines.len() == 50 && mail.text.contains("Y 12 más."), "{}", mail.text);
    assert!(!mail.text.contains(PERSON) && !mail.text.contains("20131312955"), "{}", mail.text);
    assert!(mail.text.contains(&format!("{URL}/panel/seguimiento")) && mail.html.contains("CALLE 0"));
    assert_eq!(told(&app).await, [], "each change is told once");
    // As in *Seguimiento*.
    app.clock.advance(Duration::from_secs(24 * 3_600));
    publish(&app, PERSON, ChangedDatum::Status, "BAJA");
    let [mail] = &*told(&app).await else { panic!("one mail") };
    assert!(mail.text.contains(PERSON) && mail.subject == "1 cambio en su seguimiento", "{}", mail.text);
}

#[actix_web::test]
async fn a_mail_a_day_has_the_changes_since_the_last() {
    let app = TestApp::with_mail().await;
    let mut owner = watching(&app, "daily").await;
    publish(&app, COMPANY, ChangedDatum::Condition, "NO HABIDO");
    assert_eq!(told(&app).await, []);
    let mut days = Vec::new();
    for hour in 1..=72 {
        app.clock.advance(Duration::from_secs(3_600));
        if hour % 9 == 0 {
            publish(&app, BAD, ChangedDatum::Condition, "NO HABIDO");
        }
        days.extend(told(&app).await.into_iter().map(|mail| (hour, mail.subject)));
    }
    assert_eq!(days.len(), 3, "{days:?}");
    assert!(days.windows(2).all(|days| days[1].0 - days[0].0 == 24), "{days:?}");
    app.log_in(&mut owner, EMAIL).await;
    owner.submit("/panel/seguimiento", "/panel/seguimiento/correo", &[("cuando", "off")]).await;
    publish(&app, BAD, ChangedDatum::Condition, "NO HABIDO");
    app.clock.advance(Duration::from_secs(48 * 3_600));
    assert_eq!(told(&app).await, []);
}

#[actix_web::test]
async fn a_failed_store_neither_loses_nor_repeats_a_mail() {
    let app = TestApp::with_mail().await;
    watching(&app, "immediate").await;
    publish(&app, COMPANY, ChangedDatum::Condition, "NO HABIDO");
    let mails = app.panel.mail_changes.as_ref().unwrap();
    app.store.fail(StoreErrorKind::Unavailable);
    assert!(mails.tell().await.is_err());
    app.store.fail(None);
    // As of a server that is killed after it leased the account.
    let (newest, now) = (mails.feed.newest().await.unwrap().to_string(), app.clock.now());
    let until = now + Duration::from_secs(60);
    assert_eq!(app.store.lease_digests(&newest, now, until, 9).await.unwrap().len(), 1);
    assert_eq!(told(&app).await, []);
    app.clock.advance(Duration::from_secs(61));
    assert_eq!(told(&app).await.len(), 1);
    app.clock.advance(Duration::from_secs(61));
    assert_eq!(told(&app).await, []);
}

#[actix_web::test]
async fn one_click_ends_the_mails_without_a_session_a_token_or_an_origin() {
    let app = TestApp::with_mail().await;
    let mut browser = watching(&app, "immediate").await;
    publish(&app, COMPANY, ChangedDatum::Condition, "NO HABIDO");
    let [mail] = &*told(&app).await else { panic!("one mail") };
    let link = mail.unsubscribe.as_deref().unwrap();
    assert!(mail.text.contains(link), "{}", mail.text);
    let link = link.strip_prefix(URL).unwrap();
    assert_eq!(link.strip_prefix("/correo/").unwrap().len(), 32, "128 bits: {link}");
    let owner = Accounts::find(&*app.store, &mail.to).await.unwrap().unwrap().id;
    let mut stranger = Browser::new(&app);
    let page = stranger.get(link).await;
    assert_eq!(
        (page.status, page.headers.get(header::REFERRER_POLICY).unwrap()),
        (StatusCode::OK, &"no-referrer".parse().unwrap())
    );
    page.assert_contains("No recibir más");
    assert_eq!(app.store.digest_rhythm(owner).await.unwrap(), DigestRhythm::Immediate, "a GET changes nothing");
    let click = |link: &str| TestRequest::post().uri(link).set_form([("List-Unsubscribe", "One-Click")]);
    assert_eq!(app.answer(click("/correo/0123456789abcdef0123456789abcdef")).await.status, StatusCode::NOT_FOUND);
    app.store.fail(StoreErrorKind::Unavailable);
    assert_eq!(app.answer(click("/correo/no-es-un-codigo")).await.status, StatusCode::NOT_FOUND, "without the store");
    app.store.fail(None);
    for _ in 0..2 {
        let cross = click(link).insert_header(("Sec-Fetch-Site", "cross-site"));
        assert_eq!(app.answer(cross).await.status, StatusCode::OK, "safe to call twice");
    }
    publish(&app, COMPANY, ChangedDatum::Condition, "HABIDO");
    assert_eq!(told(&app).await, []);
    // A mail that is years old ends what was asked for again.
    browser.submit("/panel/seguimiento", "/panel/seguimiento/correo", &[("cuando", "daily")]).await;
    assert_eq!(app.answer(click(link)).await.status, StatusCode::OK);
    assert_eq!(app.store.digest_rhythm(owner).await.unwrap(), DigestRhythm::Off);
}
