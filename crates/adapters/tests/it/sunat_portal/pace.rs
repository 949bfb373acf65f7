//! The queue before the page, on paused time.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::sources::sunat_portal::pace::{MAX_WAIT, NoTurnError, PAUSE, Pace};
use tokio::time::{Instant, advance};

const INTERVAL: Duration = Duration::from_millis(1_100);

/// When each of `count` callers that come at once gets its turn.
async fn turns(pace: &Arc<Pace>, count: usize) -> Vec<Result<Duration, NoTurnError>> {
    let start = Instant::now();
    let callers: Vec<_> = (0..count)
        .map(|_| {
            let pace = pace.clone();
            tokio::spawn(async move { pace.turn().await.map(|()| start.elapsed()) })
        })
        .collect();
    let mut turns = Vec::new();
    for caller in callers {
        turns.push(caller.await.unwrap());
    }
    turns
}

/// The time to within the timer's millisecond.
fn millis(turn: &Result<Duration, NoTurnError>) -> Option<u128> {
    turn.ok().map(|wait| wait.as_millis() / 10 * 10)
}

#[tokio::test(start_paused = true)]
async fn requests_start_an_interval_apart_and_long_waits_are_refused() {
    let pace = Arc::new(Pace::new(INTERVAL));
    let turns = turns(&pace, 5).await;
    assert_eq!(turns.iter().map(millis).collect::<Vec<_>>(), [Some(0), Some(1_100), Some(2_200), None, None]);
    let start = Instant::now();
    assert!(pace.turn().await.is_ok());
    assert!(start.elapsed() <= INTERVAL, "refused callers delay no other caller");
}

#[tokio::test(start_paused = true)]
async fn without_an_interval_no_caller_waits() {
    let pace = Arc::new(Pace::new(Duration::ZERO));
    assert!(turns(&pace, 100).await.iter().all(|turn| millis(turn) == Some(0)));
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_goes_away_gives_its_place_back() {
    let pace = Arc::new(Pace::new(INTERVAL));
    pace.turn().await.unwrap();
    let gone = tokio::spawn({
        let pace = pace.clone();
        async move { pace.turn().await }
    });
    tokio::task::yield_now().await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    let turns = turns(&pace, 3).await;
    assert_eq!(turns.iter().map(millis).collect::<Vec<_>>(), [Some(1_100), Some(2_200), None]);
}

#[tokio::test(start_paused = true)]
async fn after_a_refusal_no_caller_gets_a_turn_for_a_while() {
    let pace = Arc::new(Pace::new(INTERVAL));
    pace.turn().await.unwrap();
    let waiting = tokio::spawn({
        let pace = pace.clone();
        async move { pace.turn().await }
    });
    tokio::task::yield_now().await;
    pace.pause(PAUSE);
    assert_eq!(waiting.await.unwrap(), Err(NoTurnError));
    assert_eq!(pace.turn().await, Err(NoTurnError));
    advance(PAUSE - MAX_WAIT - INTERVAL - Duration::from_secs(1)).await;
    assert_eq!(pace.turn().await, Err(NoTurnError), "the pause is not over");
    advance(INTERVAL + Duration::from_secs(1)).await;
    assert_eq!(pace.turn().await, Ok(()), "who waits to the end of the pause gets the first turn");
}
