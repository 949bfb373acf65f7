//! Clients that read an answer slowly.

use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::time::{Instant, sleep};

use super::client::{Client, LARGE, connect_with, run, table};

/// Requests the large answer over a pipe that holds a few bytes.
async fn reader() -> Client {
    let mut client = connect_with(&table(), 100).await;
    client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n").await;
    client
}

/// Reads this many bytes each second, until the connection is closed or for an hour. Returns the bytes read, and the
/// time.
async fn reads(client: &mut Client, each_second: usize) -> (usize, Duration) {
    let (mut piece, mut total) = (vec![0; each_second], 0);
    while client.began.elapsed() < Duration::from_secs(3_600) {
        let mut taken = 0;
        while taken < each_second {
            match client.stream.read(&mut piece[taken..]).await {
                Ok(0) | Err(_) => return (total + taken, client.began.elapsed()),
                Ok(read) => taken += read,
            }
        }
        total += taken;
        if total > LARGE || client.is_closed() {
            break;
        }
        sleep(Duration::from_secs(1)).await;
    }
    (total, client.began.elapsed())
}

#[test]
fn a_reader_at_the_least_rate_gets_the_whole_answer() {
    run(async {
        for rate in [250, 1_000, 100_000] {
            let (read, took) = reads(&mut reader().await, rate).await;
            let whole = read > LARGE || took >= Duration::from_secs(3_600);
            assert!(whole, "{read} bytes at {rate} bytes per second, closed after {took:?}");
        }
    });
}

/// A client with large buffers acknowledges nothing until a large part of them is free.
#[test]
fn a_reader_in_large_steps_gets_the_whole_answer() {
    run(async {
        let mut client = reader().await;
        let mut step = vec![0; 64 * 1024];
        for _ in 0..LARGE / step.len() {
            sleep(Duration::from_secs(14)).await;
            client.stream.read_exact(&mut step).await.unwrap();
        }
    });
}

#[test]
fn an_ignored_body_has_no_deadline_while_the_answer_is_read() {
    run(async {
        let mut client = connect_with(&table(), 64 * 1024).await;
        client.send("GET /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfour").await;
        let (read, took) = reads(&mut client, 60_000).await;
        assert!(read > LARGE && took > Duration::from_secs(15), "{read} bytes, closed after {took:?}");
    });
}

#[test]
fn a_reader_below_the_least_rate_is_closed_after_the_grace() {
    run(async {
        for rate in [1, 100, 200] {
            let (_, took) = reads(&mut reader().await, rate).await;
            assert!((15.0..16.5).contains(&took.as_secs_f64()), "{rate} bytes per second: {took:?}");
        }
    });
}

#[test]
fn a_reader_that_stops_is_closed_however_much_it_has_read() {
    run(async {
        let mut client = reader().await;
        let mut most = vec![0; LARGE / 2];
        client.stream.read_exact(&mut most).await.unwrap();
        let stopped = Instant::now();
        sleep(Duration::from_secs(14)).await;
        client.stream.read_exact(&mut [0; 50]).await.unwrap();
        sleep(Duration::from_secs(12)).await;
        // What is in the pipe can still be read.
        let mut rest = Vec::new();
        client.stream.read_to_end(&mut rest).await.unwrap();
        assert!(
            rest.len() <= 200 && stopped.elapsed() < Duration::from_secs(27),
            "{} {:?}",
            rest.len(),
            stopped.elapsed()
        );
    });
}
