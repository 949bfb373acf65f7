//! The secrets of the operator, in every place where an error could quote them: the logs at `trace`, the metrics, the
//! answers and the errors of commands contain none.

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{
    Alteration, CLIENT_ID, CLIENT_SECRET, Delivery, Fault, Framing, Page, REQUESTER_RUC, RedirectTo, Replacement,
    Target,
};

use super::http::{Client, get, request};
use super::postgres::database;
use super::program::{Home, Serving};
use super::reliability::{figure, number};
use super::sources::{VOUCHER, sandbox, with_sources};

const PASSWORD: &str = "canary-of-the-store";
const SECRET: &str = "canary-of-the-voucher-service";
/// What the sandbox issues as a token of the voucher service.
const ISSUED: &str = r#"{"access_token":"canary-that-was-issued","token_type":"JWT","expires_in":3600}"#;
/// Every secret of the test begins with this word.
const CANARY: &str = "canary";
/// The name of the natural person whose RUC the failing calls contain.
const NAME: &str = "VILCA";

/// Each server meets three faults, of which the last one may open a breaker, and logs failures of this class. By default
/// two servers are started; `RELIABILITY_CANARIES=5` starts all.
const FAULTS: [(&str, [Fault; 3]); 5] = [
    ("credentials", [HANG, Fault::Altered(Alteration::WrongValues), Fault::Replaced(Replacement::Status(401))]),
    ("refused", [RESET, Fault::Altered(Alteration::OtherRuc), Fault::Replaced(Replacement::Page(Page::Firewall))]),
    (
        "unreadable",
        [CUT, Fault::Replaced(Replacement::OtherFormat), Fault::Replaced(Replacement::Redirect(RedirectTo::OtherHost))],
    ),
    ("unavailable", [NOT_HTTP, Fault::Altered(Alteration::LabelsRenamed), Fault::Replaced(Replacement::Status(500))]),
    ("throttled", [RESET_LATER, Fault::Altered(Alteration::Twice), Fault::Replaced(THROTTLED)]),
];
const HANG: Fault = Fault::Delivered(Delivery::Hang);
const RESET: Fault = Fault::Delivered(Delivery::ResetBeforeHead);
const RESET_LATER: Fault = Fault::Delivered(Delivery::ResetMidBody);
const NOT_HTTP: Fault = Fault::Delivered(Delivery::NotHttp);
const CUT: Fault = Fault::Delivered(Delivery::Cut { at: 40, framing: Framing::Length });
const THROTTLED: Replacement = Replacement::Throttled(Some("1"));

/// The address with a password, which the database of the tests does not ask for.
fn with_password(address: &str) -> String {
    let (before, host) = address.split_once('@').unwrap();
    let (scheme, user) = before.split_once("://").unwrap();
    let user = user.split(':').next().unwrap();
    format!("{scheme}://{user}:{PASSWORD}@{host}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_failing_source_or_store_reveals_a_secret() {
    let tokens: Vec<(&str, String)> =
        PRESETS.iter().map(|preset| (preset.name, format!("{CANARY}-of-{}", preset.name))).collect();
    let providers: Vec<(&str, &str)> = tokens.iter().map(|(name, token)| (*name, token.as_str())).collect();
    let upstream = sandbox().await;
    let home = Home::new().plan(1_000, 1_000).store(&with_password(&database().await));
    let home = with_sources(home, &upstream, &providers, SECRET)
        .with("KURAKA__VOUCHERS__MORE__SPARE__RUC", REQUESTER_RUC)
        .with("KURAKA__VOUCHERS__MORE__SPARE__CLIENT_ID", CLIENT_ID)
        .with("KURAKA__VOUCHERS__MORE__SPARE__CLIENT_SECRET", CLIENT_SECRET)
        .with("KURAKA__LOG__LEVEL", "trace")
        .test_times(crate::test_times::SHORT);
    home.import(sample::PADRON);
    let token = home.token("ana@example.pe");
    let (mut seen, mut answers) = (Vec::new(), Vec::new());
    let targets = [Target::Official, Target::Vouchers].into_iter();
    let targets: Vec<Target> = targets.chain(tokens.iter().map(|(name, _)| Target::provider(name))).collect();
    for (class, faults) in FAULTS.into_iter().take(number("CANARIES", 2) as usize) {
        let serving = home.serve();
        let detail = request("/ruc-official", &token, "", &format!("{{\"ruc\":\"{}\"}}", sample::PERSON));
        let voucher = request("/cpe", &token, "", VOUCHER);
        let mut clients = [detail, voucher].map(|request| Client::with_request(serving.api, request));
        let mut call = |expected: &[u16]| {
            for client in &mut clients {
                let answer = client.answer().unwrap();
                assert!(expected.contains(&answer.status), "{answer:?}");
                answers.extend([answer.head, answer.body]);
            }
        };
        call(&[200]);
        for fault in faults {
            let before: Vec<u64> = targets.iter().map(|target| upstream.requests_in_all(target)).collect();
            targets.iter().for_each(|target| upstream.fault(target, fault, usize::MAX));
            call(&[200, 400, 404, 503]);
            for (target, before) in targets.iter().zip(before) {
                assert!(upstream.requests_in_all(target) > before, "{target:?} was not asked about {fault:?}");
            }
            upstream.heal();
        }
        // The token endpoint fails in the same ways, or issues a token that the service refuses.
        for fault in faults.into_iter().chain([Fault::Replaced(Replacement::Body(200, ISSUED))]) {
            upstream.revoke_tokens();
            upstream.fault(&Target::Token, fault, usize::MAX);
            call(&[200, 503]);
            upstream.heal();
        }
        seen.push(get(serving.admin, "/metrics").body);
        seen.push(get(serving.admin, "/readyz").body);
        let log = serving.stop();
        let part = format!("\"class\":\"{class}\"");
        assert!(log.iter().any(|line| line.contains(&part)), "no source was {class}");
        seen.extend(log);
    }
    assert!(seen.iter().any(|line| line.contains("\"TRACE\"")), "the log has the finest level");

    // A store that does not answer, and one whose address is wrong.
    for address in [format!("postgres://kuraka:{PASSWORD}@127.0.0.1:1/kuraka"), format!("postgres:/{PASSWORD}@")] {
        // The server waits for a store that does not answer.
        if address.contains("127.0.0.1") {
            let mut command = home.command(&["serve"]);
            let mut waiting = Serving::spawn(command.env("KURAKA__STORE__URL", &address));
            waiting.log("the server waits for its store");
            seen.extend(waiting.logs().to_owned());
        } else {
            seen.push(home.run_with(&["serve"], &[("KURAKA__STORE__URL", &address)], "").stderr);
        }
        for command in [&["store", "check"][..], &["account", "list"], &["config", "show"]] {
            let finished = home.run_with(command, &[("KURAKA__STORE__URL", &address)], "");
            assert!(finished.code == Some(1) || command == ["config", "show"], "{finished:?}");
            seen.extend([finished.stdout, finished.stderr]);
        }
    }
    // An answer may name the person; nothing else may.
    for (texts, secret) in [(&answers, CANARY), (&seen, CANARY), (&seen, NAME), (&seen, sample::PERSON)] {
        let text = texts.iter().find(|text| text.contains(secret));
        assert_eq!(text, None, "{secret} was revealed");
    }
    let count = seen.len() + answers.len();
    figure("S6", "faults of every source, the token endpoint and the store", &format!("0 secrets in {count} texts"));
}
