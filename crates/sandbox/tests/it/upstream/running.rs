use std::time::Duration;

use kuraka_sandbox::sample::{ABSENT, COMPANY};
use kuraka_sandbox::upstream::{Delivery, Target, Upstream};
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::{ask, ask_briefly, ask_detailed, detailed, ruc, send, start};

#[tokio::test]
async fn requests_are_counted_by_target_and_ruc() {
    let upstream = start().await;
    ask(&upstream, COMPANY).await;
    ask(&upstream, COMPANY).await;
    upstream.fault(&Target::Official, Delivery::CloseWithoutStatus, 1);
    ask(&upstream, ABSENT).await;
    ask_detailed(&upstream, COMPANY).await;
    send(&upstream, "GET / HTTP/1.1\r\n\r\n").await;
    let official = |text| upstream.requests(&Target::Official, ruc(text));
    assert_eq!((official(COMPANY), official(ABSENT), upstream.requests_in_all(&Target::Official)), (2, 1, 3));
    assert_eq!((upstream.requests(&detailed(), ruc(COMPANY)), upstream.requests_in_all(&detailed())), (1, 1));
}

#[tokio::test]
async fn what_is_no_request_is_closed_without_an_answer() {
    let upstream = start().await;
    for request in ["nonsense\r\n\r\n", "GET / SPDY/3\r\n\r\n"] {
        let received = send(&upstream, request).await;
        assert!(received.bytes.is_empty(), "{request:?}");
    }
}

#[tokio::test]
async fn an_address_in_use_is_an_error_that_names_it() {
    let upstream = start().await;
    let error = Upstream::start(upstream.address(), Vec::new()).await.unwrap_err();
    assert!(error.to_string().starts_with("cannot listen on "), "{error}");
    assert!(error.to_string().contains(&upstream.address().to_string()), "{error}");
}

#[tokio::test]
async fn stopping_closes_what_hangs_and_frees_the_address() {
    let upstream = start().await;
    upstream.fault(&Target::Official, Delivery::Hang, 1);
    assert!(ask_briefly(&upstream, COMPANY).await.silent);
    let mut waiting = TcpStream::connect(upstream.address()).await.unwrap();
    ask(&upstream, COMPANY).await;
    assert!(upstream.connections() >= 1, "the one that waits is open");
    let address = upstream.address();
    upstream.stop().await;
    let ended = timeout(Duration::from_secs(5), waiting.read(&mut [0; 1])).await.unwrap();
    assert!(!matches!(ended, Ok(1..)));
    assert!(TcpStream::connect(address).await.is_err());
}
