//! `/estado` and `/estado.json` of a server that measures itself.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_adapters::clock::SystemClock;
use kuraka_ports::Clock;

use crate::app::{eventually, now, scene};

/// A clock whose minutes pass in a second.
struct Hurried(SystemClock, Timestamp);

impl Clock for Hurried {
    fn now(&self) -> Timestamp {
        let passed = i64::try_from(self.0.monotonic().as_secs()).unwrap();
        self.1 + SignedDuration::from_mins(passed)
    }

    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_public_status_has_the_calls_of_the_last_minutes() {
    let last_tenth = Timestamp::from_millisecond(now().as_millisecond() / 60_000 * 60_000 + 59_900).unwrap();
    let (app, owner) =
        scene().clock(Hurried(SystemClock::start(), last_tenth)).set("status.public", "true").start_with_owner().await;
    for _ in 0..3 {
        app.post("/ruc").token(&owner.token).ruc("20100119227").send().await.found();
    }
    let json = eventually("a minute with calls", async || {
        let answer = app.request("GET", "/estado.json").send().await;
        assert_eq!((answer.status, answer.must("access-control-allow-origin")), (200, "*"));
        let json = answer.json();
        let operations = json["operaciones"].as_array().unwrap();
        let ruc = operations.iter().find(|it| it["nombre"] == "ruc").unwrap();
        ruc["p99_ms"].is_number().then_some(json)
    })
    .await;
    let day = json["dias"].as_array().unwrap().last().unwrap();
    assert_eq!(day["minutos_mal"], 0);
    assert!(day["minutos_ok"].as_u64().unwrap() > 0, "{json}");
    let page = app.request("GET", "/estado").send().await;
    assert!(page.body.contains("Todas las operaciones responden"), "{}", page.body);
    assert_eq!(page.must("cache-control"), "public, max-age=30");
    assert_eq!(app.request("GET", "/panel/estado").send().await.must("location"), "/estado");
}
