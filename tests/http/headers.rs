//! Request ids, and the rate-limit headers of every authenticated answer.

use kuraka_app::calendar;
use kuraka_sandbox::sample;

use crate::answer::Answer;
use crate::app::{now, scene};
use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_valid_request_id_is_returned() {
    let (app, _) = shared().await;
    let longest = "a".repeat(64);
    for id in ["a", "Z", "0", ".", "req_1.2-3", longest.as_str()] {
        for path in ["/ruc", "/nada"] {
            let answer = app.post(path).header("X-Request-Id", id).send().await;
            assert_eq!(answer.must("x-request-id"), id);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_requests_get_a_new_id_that_sorts_by_time() {
    let (app, _) = shared().await;
    let too_long = "a".repeat(65);
    let mut last = String::new();
    for id in [None, Some(""), Some("a b"), Some("ñ"), Some("<script>"), Some("a/b"), Some(too_long.as_str())] {
        let request = app.post("/ruc");
        let answer = match id {
            Some(id) => request.header("X-Request-Id", id).send().await,
            None => request.send().await,
        };
        let made = answer.must("x-request-id").to_owned();
        let is_uuid_v7 = made.len() == 36
            && made.char_indices().all(|(at, c)| match at {
                8 | 13 | 18 | 23 => c == '-',
                14 => c == '7',
                _ => c.is_ascii_digit() || ('a'..='f').contains(&c),
            });
        assert!(is_uuid_v7, "{id:?} gave {made}");
        assert!(made > last, "{made} after {last}");
        last = made;
    }
}

/// `"burst";q=…` and so on, in the order of the draft's examples.
fn parameters(header: &str) -> Vec<(String, Vec<(String, u64)>)> {
    let item = |item: &str| {
        let mut parts = item.split(';');
        let name = parts.next().unwrap().strip_prefix('"').unwrap().strip_suffix('"').unwrap().to_owned();
        let parameter = |part: &str| {
            let (key, value) = part.split_once('=').unwrap();
            (key.to_owned(), value.parse().unwrap())
        };
        (name, parts.map(parameter).collect())
    };
    header.split(", ").map(item).collect()
}

fn check_policy(answer: &Answer, queries: u64, burst: u64, window: u64) {
    let month = calendar::seconds_in(calendar::period(now()));
    assert!([28, 29, 30, 31].contains(&(month / 86_400)) && month.is_multiple_of(86_400), "{month}");
    let policy = format!("\"burst\";q={burst};w={window}, \"monthly\";q={queries};w={month}");
    assert_eq!(answer.must("ratelimit-policy"), policy);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_answer_has_the_remaining_queries_and_the_reset() {
    let (app, owner) = scene().plan(1_000, 5, 10).start_with_owner().await;
    let mut left = 1_000;
    for ruc in [sample::COMPANY, sample::ABSENT, sample::BAD_CHECK_DIGIT, sample::COMPANY] {
        let before = calendar::seconds_left(now());
        let answer = app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
        let after = calendar::seconds_left(now());
        check_policy(&answer, 1_000, 10, 2);
        left -= 1;
        let told = parameters(answer.must("ratelimit"));
        let [(burst, of_burst), (monthly, of_month)] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((burst.as_str(), monthly.as_str()), ("burst", "monthly"));
        let keys = |of: &[(String, u64)]| of.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        assert_eq!((keys(of_burst), keys(of_month)), (vec!["r".into(), "t".into()], vec!["r".into(), "t".into()]));
        assert!(of_burst[0].1 < 10 && (1..=2).contains(&of_burst[1].1), "{told:?}");
        assert_eq!(of_month[0].1, left);
        assert!((after..=before).contains(&of_month[1].1), "{told:?}, {before} to {after}");
        assert_eq!(app.used(&owner).await, 1_000 - left);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_rate_error_has_the_rate_limit_headers() {
    let (app, owner) = scene().plan(1_000, 1, 1).start_with_owner().await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    let answer = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    answer.refused("rate_limited");
    assert_eq!(answer.number("retry-after"), 1, "one call a second");
    check_policy(&answer, 1_000, 1, 1);
    let burst = ("burst".to_owned(), vec![("r".to_owned(), 0), ("t".to_owned(), 1)]);
    let told = parameters(answer.must("ratelimit"));
    assert_eq!(told[0], burst);
    assert_eq!((told[1].0.as_str(), told[1].1[0].1), ("monthly", 999));
    assert_eq!(app.used(&owner).await, 1, "a call over the rate costs nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn after_the_last_query_the_quota_is_exceeded_until_next_month() {
    let (app, owner) = scene().plan(1, 1_000, 1_000).start_with_owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    let before = calendar::seconds_left(now());
    let refused = ask().await;
    let after = calendar::seconds_left(now());
    // The seconds until the next month are in `RateLimit` only: a client would sleep for as long as `Retry-After` says.
    assert_eq!(refused.header("retry-after"), None);
    let (_, seconds) = refused.must("ratelimit").split_once("\"monthly\";r=0;t=").unwrap();
    assert!((after..=before).contains(&seconds.parse().unwrap()), "{refused:?}");
    assert_eq!(refused.refused("quota_exceeded"), "Ha superado la cantidad de consultas mensuales");
    assert_eq!(app.used(&owner).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_body_error_has_the_rate_limit_headers_and_is_free() {
    let (app, owner) = scene().plan(1_000, 1, 10).start_with_owner().await;
    let post = || app.post("/ruc").token(&owner.token);
    for _ in 0..3 {
        for (answer, code) in [
            (post().header("Content-Type", "text/plain").body("x").send().await, "unsupported_media_type"),
            (post().json("x".repeat(4_097)).send().await, "payload_too_large"),
        ] {
            answer.refused(code);
            check_policy(&answer, 1_000, 10, 10);
            // The server has not asked the ledger yet, so it does not know the month.
            let burst = ("burst".to_owned(), vec![("r".to_owned(), 10), ("t".to_owned(), 1)]);
            assert_eq!(parameters(answer.must("ratelimit")), [burst]);
        }
    }
    assert_eq!(app.used(&owner).await, 0);
}
