//! Webhooks: a publication reaches a receiver, signed, whatever the receiver does.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kuraka_app::webhooks::signature;
use kuraka_domain::{EditionOrigin, Ruc};
use kuraka_ports::contract::samples::watch_limits;
use kuraka_ports::{
    AccountId, MAX_WEBHOOKS_PER_ACCOUNT, NewWebhook, TokenKind, WatchCode, WatchListId, WatchedRuc, Webhook,
    WebhookSecret, WebhookStatus,
};
use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::app::{App, Scene, eventually, now, publish, scene};
use crate::operator::operator;
use crate::replicas::servers;
use crate::ruc_historial::{ago, line, padron};

/// A delivery that a receiver got.
#[derive(Clone, Debug)]
struct Got {
    message: String,
    timestamp: i64,
    signature: String,
    body: String,
    at: Instant,
}

/// What a receiver does with a delivery.
#[derive(Clone, Copy)]
enum Does {
    Answer(&'static str),
    Cut,
    /// Answers when the test says so.
    Wait,
}

/// A receiver on loopback: does what the script says, one entry a delivery, then answers 200.
struct Receiver {
    url: String,
    got: Arc<Mutex<Vec<Got>>>,
    release: Arc<Notify>,
    _serving: JoinHandle<()>,
}

impl Receiver {
    async fn start(script: impl IntoIterator<Item = Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/avisos", listener.local_addr().unwrap());
        let got = Arc::new(Mutex::new(Vec::new()));
        let release = Arc::<Notify>::default();
        let released = Arc::clone(&release);
        let (notes, mut script) = (Arc::clone(&got), script.into_iter().collect::<Vec<_>>().into_iter());
        let serving = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut bytes = Vec::new();
                let delivery = loop {
                    if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                        break None;
                    }
                    if let Some(delivery) = read(&String::from_utf8(bytes.clone()).unwrap()) {
                        break Some(delivery);
                    }
                };
                let Some(delivery) = delivery else { continue };
                notes.lock().unwrap().push(delivery);
                let does = script.next().unwrap_or(Does::Answer("200 OK\r\n"));
                let release = Arc::clone(&released);
                tokio::spawn(async move {
                    let answer = match does {
                        Does::Answer(answer) => answer,
                        Does::Cut => return,
                        Does::Wait => {
                            release.notified().await;
                            "200 OK\r\n"
                        }
                    };
                    let answer = format!("HTTP/1.1 {answer}content-length: 2\r\nconnection: close\r\n\r\nya");
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Self { url, got, release, _serving: serving }
    }

    fn got(&self) -> Vec<Got> {
        self.got.lock().unwrap().clone()
    }

    /// Waits until it has this many deliveries.
    async fn has(&self, number: usize) -> Vec<Got> {
        eventually("the deliveries arrive", async || Some(self.got()).filter(|got| got.len() >= number)).await
    }
}

/// A whole request.
fn read(text: &str) -> Option<Got> {
    let (head, body) = text.split_once("\r\n\r\n")?;
    let header = |name: &str| {
        let value = head.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}: ")));
        value.and_then(|line| Some(line.split_once(": ")?.1.to_owned()))
    };
    let delivery = Got {
        message: header("webhook-id")?,
        timestamp: header("webhook-timestamp")?.parse().ok()?,
        signature: header("webhook-signature")?,
        body: body.to_owned(),
        at: Instant::now(),
    };
    (body.len() == header("content-length")?.parse::<usize>().ok()?).then_some(delivery)
}

/// The padrón of the sample, in which [`sample::DESCRIBED`] has this condition.
pub(crate) fn with_condition(condition: &str) -> Vec<u8> {
    let described = line(sample::DESCRIBED);
    let text = padron(&[(&described, &described.replace("|HABIDO|", &format!("|{condition}|")))]);
    encoding_rs::WINDOWS_1252.encode(&text).0.into_owned()
}

/// A server with a padrón of nine days ago that may send to this machine.
fn sending() -> Scene {
    scene().published(&with_condition("HABIDO"), Some(ago(9))).set("webhooks.allowed_networks", "127.0.0.0/8")
}

/// An account that watches [`sample::DESCRIBED`].
async fn watching(app: &App) -> AccountId {
    let account = app.owner().await.account;
    watch(app, account).await;
    account
}

/// Adds [`sample::DESCRIBED`] to the account's list.
pub(crate) async fn watch(app: &App, account: AccountId) {
    watch_in(app, WatchListId::live(account), sample::DESCRIBED, "P-0042").await;
}

async fn watch_in(app: &App, list: WatchListId, ruc: &str, code: &str) {
    let watched = WatchedRuc { ruc: Ruc::parse(ruc).unwrap(), code: WatchCode::parse(code).unwrap() };
    app.store.change(list, &[watched], &[], watch_limits(1)).await.unwrap().unwrap();
}

/// Publishes a padrón of so many days ago in which [`sample::DESCRIBED`] has this condition.
pub(crate) fn edition(app: &App, days: i32, condition: &str) {
    let folder = app.registry_dir();
    let file = ("file.txt", &*with_condition(condition));
    publish(folder.ancestors().nth(2).unwrap(), &PADRON, file, Some(ago(days)), EditionOrigin::Published);
}

/// The values after the changes, in the order of the deliveries; repetitions of a delivery once.
fn told(got: &[Got]) -> Vec<String> {
    let mut ids = Vec::new();
    let mut values = Vec::new();
    for delivery in got {
        if !ids.contains(&delivery.message) {
            ids.push(delivery.message.clone());
            let body: Value = serde_json::from_str(&delivery.body).unwrap();
            let changes = body["data"]["cambios"].as_array().unwrap().clone();
            values.extend(changes.iter().map(|change| change["despues"].as_str().unwrap().to_owned()));
        }
    }
    values
}

/// This many webhooks of other accounts, each of which watches a RUC that does not change.
async fn others(app: &App, webhooks: u32) {
    let cursor = operator(app).newest().await.unwrap();
    for _ in 0..webhooks / MAX_WEBHOOKS_PER_ACCOUNT {
        let account = app.owner().await.account;
        watch_in(app, WatchListId::live(account), "20131312955", "").await;
        for _ in 0..MAX_WEBHOOKS_PER_ACCOUNT {
            let (url, secret) = ("https://example.pe".to_owned(), WebhookSecret::new("whsec_b25l".to_owned()));
            let new = NewWebhook {
                account,
                kind: TokenKind::Live,
                url,
                secret,
                cursor: cursor.clone(),
                created: now(),
                by_operator: false,
            };
            app.store.add_webhook(&new).await.unwrap();
        }
    }
}

fn assert_signed(got: &Got, webhook: &Webhook) {
    let expected = signature([&webhook.secret].into_iter(), &got.message, got.timestamp, &got.body);
    assert_eq!(got.signature, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_publication_reaches_the_last_of_a_thousand_webhooks_within_five_seconds() {
    let (app, receiver) = (sending().start().await, Receiver::start([]).await);
    others(&app, 1_000).await;
    let webhook = operator(&app).create(watching(&app).await, &receiver.url, true, TokenKind::Live).await.unwrap();
    edition(&app, 8, "NO HABIDO");
    let published = Instant::now();
    let [got] = receiver.has(1).await.try_into().unwrap();
    let took = got.at - published;
    assert!(took <= Duration::from_secs(5), "{took:?}");
    assert_signed(&got, &webhook);
    let body: Value = serde_json::from_str(&got.body).unwrap();
    let edicion = body["data"]["edicion"].as_str().unwrap();
    assert!(edicion.starts_with(&ago(8).to_string()), "{body}");
    let change = json!({"ruc": sample::DESCRIBED, "codigo": "P-0042", "fecha": ago(8).to_string(), "edicion": edicion,
                        "dato": "condicion", "antes": "HABIDO", "despues": "NO HABIDO"});
    assert_eq!(body["data"], json!({"edicion": edicion, "cambios": [change]}));
    assert_eq!(body["type"], "contribuyente.cambios");
    eventually("it is counted", async || {
        let page = app.admin("/metrics").send().await.body;
        page.contains("kuraka_webhook_deliveries_total{result=\"delivered\"} 1").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_receivers_of_four_accounts_do_not_delay_another() {
    let (app, receiver) = (sending().start().await, Receiver::start([]).await);
    let slow = Receiver::start([Does::Wait; 20]).await;
    for _ in 0..4 {
        let account = watching(&app).await;
        for _ in 0..MAX_WEBHOOKS_PER_ACCOUNT {
            operator(&app).create(account, &slow.url, true, TokenKind::Live).await.unwrap();
        }
    }
    operator(&app).create(watching(&app).await, &receiver.url, true, TokenKind::Live).await.unwrap();
    edition(&app, 8, "NO HABIDO");
    let published = Instant::now();
    let [got] = receiver.has(1).await.try_into().unwrap();
    let took = got.at - published;
    assert!(took <= Duration::from_secs(5), "{took:?}");
    slow.has(12).await;
    assert_eq!(slow.got().len(), 12, "three of each account");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_change_arrives_in_order_whatever_the_receivers_do() {
    let (app, elsewhere) = (sending().start().await, Receiver::start([]).await);
    let redirect: &'static str = format!("302 Found\r\nlocation: {}\r\n", elsewhere.url).leak();
    let failing =
        [Does::Cut, Does::Answer("500 No\r\n"), Does::Answer("429 Slow\r\nretry-after: 1\r\n"), Does::Answer(redirect)];
    let account = watching(&app).await;
    let mut receivers = Vec::new();
    for (does, attempts) in failing.map(|does| (does, 3)).into_iter().chain([(Does::Wait, 2)]) {
        let receiver = Receiver::start([does]).await;
        let webhook = operator(&app).create(account, &receiver.url, true, TokenKind::Live).await.unwrap();
        receivers.push((receiver, webhook, attempts));
    }
    edition(&app, 8, "NO HABIDO");
    edition(&app, 7, "NO HALLADO");
    let (slow, ..) = &receivers[4];
    assert_eq!(slow.has(1).await.len(), 1, "the second waits for the first");
    slow.release.notify_one();
    for (receiver, webhook, attempts) in receivers {
        let got = receiver.has(attempts).await;
        assert_eq!(
            (told(&got), got.len()),
            (vec!["NO HABIDO".to_owned(), "NO HALLADO".to_owned()], attempts),
            "{got:?}"
        );
        got.iter().for_each(|got| assert_signed(got, &webhook));
    }
    assert!(elsewhere.got().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receiver_that_is_gone_disables_the_webhook_until_it_is_resumed() {
    let (app, receiver) = (sending().start().await, Receiver::start([Does::Answer("410 Gone\r\n")]).await);
    let webhook = operator(&app).create(watching(&app).await, &receiver.url, true, TokenKind::Live).await.unwrap();
    edition(&app, 8, "NO HABIDO");
    let find = async || app.store.webhook(None, webhook.id).await.unwrap().unwrap();
    eventually("it is disabled", async || (find().await.status == WebhookStatus::Gone).then_some(())).await;
    edition(&app, 7, "NO HALLADO");
    operator(&app).set_active(None, webhook.id, true).await.unwrap();
    let got = receiver.has(3).await;
    assert_eq!(got[0].message, got[1].message);
    assert_eq!(told(&got), ["NO HABIDO", "NO HALLADO"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_webhook_gets_what_a_live_one_would_get_and_only_by_the_button() {
    let (app, live, test) = (sending().start().await, Receiver::start([]).await, Receiver::start([]).await);
    let (account, notifier) = (watching(&app).await, operator(&app));
    watch_in(&app, WatchListId { account, kind: TokenKind::Test }, sample::DESCRIBED, "T-7").await;
    notifier.create(account, &live.url, true, TokenKind::Live).await.unwrap();
    let webhook = notifier.create(account, &test.url, true, TokenKind::Test).await.unwrap();
    edition(&app, 8, "NO HABIDO");
    let [real] = live.has(1).await.try_into().unwrap();
    assert!(test.got().is_empty());
    notifier.test(Some(account), webhook.id).await.unwrap().unwrap();
    let [sent] = test.has(1).await.try_into().unwrap();
    assert_signed(&sent, &webhook);
    let [real, sent] = [real, sent].map(|got| serde_json::from_str::<Value>(&got.body).unwrap());
    let mut expected = real;
    let of_change = ["codigo", "fecha", "edicion", "antes", "despues"].map(|name| format!("/data/cambios/0/{name}"));
    for pointer in ["/timestamp".to_owned(), "/data/edicion".to_owned()].iter().chain(&of_change) {
        let value = sent.pointer(pointer).unwrap();
        assert!(value.is_string(), "{sent}");
        *expected.pointer_mut(pointer).unwrap() = value.clone();
    }
    assert_eq!(sent, expected);
    assert_eq!(sent["data"]["cambios"][0]["codigo"], "T-7", "of the watch list of test tokens");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_servers_deliver_each_change_once() {
    let servers = servers(3, sending).await;
    let receiver = Receiver::start([]).await;
    operator(&servers[0]).create(watching(&servers[0]).await, &receiver.url, true, TokenKind::Live).await.unwrap();
    // Each server imports the same files into its own folder.
    for (days, condition) in [(8, "NO HABIDO"), (7, "NO HALLADO"), (6, "HABIDO")] {
        servers.iter().for_each(|server| edition(server, days, condition));
    }
    let got = receiver.has(3).await;
    assert_eq!(told(&got), ["NO HABIDO", "NO HALLADO", "HABIDO"]);
    assert_eq!(got.len(), 3, "{got:?}");
}
