//! Mails that the server sends.

use kuraka_domain::Date;
use kuraka_ports::{Email, MailKind, NewMail};
use kuraka_sandbox::sample;

use crate::app::{App, Scene, eventually, now, scene};
use crate::mailbox::Mailbox;

/// Sends mails to this server.
fn with_mail(scene: Scene, mailbox: &Mailbox) -> Scene {
    scene
        .set("mail.server", &format!("smtp://{}", mailbox.address))
        .set("mail.from", "kuraka@example.pe")
        .set("http.public_url", "https://api.example.pe")
}

async fn add(app: &App, about: &str, created: jiff::Timestamp) {
    let to = Email::parse("operadora@example.pe").unwrap();
    let mail = NewMail { kind: MailKind::Test, account: None, to, about: about.to_owned(), key: None };
    app.store.add_mail(&mail, created).await.unwrap();
}

async fn counted(app: &App, result: &str) -> bool {
    let metrics = app.admin("/metrics").send().await;
    metrics.body.contains(&format!("kuraka_mails_total{{result=\"{result}\"}} 1"))
}

#[tokio::test]
async fn the_operator_is_told_once_of_a_dataset_that_is_too_old() {
    let mailbox = Mailbox::start();
    let day = Date::parse("2020-01-02").unwrap();
    let scene = with_mail(scene().published(sample::PADRON, Some(day)), &mailbox);
    let app = scene.set("mail.operator", "operadora@example.pe").start().await;
    eventually("a mail arrives", async || (!mailbox.mails().is_empty()).then_some(())).await;
    add(&app, "", now()).await;
    eventually("the next mail arrives", async || (mailbox.mails().len() > 1).then_some(())).await;
    let [mail, test] = &*mailbox.mails() else { panic!("{:?}", mailbox.mails()) };
    assert_eq!(mail.to, "operadora@example.pe");
    assert!(mail.header("Subject").unwrap().contains("padron"), "{}", mail.source);
    assert!(mail.part("text/plain").contains("2020-01-02"), "{}", mail.source);
    assert_ne!(mail.header("Message-ID"), test.header("Message-ID"));
}

#[tokio::test]
async fn a_greylisted_mail_is_attempted_again_and_a_refused_one_is_not() {
    let mailbox = Mailbox::start();
    let app = with_mail(scene(), &mailbox).start().await;
    mailbox.answer("451 greylisted");
    add(&app, "", now()).await;
    eventually("it is attempted", async || counted(&app, "retried").await.then_some(())).await;
    assert_eq!(mailbox.mails().len(), 0);
    app.sql("UPDATE mail SET due = 0").await;
    eventually("it is sent", async || (mailbox.mails().len() == 1).then_some(())).await;
    mailbox.answer("550 no such mailbox");
    add(&app, "", now()).await;
    eventually("it is given up", async || counted(&app, "given_up").await.then_some(())).await;
    app.sql("UPDATE mail SET due = 0").await;
    add(&app, "", now()).await;
    eventually("the next is sent", async || (mailbox.mails().len() > 1).then_some(())).await;
    assert_eq!(mailbox.mails().len(), 2);
}
