//! A server is paused with SIGSTOP and continued later. Its leases stay valid, and no account exceeds its plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use kuraka_sandbox::sample;

use super::http::Client;
use super::postgres::database;
use super::program::{Home, pass};
use super::reliability::{figure, number};

const EMAIL: &str = "ana@example.pe";
const CLIENTS: u64 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paused_server_continues_without_exceeding_the_plan() {
    // `make reliability` sets a longer pause.
    let pause = Duration::from_secs(number("PAUSE", 3));
    // The plans lease one query, and a hundredth of the rest, at a time. Both are used up during the pause or after it.
    for plan in [3_000, 20_000] {
        let home = Home::new().store(&database().await).plan(plan, 1_000_000);
        home.import(sample::PADRON);
        let token = home.token(EMAIL);
        let (paused, other) = (home.serve(), home.serve());
        let (answered, done) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
        let clients: Vec<_> = (0..2 * CLIENTS)
            .map(|client| {
                let api = if client % 2 == 0 { paused.api } else { other.api };
                let mut client = Client::new(api, &token, sample::COMPANY);
                let (answered, done) = (Arc::clone(&answered), Arc::clone(&done));
                thread::spawn(move || {
                    let mut refused = 0;
                    while !(done.load(Ordering::Acquire) && refused > 0) {
                        match client.ask() {
                            Ok(200) => drop(answered.fetch_add(1, Ordering::AcqRel)),
                            Ok(429) => refused += 1,
                            // The pause may end a statement (503), an incomplete request (408) or a connection.
                            Ok(status) => assert!([408, 503].contains(&status), "{status}"),
                            Err(_) => {}
                        }
                    }
                })
            })
            .collect();
        while answered.load(Ordering::Acquire) < plan / 10 {
            thread::yield_now();
        }
        paused.signal("STOP");
        let at_pause = answered.load(Ordering::Acquire);
        pass(pause).await;
        let after_pause = answered.load(Ordering::Acquire);
        paused.signal("CONT");
        done.store(true, Ordering::Release);
        for client in clients {
            client.join().unwrap();
        }
        paused.stop();
        other.stop();
        let (answered, used) = (answered.load(Ordering::Acquire), home.used(EMAIL).await);
        assert!(after_pause > at_pause, "the other server continued");
        assert!(answered <= used && used <= plan, "{answered} answered, {used} used of {plan}");
        let tried = format!("one of two servers paused for {pause:?} under load, a plan of {plan}");
        figure("C17", &tried, &format!("{answered} answered, {used} used, 0 beyond the plan"));
    }
}
