use std::time::Duration;

use kuraka_sandbox::sample::COMPANY;
use kuraka_sandbox::upstream::{Delivery, Framing, Target, Upstream};

use super::client::{Received, ask, ask_briefly, start};

const SHORT: Duration = Duration::from_millis(5);

/// The answer to one request that meets a fault.
async fn met(upstream: &Upstream, delivery: Delivery) -> Received {
    upstream.fault(&Target::Official, delivery, 1);
    ask(upstream, COMPANY).await
}

/// The same where silence is expected.
async fn met_briefly(upstream: &Upstream, delivery: Delivery) -> Received {
    upstream.fault(&Target::Official, delivery, 1);
    ask_briefly(upstream, COMPANY).await
}

#[tokio::test]
async fn late_sliced_and_slow_answers_are_whole() {
    let upstream = start().await;
    let whole = ask(&upstream, COMPANY).await.reply().body;
    let slow = [Delivery::Late(SHORT), Delivery::Sliced, Delivery::Slow(1_000_000), Delivery::SlowClose(SHORT)];
    for delivery in slow {
        let received = met(&upstream, delivery).await;
        assert!(!received.reset, "{delivery:?}");
        assert_eq!(received.reply().body, whole, "{delivery:?}");
    }
}

#[tokio::test]
async fn hangs_and_drips_are_silent_and_resets_break_the_connection() {
    let upstream = start().await;
    let received = met_briefly(&upstream, Delivery::Hang).await;
    assert!(received.silent && received.bytes.is_empty());
    let received = met_briefly(&upstream, Delivery::HangAfterHead).await;
    assert!(received.silent && received.reply().body.is_empty());
    // The second byte comes after the silence at which the client gives up.
    let received = met_briefly(&upstream, Delivery::Drip(Duration::from_secs(5))).await;
    assert!(received.silent && received.reply().body.len() == 1);
    let received = met(&upstream, Delivery::ResetBeforeHead).await;
    assert!(received.reset && received.bytes.is_empty());
    let whole = ask(&upstream, COMPANY).await.bytes.len();
    let received = met(&upstream, Delivery::ResetMidBody).await;
    assert!(received.reset && received.bytes.len() < whole);
    let received = met(&upstream, Delivery::CloseWithoutStatus).await;
    assert!(received.bytes.is_empty() && !received.reset);
}

#[tokio::test]
async fn a_cut_body_ends_where_it_is_told_to() {
    let upstream = start().await;
    let whole = ask(&upstream, COMPANY).await.reply().body;
    for at in [0, 1, 100, whole.len() - 1] {
        let reply = met(&upstream, Delivery::Cut { at, framing: Framing::Length }).await.reply();
        assert_eq!(reply.header("Content-Length"), Some(whole.len().to_string().as_str()));
        assert_eq!(reply.body, whole[..at]);

        let reply = met(&upstream, Delivery::Cut { at, framing: Framing::UntilClose }).await.reply();
        assert_eq!((reply.header("Content-Length"), reply.header("Transfer-Encoding")), (None, None));
        assert_eq!(reply.body, whole[..at]);

        let reply = met(&upstream, Delivery::Cut { at, framing: Framing::Chunked }).await.reply();
        assert_eq!(reply.header("Transfer-Encoding"), Some("chunked"));
        assert!(!reply.body.ends_with(b"0\r\n\r\n"), "the last chunk does not come");
        assert!(reply.body.len() < at + 10);
    }
}

#[tokio::test]
async fn heads_can_be_huge_crowded_contradictory_or_missing() {
    let upstream = start().await;
    assert!(met(&upstream, Delivery::HugeHead).await.reply().head.len() > 1_000_000);
    assert!(met(&upstream, Delivery::ManyHeaders).await.reply().head.lines().count() > 10_000);
    assert_eq!(met(&upstream, Delivery::TwoLengths).await.reply().head.matches("Content-Length: ").count(), 2);
    assert!(met(&upstream, Delivery::NotHttp).await.bytes.starts_with(b"220 "));
    let body = ask(&upstream, COMPANY).await.reply().body;
    assert_eq!(met(&upstream, Delivery::NoHead).await.bytes, body);
}
