//! What is sent to webhooks, and to which addresses nothing is sent.

#![expect(clippy::indexing_slicing, reason = "a missing address fails the test")]

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::webhooks::{GuardedSender, MachineNetwork, Networks, SystemResolver};
use kuraka_ports::{AttemptResult, NoAnswer, WebhookRequest, WebhookSender, WebhookUrlError};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::http::client;
use crate::script::{Answer, Server, answer};

/// A machine with an address. Answers each lookup of a name with the next of the others.
struct ScriptedMachine {
    own: Option<IpAddr>,
    answers: Vec<IpAddr>,
    asked: AtomicUsize,
}

impl ScriptedMachine {
    fn new(own: impl Into<Option<IpAddr>>, answers: &[IpAddr]) -> Arc<Self> {
        Arc::new(Self { own: own.into(), answers: answers.to_vec(), asked: AtomicUsize::new(0) })
    }
}

impl Resolve for ScriptedMachine {
    fn resolve(&self, _: Name) -> Resolving {
        let at = self.asked.fetch_add(1, Ordering::Relaxed);
        let address = SocketAddr::new(self.answers[at % self.answers.len()], 0);
        Box::pin(async move { Ok(Box::new(std::iter::once(address)) as Addrs) })
    }
}

impl MachineNetwork for ScriptedMachine {
    fn is_own(&self, address: IpAddr) -> bool {
        self.own == Some(address)
    }
}

fn sender_with(allowed: &[&str], machine: Arc<dyn MachineNetwork>) -> GuardedSender {
    // Installs the TLS provider.
    drop(client("Kuraka"));
    let allowed: Vec<_> = allowed.iter().map(|network| network.parse().unwrap()).collect();
    GuardedSender::new(Networks::with(&allowed), machine, Arc::new(SystemClock::start())).unwrap()
}

fn sender(allowed: &[&str]) -> GuardedSender {
    sender_with(allowed, Arc::new(SystemResolver))
}

fn request(url: &str) -> WebhookRequest {
    WebhookRequest {
        url: url.to_owned(),
        by_operator: true,
        message: "msg_1".to_owned(),
        timestamp: 1_795_000_000,
        signature: "v1,c2ln".to_owned(),
        body: "{\"type\":\"prueba\"}".to_owned(),
    }
}

/// Sends to a receiver on loopback that answers this.
async fn received(given: Answer) -> (AttemptResult, Option<Duration>, Vec<String>) {
    let receiver = Server::start([given]);
    let (result, wait) = sender(&["127.0.0.0/8"]).send(&request(&receiver.url)).await;
    (result, wait, receiver.asked())
}

const ADDRESS: AttemptResult = AttemptResult::NoAnswer(NoAnswer::Address);
const CONNECTION: AttemptResult = AttemptResult::NoAnswer(NoAnswer::Connection);

fn answered(status: u16, text: &str) -> AttemptResult {
    AttemptResult::Answered { status, text: text.to_owned() }
}

#[tokio::test]
async fn a_delivery_is_a_post_with_the_three_headers() {
    let (result, wait, asked) = received(answer("200 OK", &[], "gracias\r\n\0")).await;
    assert_eq!((result, wait), (answered(200, "gracias"), None));
    let [asked] = asked.try_into().unwrap();
    for part in [
        "post /padron.zip http/1.1\r\n",
        "content-type: application/json\r\n",
        "webhook-id: msg_1\r\n",
        "webhook-timestamp: 1795000000\r\n",
        "webhook-signature: v1,c2ln\r\n",
        "content-length: 17\r\n",
    ] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
}

