//! Certificates of the sources: the page, a provider, and the voucher service with its token endpoint. A certificate that
//! does not prove the host is refused, the log says why, and nothing but the handshake is sent.
//!
//! The program trusts the authorities of the machine. `SSL_CERT_FILE` names the file with the test's own authority.

pub(crate) mod authority;
pub(crate) mod terminator;

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{CLIENT_SECRET, Upstream};

use self::authority::{Authority, Kind};
use self::terminator::Terminator;
use super::http::{Answer, post};
use super::program::{Home, Serving};
use super::reliability::figure;
use super::sources::{VOUCHER, sandbox, with_sources};

const PROVIDER: &str = "apisperu";

/// Which sources are behind the TLS terminator; the others are reached over plain HTTP.
#[derive(Clone, Copy, Debug)]
enum Behind {
    /// The page, the provider and the voucher service.
    Sources,
    /// The page and the token endpoint.
    PageAndTokens,
}

/// A server with a token, in its folder.
struct World {
    serving: Serving,
    token: String,
    _home: Home,
}

impl World {
    fn start(upstream: &Upstream, tls: &Terminator, authority: &Authority, behind: Behind) -> Self {
        let plain = format!("http://{}", upstream.address());
        let secure = |url: String| url.replace(&plain, &format!("https://{}", tls.address));
        let provider = upstream.provider_url(PROVIDER).unwrap();
        let (tokens, vouchers) = (upstream.token_url(), upstream.vouchers_url());
        let (provider, tokens, vouchers) = match behind {
            Behind::Sources => (secure(provider), tokens, secure(vouchers)),
            Behind::PageAndTokens => (provider, secure(tokens), vouchers),
        };
        let home = Home::new();
        let file = home.write("authority.pem", authority.pem());
        let home = with_sources(home, upstream, &[(PROVIDER, "token")], CLIENT_SECRET)
            .with("SSL_CERT_FILE", &file)
            .with("KURAKA__OFFICIAL__URL", &secure(upstream.official_url()))
            .with("KURAKA__PROVIDERS__APISPERU__URL", &provider)
            .with("KURAKA__VOUCHERS__TOKEN_URL", &tokens)
            .with("KURAKA__VOUCHERS__API_URL", &vouchers);
        home.import(sample::PADRON);
        let token = home.token("ana@example.pe");
        Self { serving: home.serve(), token, _home: home }
    }

    fn detail(&self) -> Answer {
        post(self.serving.api, "/ruc-official", &self.token, &format!("{{\"ruc\":\"{}\"}}", sample::COMPANY))
    }

    fn validate(&self) -> Answer {
        post(self.serving.api, "/cpe", &self.token, VOUCHER)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_certificate_that_does_not_prove_the_host_is_refused_and_named() {
    let (upstream, authority) = (sandbox().await, Authority::new());
    for kind in Kind::FAULTY {
        let tls = Terminator::start(authority.server(kind), upstream.address());
        let world = World::start(&upstream, &tls, &authority, Behind::Sources);
        for answer in [world.detail(), world.validate()] {
            assert_eq!(answer.status, 503, "{kind:?}: {answer:?}");
            assert!(answer.body.contains("upstream_unavailable"), "{kind:?}: {answer:?}");
            assert!(!answer.body.contains("certificat"), "the cause is for the operator: {answer:?}");
        }
        let log = world.serving.stop();
        for operation in ["\"ruc-official\"", "\"cpe\""] {
            let lines: Vec<_> =
                log.iter().filter(|line| line.contains("\"WARN\"") && line.contains(operation)).collect();
            let named = lines.iter().any(|line| line.replace("\\\"", "\"").contains(kind.reason()));
            assert!(named, "{kind:?} at {operation}: {log:#?}");
        }
        let world = World::start(&upstream, &tls, &authority, Behind::PageAndTokens);
        let answer = world.detail();
        assert_eq!((answer.status, answer.header("x-source")), (200, Some("provider")), "{kind:?}: {answer:?}");
        assert_eq!(world.validate().status, 503, "{kind:?}");
        world.serving.stop();
        assert_eq!(tls.relayed(), 0, "{kind:?}: no request follows the handshake");
    }
    let faults = Kind::FAULTY.len();
    figure(
        "U26",
        &format!("{faults} faulty certificates, at the page, a provider, the voucher service and its token endpoint"),
        "each refused and named in the log, 0 requests sent",
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_certificate_of_a_trusted_authority_is_accepted() {
    let (upstream, authority) = (sandbox().await, Authority::new());
    let tls = Terminator::start(authority.server(Kind::Valid), upstream.address());
    for (behind, requests) in [(Behind::Sources, 2), (Behind::PageAndTokens, 4)] {
        let world = World::start(&upstream, &tls, &authority, behind);
        for answer in [world.detail(), world.validate()] {
            assert_eq!((answer.status, answer.header("x-source")), (200, Some("official")), "{behind:?}: {answer:?}");
        }
        world.serving.stop();
        assert_eq!(tls.relayed(), requests, "{behind:?}: the requests went over TLS");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_webhook_whose_certificate_does_not_prove_the_host_gets_nothing() {
    let (upstream, authority) = (sandbox().await, Authority::new());
    for kind in Kind::FAULTY.into_iter().chain([Kind::Valid]) {
        let tls = Terminator::start(authority.server(kind), upstream.address());
        let home = Home::new();
        let file = home.write("authority.pem", authority.pem());
        let home = home.with("SSL_CERT_FILE", &file).with("KURAKA__WEBHOOKS__ALLOWED_NETWORKS", "127.0.0.1");
        home.run(&["account", "create", "--email", "ana@example.pe"]).succeeded();
        let url = format!("https://{}/avisos", tls.address);
        home.run(&["webhook", "create", "--email", "ana@example.pe", "--url", &url]).succeeded();
        let line = home.run(&["webhook", "test", "1"]).failed();
        let (expected, requests) = if kind == Kind::Valid { ("answered ", 1) } else { ("no answer ", 0) };
        assert!(line.starts_with(expected) && tls.relayed() == requests, "{kind:?}: {line}");
    }
}
