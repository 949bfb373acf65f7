//! More calls than the sources can serve: the others are refused fast and uncharged, and the sources stay busy with
//! calls that are answered. `RELIABILITY_OVERLOAD=60` sets the seconds of the flood; `make overload` draws the curve of
//! all operations with the release program.

use std::time::Duration;

use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::upstream::{Delivery, Target, VOUCHERS};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::app::{eventually, scene};
use crate::load::{Ended, open_loop, p99};
use crate::reliability::{figure, number};
use crate::sandbox::{claim, sandbox};

/// The wait for a place.
const WAIT: Duration = Duration::from_millis(25);
/// How much longer an answer may take while the whole suite runs on the same processors.
const BUSY: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_without_a_place_is_refused_fast_and_uncharged() {
    const PLACES: u32 = 4;
    const REFUSED: u32 = 20;
    let upstream = sandbox().await;
    let mut app = scene().vouchers(&upstream).calls("cpe", PLACES).plan(1_000, 1_000, 1_000).start().await;
    let owner = app.owner().await;
    upstream.fault(&Target::Vouchers, Delivery::Late(Duration::from_secs(2)), usize::MAX);
    let voucher = |number: u32| {
        let mut body = claim(&VOUCHERS[0]);
        body["numero_documento"] = (1_000 + number).to_string().into();
        app.post("/cpe").json(body.to_string())
    };
    let mut served = JoinSet::new();
    for number in 0..PLACES {
        served.spawn(voucher(number).token(&owner.token).send());
    }
    let metric = async |line: String| app.admin("/metrics").send().await.body.contains(&line).then_some(());
    let all_taken = format!("kuraka_calls_in_progress{{operation=\"cpe\"}} {PLACES}\n");
    eventually("all places are taken", || metric(all_taken.clone())).await;

    // A token with a right checksum gets no place, whether it is known or not: the store is not asked.
    let unknown = app.unknown_token().await;
    for number in 0..REFUSED {
        let token = if number % 2 == 0 { owner.token.as_str() } else { unknown.reveal() };
        let began = Instant::now();
        let answer = voucher(100 + number).token(token).send().await;
        let took = began.elapsed();
        answer.refused("service_unavailable");
        assert_eq!((answer.number("retry-after"), answer.header("ratelimit")), (1, None));
        assert!((WAIT..WAIT + BUSY).contains(&took), "{took:?}");
    }
    voucher(0).token("kur_x").send().await.refused("unauthenticated");
    // Places belong to one operation.
    app.request("GET", "/usage").token(&owner.token).send().await.found();
    let refused = format!("kuraka_calls_refused_total{{operation=\"cpe\"}} {REFUSED}\n");
    assert_eq!(metric(refused).await, Some(()));
    for answer in served.join_all().await {
        answer.found();
    }
    eventually("all places are free", || metric("kuraka_calls_in_progress{operation=\"cpe\"} 0\n".to_owned())).await;
    app.stop().await;
    assert_eq!(app.used(&owner).await, u64::from(PLACES));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_ten_times_the_capacity_the_capacity_is_still_served() {
    // The page has ten places.
    const SOURCE_TAKES: Duration = Duration::from_millis(400);
    const CAPACITY: u32 = 25;
    let seconds = number("OVERLOAD", 2);
    let is_long = seconds >= 30;
    let upstream = sandbox().await;
    upstream.fault(&Target::Official, Delivery::Late(SOURCE_TAKES), usize::MAX);
    // With a small plan each call takes a lease on its way to the source.
    let mut app = scene().official(&upstream).plan(9_999, 1_000_000, 1_000_000).start().await;
    let owners = [app.owner().await, app.owner().await, app.owner().await];
    let call = |number: u32| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, 50_000_000 + number).unwrap().to_string();
        app.post("/ruc-official").token(&owners[number as usize % owners.len()].token).ruc(&ruc)
    };
    let flood = open_loop(10 * CAPACITY, Duration::from_secs(seconds), call).await;
    let after = open_loop(CAPACITY, Duration::from_secs(1), |number| call(10_000_000 + number)).await;
    let is_answer = |call: &&Ended| call.answer.code() == "document_not_found";
    let (answered, others): (Vec<_>, Vec<_>) = flood.iter().partition(is_answer);
    let (refused, failed): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|call| call.answer.code() == "service_unavailable");
    for call in &refused {
        assert_eq!(call.answer.number("retry-after"), 1);
        assert!(call.took >= WAIT, "{:?}", call.took);
    }
    assert!(failed.iter().all(|call| call.answer.code() == "upstream_unavailable"));
    let goodput = answered.len() as f64 / (f64::from(CAPACITY) * seconds as f64);
    let (of_answers, of_refusals) = (p99(answered.iter().copied()), p99(refused.iter().copied()));
    let recovered = after.iter().filter(is_answer).count();
    assert!(refused.len() * 2 > flood.len(), "{} of {} refused", refused.len(), flood.len());
    if is_long {
        assert!(goodput >= 0.9, "goodput {goodput:.2} of the capacity");
        // A call may wait for one other: all requests begin and end together.
        assert!(of_answers <= 2 * SOURCE_TAKES + 4 * WAIT, "{of_answers:?}, 400 ms of it at the source");
        assert!(of_refusals <= 2 * WAIT, "{of_refusals:?}");
        assert!(failed.is_empty(), "{} failed after the charge", failed.len());
        assert!(recovered * 10 >= after.len() * 9, "{recovered} of {}", after.len());
    } else {
        // Beside the rest of the suite the figures only show that nothing collapses.
        assert!(goodput >= 0.3, "goodput {goodput:.2} of the capacity");
        assert!(recovered * 4 >= after.len(), "{recovered} of {}", after.len());
    }
    app.stop().await;
    let mut used = 0;
    for owner in &owners {
        used += app.used(owner).await;
    }
    let charged = flood.iter().chain(&after).filter(|call| call.answer.code() != "service_unavailable").count();
    assert_eq!(used, charged as u64, "a refusal is not charged");
    figure(
        "L2",
        &format!("`/ruc-official` at 10 times its {CAPACITY} calls a second for {seconds} s"),
        &format!(
            "goodput {:.0} %, p99 of answers {of_answers:.0?}, of refusals {of_refusals:.0?}, {} charged failures; \
             {recovered} of {} answered right after",
            goodput * 100.0,
            failed.len(),
            after.len(),
        ),
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_noisy_account_does_not_disturb_a_hundred_quiet_ones() {
    const QUIET: u32 = 100;
    const LIMIT: u32 = 5;
    let seconds = number("OVERLOAD", 1);
    let is_long = seconds >= 30;
    let app = scene().plan(9_999, LIMIT.into(), LIMIT.into()).start().await;
    let mut quiet = Vec::new();
    for _ in 0..QUIET {
        quiet.push(app.owner().await.token);
    }
    let noisy = app.owner().await;
    // Each quiet account makes one call a second, the noisy one 20 times what its plan admits.
    let calm = || open_loop(QUIET, Duration::from_secs(seconds), |number| ask(&app, &quiet[(number % QUIET) as usize]));
    calm().await;
    let alone = calm().await;
    let noise = open_loop(20 * LIMIT, Duration::from_secs(seconds), |_| ask(&app, &noisy.token));
    let (beside, noise) = tokio::join!(calm(), noise);
    for call in alone.iter().chain(&beside) {
        call.answer.found();
    }
    let served = noise.iter().filter(|call| call.answer.status == 200).count() as u64;
    assert!((1..=u64::from(LIMIT) * (seconds + 2)).contains(&served), "{served} of {}", noise.len());
    assert!(noise.iter().all(|call| call.answer.status == 200 || call.answer.code() == "rate_limited"));
    let (alone, beside) = (p99(&alone), p99(&beside));
    let slack = if is_long { Duration::from_millis(1) } else { Duration::from_millis(500) };
    assert!(beside <= alone.mul_f64(1.2) + slack, "p99 {beside:?}, alone {alone:?}");
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    figure(
        "L3",
        &format!("{QUIET} quiet accounts beside one at 20 times its limit for {seconds} s"),
        &format!(
            "0 failures; p99 {beside:.1?}, alone {alone:.1?}, ratio {ratio:.2}; {served} of {} noisy calls admitted",
            noise.len()
        ),
    );
}

fn ask(app: &crate::app::App, token: &str) -> crate::request::Request {
    app.post("/ruc").token(token).ruc(kuraka_sandbox::sample::COMPANY)
}
