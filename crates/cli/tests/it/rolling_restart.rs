//! Three servers behind a load balancer are replaced one by one. No call fails, and every answer is charged once.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::time::{Instant, timeout};

use super::balancer::Balancer;
use super::http::Client;
use super::postgres::database;
use super::program::{Home, eventually};
use super::reliability::{figure, number};

const CLIENTS: u64 = 8;
const EMAIL: &str = "ana@example.pe";

/// Clients that call in a loop, with a pause between calls, until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    answered: Arc<AtomicU64>,
    failures: Arc<Mutex<Vec<String>>>,
    clients: Vec<thread::JoinHandle<()>>,
}

impl Load {
    fn start(balancer: &Balancer, token: &str, pause: Duration) -> Self {
        let (stop, answered, failures) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default(), Arc::default());
        let clients = (0..CLIENTS)
            .map(|_| {
                let mut client = Client::new(balancer.address, token, sample::COMPANY);
                let (stop, answered, failures): (_, _, Arc<Mutex<Vec<String>>>) =
                    (Arc::clone(&stop), Arc::clone(&answered), Arc::clone(&failures));
                thread::spawn(move || {
                    while !stop.load(Ordering::Acquire) {
                        match client.ask() {
                            Ok(200) => drop(answered.fetch_add(1, Ordering::AcqRel)),
                            other => failures.lock().unwrap().push(format!("{other:?}")),
                        }
                        thread::park_timeout(pause);
                    }
                })
            })
            .collect();
        Self { stop, answered, failures, clients }
    }

    fn answered(&self) -> u64 {
        self.answered.load(Ordering::Acquire)
    }

    /// Stops the clients. Returns the number of answers, and the failures.
    fn end(self) -> (u64, Vec<String>) {
        self.stop.store(true, Ordering::Release);
        for client in self.clients {
            client.join().unwrap();
        }
        (self.answered.load(Ordering::Acquire), self.failures.lock().unwrap().clone())
    }
}

async fn pass(time: Duration) {
    timeout(time, std::future::pending::<()>()).await.unwrap_err();
}

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
        let full = Load::start(&balancer, &token, Duration::ZERO);
        pass(Duration::from_secs(1)).await;
        let rate = full.answered();
        let (mut answered, failures) = full.end();
        answered += 1;
        assert!(failures.is_empty(), "{failures:?}");
        let pause = Duration::from_secs_f64(CLIENTS as f64 / rate as f64);
        let half = Load::start(&balancer, &token, pause);
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
        let (more, failures) = half.end();
        answered += more;
        assert!(failures.is_empty(), "{} of {more} failed: {:?}", failures.len(), &failures[..failures.len().min(5)]);
        for server in servers {
            server.stop();
        }
        assert_eq!(home.used(EMAIL).await, answered);
        let tried = format!("{restarts} of 3 servers replaced in turn at half of {rate} calls/s, a plan of {queries}");
        figure("L13", &tried, &format!("0 of {more} failed, each stopped within {longest:.1?}, charges exact"));
    }
}
