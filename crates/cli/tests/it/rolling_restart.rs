//! Three servers behind a load balancer are replaced one by one. No call fails, and every answer is charged once.

use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::time::Instant;

use super::balancer::Balancer;
use super::http::Client;
use super::load::Load;
use super::postgres::database;
use super::program::{Home, eventually, pass};
use super::reliability::{figure, number};

const CLIENTS: usize = 8;
const EMAIL: &str = "ana@example.pe";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_under_load_fails_no_call() {
    // `make reliability` replaces every server.
    let restarts = number("RESTARTS", 1);
    // The plans lease one query, and a thousand queries, at a time.
    for queries in [9_999, 1_000_000] {
        let home =
            Home::new().store(&database().await).plan(queries, 1_000_000).with("KURAKA__HTTP__STOP_DELAY", "500ms");
        home.import(sample::PADRON);
        let token = home.token(EMAIL);
        let balancer = Balancer::start().await;
        let mut servers: Vec<_> = (0..3).map(|_| home.serve()).collect();
        for server in &servers {
            balancer.add(server);
        }
        eventually("the balancer has a server", || Client::new(balancer.address, &token, sample::COMPANY).ask().ok())
            .await;

        // Measures the full load, and then applies half of it.
        let load = |pause| Load::start(CLIENTS, balancer.address, &token, pause, |_| false);
        let full = load(Duration::ZERO);
        pass(Duration::from_secs(1)).await;
        let rate = full.answered();
        let mut answered = 1 + full.end().0;
        let pause = Duration::from_secs_f64(CLIENTS as f64 / rate as f64);
        let half = load(pause);
        let mut longest = Duration::ZERO;
        for _ in 0..restarts {
            let stopping = servers.remove(0);
            let began = Instant::now();
            let log = tokio::task::spawn_blocking(move || stopping.stop()).await.unwrap();
            longest = longest.max(began.elapsed());
            assert!(log.iter().any(|line| line.contains("stopping soon")), "{log:?}");
            let fresh = home.serve();
            balancer.add(&fresh);
            servers.push(fresh);
            pass(Duration::from_millis(300)).await;
        }
        let (more, _) = half.end();
        answered += more;
        for server in servers {
            server.stop();
        }
        assert_eq!(home.used(EMAIL).await, answered);
        let tried = format!("{restarts} of 3 servers replaced in turn at half of {rate} calls/s, a plan of {queries}");
        figure("L13", &tried, &format!("0 of {more} failed, each stopped within {longest:.1?}, charges exact"));
    }
}