#[tokio::test]
async fn at_most_1_kib_of_an_answer_is_read() {
    let (result, ..) = received(answer("500 No", &[], "x".repeat(100_000))).await;
    assert_eq!(result, answered(500, &"x".repeat(1_024)));
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_not_followed() {
    let elsewhere = Server::start([]);
    let location = format!("Location: {}", elsewhere.url);
    let (result, _, asked) = received(answer("302 Found", &[&location], "")).await;
    assert_eq!((result, asked.len()), (answered(302, ""), 1));
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn the_wait_that_a_receiver_asks_for_is_read() {
    let (result, wait, _) = received(answer("429 Slow", &["Retry-After: 120"], "")).await;
    assert_eq!((result, wait), (answered(429, ""), Some(Duration::from_secs(120))));
}

#[tokio::test]
async fn a_connection_that_is_cut_has_no_answer() {
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", server.local_addr().unwrap());
    let cutting = std::thread::spawn(move || drop(server.accept().unwrap()));
    assert_eq!(sender(&["127.0.0.0/8"]).send(&request(&url)).await, (CONNECTION, None));
    cutting.join().unwrap();
    assert_eq!(sender(&["127.0.0.0/8"]).send(&request(&url)).await, (CONNECTION, None), "it does not listen any more");
}

#[tokio::test]
async fn a_receiver_that_is_too_slow_has_no_answer() {
    let receiver = Server::start([answer("200 OK", &[], "")]);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", silent.local_addr().unwrap());
    let sender = sender(&["127.0.0.0/8"]);
    sender.send(&request(&receiver.url)).await;
    tokio::time::pause();
    assert_eq!(sender.send(&request(&url)).await, (AttemptResult::NoAnswer(NoAnswer::Timeout), None));
}

#[tokio::test]
async fn nothing_is_sent_to_a_private_address() {
    let receiver = Server::start([]);
    let port = receiver.url.split(':').nth(2).unwrap().split('/').next().unwrap();
    let sender = sender(&["10.9.0.0/16"]);
    for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.1", "0"] {
        for url in [format!("http://{host}:{port}/"), format!("https://{host}/"), format!("https://{host}:8443/")] {
            assert_eq!(sender.send(&request(&url)).await, (ADDRESS, None), "{url}");
        }
    }
    assert!(receiver.asked().is_empty());
}

#[tokio::test]
async fn a_name_that_changes_to_a_private_address_gains_nothing() {
    let receiver = Server::start([]);
    let url = receiver.url.replace("127.0.0.1", "rebinding.example.pe");
    let [public, private]: [IpAddr; 2] = ["192.0.2.1".parse().unwrap(), "127.0.0.1".parse().unwrap()];
    // 192.0.2.0/24 stands for the public network here; nothing answers in it.
    let sender = sender_with(&["192.0.2.0/24"], ScriptedMachine::new(None, &[private, public, private]));
    sender.check(&url, true).unwrap();
    assert_eq!(sender.send(&request(&url)).await, (ADDRESS, None));
    tokio::time::pause();
    assert_ne!(sender.send(&request(&url)).await.0, ADDRESS, "this address is allowed");
    assert_eq!(sender.send(&request(&url)).await, (ADDRESS, None));
    assert!(receiver.asked().is_empty());
}

#[tokio::test]
async fn nothing_is_sent_to_this_machine_although_its_address_is_public() {
    let own: IpAddr = "8.8.8.8".parse().unwrap();
    let sender = sender_with(&[], ScriptedMachine::new(own, &[own]));
    for url in ["https://8.8.8.8/", "https://8.8.8.8:8443/", "https://[::ffff:8.8.8.8]/"] {
        for by_operator in [true, false] {
            assert_eq!(sender.check(url, by_operator), Err(WebhookUrlError::NotPublic), "{url}");
        }
    }
    sender.check("https://8.8.4.4/", true).unwrap();
    assert_eq!(sender.send(&request("https://example.pe/")).await, (ADDRESS, None));
    let allowed = sender_with(&["8.8.8.0/24"], ScriptedMachine::new(own, &[own]));
    allowed.check("https://8.8.8.8/", true).unwrap();
    assert_eq!(allowed.check("https://8.8.8.8/", false), Err(WebhookUrlError::NotPublic));
}

#[test]
fn this_machine_knows_its_own_addresses() {
    let [loopback, elsewhere] = ["127.0.0.1", "192.0.2.7"].map(|text| text.parse::<IpAddr>().unwrap());
    assert!(SystemResolver.is_own(loopback) && !SystemResolver.is_own(elsewhere));
}

#[test]
fn only_public_addresses_are_permitted() {
    let networks = Networks::with(&[]);
    for public in ["8.8.8.8", "192.0.1.1", "100.128.0.1", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8"] {
        assert!(networks.permit(&SystemResolver, public.parse().unwrap(), true), "{public}");
        assert!(!networks.permit(&SystemResolver, public.parse().unwrap(), false), "{public}");
    }
    let known = "0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 \
         192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 255.255.255.255 :: ::1 \
         ::ffff:10.0.0.1 ::10.0.0.1 64:ff9b::a00:1 64:ff9b:1::1 2001::1 2001:db8::1 2002:a00:1:: fc00::1 fd12::1 \
         fe80::1 fec0::1 ff02::1 100::1 3fff::1";
    // IPv4-translated, SRv6, dummy prefix, not assigned.
    let rare = "::ffff:0:7f00:1 5f00::1 100:0:0:1::1 4000::1";
    for private in known.split(' ').chain(rare.split(' ')) {
        assert!(!networks.permit(&SystemResolver, private.parse().unwrap(), true), "{private}");
    }
    let networks = Networks::with(&["10.0.0.0/8".parse().unwrap(), "fd00::/8".parse().unwrap()]);
    for allowed in ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1"] {
        assert!(networks.permit(&SystemResolver, allowed.parse().unwrap(), false), "{allowed}");
    }
    assert!(!networks.permit(&SystemResolver, "192.168.1.1".parse().unwrap(), true));
}

