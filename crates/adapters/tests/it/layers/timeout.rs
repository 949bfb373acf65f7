//! A request ends within its time limit.

use kuraka_adapters::layers::timeout::TimeoutError;
use kuraka_adapters::layers::{Layered, Timeout};
use tokio::time::Instant;

use super::{SECOND, UNAVAILABLE, cause, failure, page};

#[tokio::test(start_paused = true)]
async fn a_hung_source_is_unavailable_in_time_and_left() {
    let page = page();
    page.hang(true);
    let begun = Instant::now();
    let error = failure(&Layered::new(Timeout(3 * SECOND), page.clone())).await;
    assert_eq!((error.kind, cause(&error)), (UNAVAILABLE, Some(TimeoutError { limit: 3 * SECOND })));
    assert_eq!((begun.elapsed(), page.in_flight()), (3 * SECOND, 0));
}
