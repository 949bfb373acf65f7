//! The time of a failed log-in does not tell whether the e-mail address has an account. Real password hashes, real
//! store. `RELIABILITY_LOG_INS` sets the number of samples of each case.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::passwords::Passwords;
use kuraka_adapters::store::SqliteStore;
use kuraka_app::{SignIn, SignInError};
use kuraka_ports::{Accounts, Email, PasswordHasher, PlanName, Tokens};
use tokio::time::Instant;

use crate::app::now;
use crate::reliability::{figure, number};
use crate::welch::{shuffled, t};

/// Failed log-ins for one address, fewer than are throttled.
const PER_EMAIL: usize = 15;

/// Known and unknown addresses, without and with an invented proof of a known device.
const CASES: [&str; 4] = ["known", "other", "known-with-proof", "other-with-proof"];

fn email(case: usize, number: usize) -> String {
    let case = CASES[case];
    format!("{case}{number:06}@kuraka.example")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_failed_log_in_tells_nothing_about_the_account() {
    let samples = number("LOG_INS", 10) as usize;
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (store, hasher) = (Arc::new(store), Arc::new(Passwords::new()));
    let hash = PasswordHasher::hash(&*hasher, "cuatro caballos verdes").await.unwrap();
    for (case, number) in (0..=samples / PER_EMAIL).flat_map(|number| [(0, number), (2, number)]) {
        let email = Email::parse(&email(case, number)).unwrap();
        let account = Accounts::create(&*store, &email, &PlanName::parse("free").unwrap(), None, now()).await.unwrap();
        store.set_password_hash(account.id, &hash).await.unwrap();
    }
    let (key, clock) = (store.token_key().await.unwrap(), Arc::new(SystemClock::start()));
    let sign_in = SignIn::new(store.clone(), store, hasher, clock, key, getrandom::fill);

    let proof = "0123456789abcdef".repeat(6);
    let mut times: [Vec<Duration>; 4] = Default::default();
    for (at, case) in shuffled(4, samples).into_iter().enumerate() {
        let email = email(case, times[case].len() / PER_EMAIL);
        let from = IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8 << 96) | ((at as u128) << 64)));
        let proof = (case >= 2).then_some(proof.as_str());
        let began = Instant::now();
        let refused = sign_in.log_in(&email, "guess guess guess", Some(from), proof, None).await;
        times[case].push(began.elapsed());
        assert!(matches!(refused, Err(SignInError::Wrong)), "{refused:?}");
    }
    let [known, unknown, known_with_proof, unknown_with_proof] = times;
    for (what, known, unknown) in [("no", known, unknown), ("an invented", known_with_proof, unknown_with_proof)] {
        let t = t(&known, &unknown);
        figure(
            "S17",
            &format!(
                "{samples} failed log-ins each with known and unknown addresses, and {what} proof of a known device"
            ),
            &format!("medians {:.2} and {:.2} ms, Welch's t {t:.2}", median(&known), median(&unknown)),
        );
        assert!(t.abs() < 4.5, "{what} proof: t = {t}");
    }
}

/// In milliseconds.
fn median(times: &[Duration]) -> f64 {
    let mut times = times.to_vec();
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}
