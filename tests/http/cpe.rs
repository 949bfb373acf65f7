//! `POST /cpe` and `POST /api/cpe`: each status, the other fields and the source headers.

use std::time::Duration;

use kuraka_sandbox::upstream::{Delivery, FaultCase, FaultTarget, KnownVoucher, Replacement, Target, VOUCHERS};
use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::answer::Answer;
use crate::app::{App, Owner, scene};
use crate::reliability::figure;
use crate::sandbox::{asked_about_vouchers, claim, sandbox, unmarked};
use crate::shared::shared;

const PATHS: [&str; 2] = ["/cpe", "/api/cpe"];

fn known(about: &str) -> &'static KnownVoucher {
    VOUCHERS.iter().find(|known| known.about == about).unwrap_or_else(|| panic!("{about}"))
}

async fn ask(app: &App, owner: &Owner, known: &KnownVoucher) -> Answer {
    app.post("/cpe").token(&owner.token).json(claim(known).to_string()).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_status_is_a_record_with_its_texts() {
    let upstream = sandbox().await;
    let (app, owner) = scene().vouchers(&upstream).start_with_owner().await;
    let note = r#"["El comprobante de pago consultado ha sido emitido a otro contribuyente."]"#;
    let rows = [
        ("accepted", "1", "ACEPTADO", "ACTIVO", "HABIDO", "[]"),
        ("accepted, issued to another taxpayer", "1", "ACEPTADO", "ACTIVO", "HABIDO", note),
        ("annulled", "2", "ANULADO", "ACTIVO", "HABIDO", "[]"),
        ("authorised, physical", "3", "AUTORIZADO", "ACTIVO", "HABIDO", "[]"),
        ("not authorised, physical", "4", "NO AUTORIZADO", "", "", "[]"),
        ("not reported", "0", "NO EXISTE", "", "", "[]"),
        ("accepted, its issuer deregistered and not found", "1", "ACEPTADO", "BAJA DEFINITIVA", "NO HABIDO", "[]"),
        (
            "annulled, its issuer suspended and to be verified",
            "2",
            "ANULADO",
            "SUSPENSION TEMPORAL",
            "POR VERIFICAR",
            "[]",
        ),
        ("accepted, a fee receipt", "1", "ACEPTADO", "ACTIVO", "HABIDO", "[]"),
        ("accepted, with codes in another form", "1", "ACEPTADO", "ACTIVO", "", "[]"),
        ("unknown codes", "9", "", "", "", "[]"),
    ];
    for (about, code, status, issuer, condition, observations) in rows {
        let voucher = known(about);
        for path in PATHS {
            let answer = app.post(path).token(&owner.token).json(claim(voucher).to_string()).send().await;
            answer.found();
            let data = format!(
                r#""data":{{"ruc_emisor":"20999990062","serie_documento":"{}","numero_documento":"{}","comprobante_estado_codigo":"{code}","comprobante_estado_descripcion":"{status}","empresa_estado_descripcion":"{issuer}","empresa_condicion_descripcion":"{condition}","observaciones":{observations}"#,
                voucher.series, voucher.number
            );
            // The legacy base has more fields after these.
            let end = if path == "/cpe" { "},\"time\":" } else { ",\"codigo_tipo_documento\":" };
            assert!(answer.body.contains(&(data.clone() + end)), "{about}: {}\n{data}", answer.body);
            assert_eq!((answer.must("x-source"), answer.must("x-source-status")), ("official", "sandbox"));
            assert_eq!(answer.header("x-registry-edition"), None);
        }
    }
    assert_eq!(
        asked_about_vouchers(&upstream),
        [1, 2 * rows.len() as u64],
        "each call makes a request, all with one token"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_answer_repeats_the_input_and_accepts_a_total_as_text() {
    let (app, owner) = shared().await;
    for total in [json!(118), json!("118"), json!("118.00"), json!("118.0")] {
        let mut body = claim(known("accepted"));
        body["numero_documento"] = "00000001".into();
        body["total"] = total;
        body["something_else"] = json!([1, 2]);
        let record = app.post("/cpe").token(&owner.token).json(body.to_string()).send().await.found();
        assert_eq!(record["numero_documento"], "00000001");
        assert_eq!(record["comprobante_estado_codigo"], "1");
    }
    let mut off = claim(known("accepted"));
    off["total"] = "118.01".into();
    let record = app.post("/cpe").token(&owner.token).json(off.to_string()).send().await.found();
    assert_eq!(record["comprobante_estado_descripcion"], "NO EXISTE", "SUNAT compares the total too");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn input_that_the_service_rejects_is_invalid_input() {
    let (app, owner) = shared().await;
    let answer = ask(app, &owner, known("rejected for its date")).await;
    let message = answer.refused("invalid_input");
    assert!(message.contains("no es válido") && message.contains("Fecha incorrecta"), "{message}");
    assert_eq!(answer.header("x-source"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_answer_of_the_real_service_says_live() {
    let upstream = sandbox().await;
    let (real, relaying) = unmarked(&upstream).await;
    let (app, owner) = scene().vouchers_at(&upstream, &real).start_with_owner().await;
    let answer = ask(&app, &owner, known("accepted")).await;
    answer.found();
    assert_eq!(answer.must("x-source-status"), "live");
    relaying.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn rejected_credentials_of_ours_are_an_unavailable_upstream() {
    let upstream = sandbox().await;
    let (app, owner) = scene().vouchers_with(&upstream, "wrong").start_with_owner().await;
    for _ in 0..5 {
        let answer = ask(&app, &owner, known("accepted")).await;
        answer.refused("upstream_unavailable");
        assert!(!answer.body.to_lowercase().contains("credencial"), "{}", answer.body);
    }
    assert_eq!(asked_about_vouchers(&upstream), [1, 0], "the server does not retry with them");
    let metrics = app.admin("/metrics").send().await.body;
    assert!(
        metrics.contains(r#"kuraka_source_calls_total{source="sunat_vouchers",outcome="credentials"} 3"#),
        "{metrics}"
    );
    assert!(metrics.contains(r#"kuraka_breaker_state{source="sunat_vouchers",state="open"} 1"#), "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_credentials_the_upstream_is_unavailable() {
    let (app, owner) = scene().start_with_owner().await;
    let answer = ask(&app, &owner, known("accepted")).await;
    answer.refused("upstream_unavailable");
    assert!(answer.number("retry-after") >= 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_services_retry_after_is_passed_on() {
    let upstream = sandbox().await;
    for (asked, told) in [(Some("40"), 40), (Some("86400"), 300), (None, 15)] {
        let (app, owner) = scene().vouchers(&upstream).start_with_owner().await;
        upstream.fault(&Target::Vouchers, Replacement::Throttled(asked), 1);
        let answer = ask(&app, &owner, known("accepted")).await;
        answer.refused("upstream_unavailable");
        assert_eq!(answer.number("retry-after"), told);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_equal_calls_share_one_request_and_are_each_charged() {
    let upstream = sandbox().await;
    let mut app = scene().vouchers(&upstream).start().await;
    let owner = app.owner().await;
    upstream.fault(&Target::Vouchers, Delivery::Late(Duration::from_secs(2)), 1);
    let mut callers = JoinSet::new();
    let body = claim(known("accepted")).to_string();
    for _ in 0..1_000 {
        callers.spawn(app.post("/cpe").token(&owner.token).json(&body).send());
    }
    let answers = callers.join_all().await;
    assert!(answers.iter().all(|answer| answer.found()["comprobante_estado_codigo"] == "1"));
    assert_eq!(asked_about_vouchers(&upstream), [1, 1]);
    app.stop().await;
    let used = app.used(&owner).await;
    assert_eq!(used, 1_000);
    figure("L12", "1,000 calls at once for one voucher", &format!("1 token, 1 question, {used} charges"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_calls_with_a_rejected_token_share_one_refresh() {
    let upstream = sandbox().await;
    let (app, owner) = scene().vouchers(&upstream).start_with_owner().await;
    ask(&app, &owner, known("accepted")).await.found();
    upstream.revoke_tokens();
    let mut callers = JoinSet::new();
    for number in 0..100 {
        // Each call has another voucher, so that no two share a request. The source has 32 permits.
        let mut body = claim(known("accepted"));
        body["numero_documento"] = (100 + number % 32).to_string().into();
        callers.spawn(app.post("/cpe").token(&owner.token).json(body.to_string()).send());
    }
    for answer in callers.join_all().await {
        assert_eq!(answer.found()["comprobante_estado_codigo"], "0");
    }
    let [tokens, _] = asked_about_vouchers(&upstream);
    assert_eq!(tokens, 2);
    figure("U29", "100 calls at once whose token was taken back", &format!("{} refresh, 0 failures", tokens - 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_voucher_of_a_faulty_issuer_gets_that_fault() {
    let upstream = sandbox().await;
    let (app, owner) = scene().vouchers(&upstream).start_with_owner().await;
    let mut body = claim(known("accepted"));
    let issuer = |name: &str| FaultCase::named(name).unwrap().ruc(FaultTarget::Official).unwrap().to_string();
    for (name, code) in
        [("sliced", "found"), ("status-503", "upstream_unavailable"), ("masked", "upstream_unavailable")]
    {
        body["ruc_emisor"] = issuer(name).into();
        let answer = app.post("/cpe").token(&owner.token).json(body.to_string()).send().await;
        assert_eq!(answer.code(), code, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn timeouts_and_cache_times_apply() {
    let upstream = sandbox().await;
    upstream.fault(&Target::Vouchers, Delivery::Hang, 1);
    upstream.fault(&Target::Official, Delivery::Hang, 1);
    let scene = scene().official(&upstream).vouchers(&upstream).changed(|settings| {
        settings.times.page = Duration::from_millis(300);
        settings.times.voucher = settings.times.page;
        settings.times.found_for = Duration::ZERO;
    });
    let (app, owner) = scene.start_with_owner().await;
    let begun = Instant::now();
    ask(&app, &owner, known("accepted")).await.refused("upstream_unavailable");
    let ruc = || app.post("/ruc-official").token(&owner.token).ruc(kuraka_sandbox::sample::COMPANY);
    ruc().send().await.refused("upstream_unavailable");
    let took = begun.elapsed();
    assert!((Duration::from_millis(600)..Duration::from_secs(4)).contains(&took), "{took:?}");
    for _ in 0..2 {
        let answer = ruc().send().await;
        answer.found();
        assert_eq!(answer.must("x-source-status"), "sandbox");
    }
    let asked = upstream.requests_in_all(&Target::Official);
    assert_eq!(asked, 3, "no answer is cached");
}
