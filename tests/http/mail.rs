//! Mails that the server sends.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::SqliteStore;
use kuraka_app::{RequestedMails, SignIn};
use kuraka_domain::Date;
use kuraka_ports::{Accounts, DigestRhythm, Email, MailKind, NewMail, PasswordError, PasswordHasher, PlanName, Tokens};
use kuraka_sandbox::sample;
use tokio::time::Instant;

use crate::app::{Scene, eventually, now, scene};
use crate::mailbox::Mailbox;
use crate::panel::{Browser, EMAIL, PASSWORD};
use crate::reliability::figure;
use crate::ruc_historial::ago;
use crate::webhooks::{edition, watch, with_condition};
use crate::welch::{shuffled, t};

/// Sends mails to this server.
fn with_mail(scene: Scene, mailbox: &Mailbox) -> Scene {
    scene
        .set("mail.server", &format!("smtp://{}", mailbox.address))
        .set("mail.from", "kuraka@example.pe")
        .set("http.public_url", "https://api.example.pe")
}

#[tokio::test]
async fn the_operator_is_told_once_of_a_dataset_that_is_too_old() {
    let mailbox = Mailbox::start();
    let day = Date::parse("2020-01-02").unwrap();
    let scene = with_mail(scene().published(sample::PADRON, Some(day)), &mailbox);
    let app = scene.set("mail.operator", "operadora@example.pe").start().await;
    eventually("a mail arrives", async || (!mailbox.mails().is_empty()).then_some(())).await;
    let to = Email::parse("operadora@example.pe").unwrap();
    let mail = NewMail { kind: MailKind::Test, account: None, to, about: String::new(), key: None };
    app.store.add_mail(&mail, now()).await.unwrap();
    eventually("the next mail arrives", async || (mailbox.mails().len() > 1).then_some(())).await;
    let [mail, test] = &*mailbox.mails() else { panic!("{:?}", mailbox.mails()) };
    assert_eq!(mail.to, "operadora@example.pe");
    assert!(mail.header("Subject").unwrap().contains("padron"), "{}", mail.source);
    assert!(mail.part("text/plain").contains("2020-01-02"), "{}", mail.source);
    assert_ne!(mail.header("Message-ID"), test.header("Message-ID"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_publication_is_mailed_with_a_link_that_ends_such_mails() {
    let mailbox = Mailbox::start();
    let scene = with_mail(scene().published(&with_condition("HABIDO"), Some(ago(9))), &mailbox);
    let app = scene.set("panel.confirm_address", "off").start().await;
    let mut browser = Browser::new(&app);
    browser.submit("/registro", "/registro", &[("email", EMAIL), ("password", PASSWORD)]).await;
    browser.submit("/panel/seguimiento", "/panel/seguimiento/correo", &[("cuando", "immediate")]).await;
    let account = Accounts::find(&*app.store, &Email::parse(EMAIL).unwrap()).await.unwrap().unwrap().id;
    watch(&app, account).await;
    edition(&app, 8, "NO HABIDO");
    let published = Instant::now();
    eventually("a mail arrives", async || (!mailbox.mails().is_empty()).then_some(())).await;
    assert!(published.elapsed() < Duration::from_secs(8), "{:?}", published.elapsed());
    let [mail] = &*mailbox.mails() else { panic!("{:?}", mailbox.mails()) };
    assert_eq!((&*mail.to, mail.header("Subject")), (EMAIL, Some("1 cambio en su seguimiento")));
    let line = "(P-0042): Condición: HABIDO → NO HABIDO";
    let text = mail.part("text/plain");
    assert!(text.contains(sample::DESCRIBED) && text.contains(line), "{text}");
    assert_eq!(mail.header("List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    let link = mail.header("List-Unsubscribe").unwrap();
    let link = link.strip_prefix("<https://api.example.pe").unwrap().strip_suffix('>').unwrap();
    // As a mail program does.
    let click = app.post(link).header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(click.body("List-Unsubscribe=One-Click").send().await.status, 200);
    assert_eq!(app.store.digest_rhythm(account).await.unwrap(), DigestRhythm::Off);
}

/// A new password, and another address for an account. Real store, and the sender of the server; the password is checked
/// in no time, because a hash takes so long that it hides the rest.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_request_for_a_mail_tells_nothing_about_the_account() {
    let samples = 80;
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (store, clock) = (Arc::new(store), Arc::new(SystemClock::start()));
    let key = store.token_key().await.unwrap();
    let sign_in = SignIn::new(store.clone(), store.clone(), Arc::new(Plain), clock.clone(), key, getrandom::fill);
    let owner = sign_in.sign_up(EMAIL, PASSWORD, &PlanName::parse("free").unwrap(), None, None).await.unwrap();
    let session = owner.session.reveal();
    let account = sign_in.find(session).await.unwrap().unwrap();
    let address = |case: usize, number: usize| format!("{}{number:06}@kuraka.example", ["known", "other"][case]);
    for number in 0..samples {
        let email = Email::parse(&address(0, number)).unwrap();
        Accounts::create(&*store, &email, &PlanName::parse("free").unwrap(), None, now()).await.unwrap();
    }
    for what in ["a new password", "another address"] {
        let mails = RequestedMails::new(store.clone(), store.clone(), clock.clone());
        let mut times: [Vec<Duration>; 2] = Default::default();
        for (at, case) in shuffled(2, samples).into_iter().enumerate() {
            let email = address(case, times[case].len());
            let from = Some(IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8 << 96) | ((at as u128) << 64))));
            let began = Instant::now();
            if what == "a new password" {
                mails.request_password(&email, from).await.unwrap();
            } else {
                mails.request_address(&sign_in, (&account, session), &email, PASSWORD, from).await.unwrap();
            }
            times[case].push(began.elapsed());
        }
        let t = t(&times[0], &times[1]);
        let tried = format!("{samples} requests each for {what} with known and unknown addresses");
        figure("S32", &tried, &format!("Welch's t {t:.2}"));
        assert!(t.abs() < 4.5, "{what}: t = {t}");
    }
}

/// A hasher without a hash.
struct Plain;

#[async_trait]
impl PasswordHasher for Plain {
    async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        Ok(password.to_owned())
    }

    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError> {
        Ok(password == hash)
    }

    fn capacity(&self) -> usize {
        64
    }

    fn is_current(&self, _hash: &str) -> bool {
        true
    }

    fn placeholder(&self) -> &'static str {
        "no account has this password"
    }
}