#[tokio::test]
async fn an_address_is_checked_before_a_webhook_is_made() {
    use WebhookUrlError::{NotAUrl, NotPublic, Scheme, User};
    let (closed, open) = (sender(&[]), sender(&["10.0.0.0/8"]));
    let long = format!("https://example.pe/{}", "x".repeat(2_048 - 19));
    for url in ["https://example.pe/avisos", "https://example.pe:8443/", "https://8.8.8.8/", long.as_str()] {
        for found in [closed.check(url, true), open.check(url, true), open.check(url, false)] {
            assert_eq!(found.as_deref(), Ok(url));
        }
    }
    for (url, refused, in_company) in [
        ("", NotAUrl, Err(NotAUrl)),
        ("example.pe", NotAUrl, Err(NotAUrl)),
        ("https://", NotAUrl, Err(NotAUrl)),
        (&format!("{long}x"), NotAUrl, Err(NotAUrl)),
        ("ftp://example.pe/", Scheme, Err(Scheme)),
        ("file:///etc/passwd", Scheme, Err(Scheme)),
        ("https://ana@example.pe/", User, Err(User)),
        ("https://:clave@example.pe/", User, Err(User)),
        ("http://example.pe/", Scheme, Ok(())),
        ("https://example.pe:22/", Scheme, Ok(())),
        ("http://8.8.8.8/", Scheme, Err(Scheme)),
        ("https://127.0.0.1/", NotPublic, Err(NotPublic)),
        ("https://[::1]:8443/", NotPublic, Err(NotPublic)),
        ("https://2130706433/", NotPublic, Err(NotPublic)),
        ("https://10.0.0.7/", NotPublic, Ok(())),
        ("http://10.0.0.7:8069/", Scheme, Ok(())),
    ] {
        let check = |sender: &GuardedSender, by_operator| sender.check(url, by_operator).map(drop);
        assert_eq!((check(&closed, true), check(&open, true)), (Err(refused), in_company), "{url}");
        assert_eq!(check(&open, false), Err(refused), "{url}: of an owner");
    }
}

#[tokio::test]
async fn an_owner_cannot_use_the_networks_of_the_operator() {
    let receiver = Server::start([answer("200 OK", &[], "")]);
    let sender = sender(&["127.0.0.0/8"]);
    let of_owner = WebhookRequest { by_operator: false, ..request(&receiver.url) };
    assert_eq!(sender.send(&of_owner).await, (ADDRESS, None));
    for url in ["https://localhost/", "https://127.0.0.1:8443/"] {
        assert_eq!(sender.send(&WebhookRequest { by_operator: false, ..request(url) }).await, (ADDRESS, None), "{url}");
    }
    assert!(receiver.asked().is_empty());
    assert_eq!(sender.send(&request(&receiver.url)).await, (answered(200, ""), None));
}

#[tokio::test]
async fn an_address_is_kept_as_it_was_understood() {
    let hostile = "https://example.com/\u{1b}]0;PWNED\u{7}\u{1b}[31mX\n99  https://fake.example\0  active\u{202e}";
    let kept = sender(&[]).check(hostile, false).unwrap();
    assert!(kept.bytes().all(|byte| byte.is_ascii_graphic()), "{kept}");
    assert!(kept.starts_with("https://example.com/%1B]0;PWNED%07%1B[31mX99%20"), "{kept}");
    let long = format!("https://example.pe/{}", "ñ".repeat(500));
    assert_eq!(sender(&[]).check(&long, false), Err(WebhookUrlError::NotAUrl), "3,019 characters");
}
