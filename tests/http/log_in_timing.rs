//! The time of a failed log-in does not tell whether the e-mail address has an account. Real password hashes, real
//! store. `RELIABILITY_LOG_INS` sets the number of samples of each case.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::passwords::Passwords;
use kuraka_adapters::store::SqliteStore;
use kuraka_app::{SignIn, SignInError};
use kuraka_ports::{Accounts, Email, PasswordHasher, PlanName};
use tokio::time::Instant;

use crate::app::now;
use crate::reliability::{figure, number};
use crate::welch::{shuffled, t};

/// Failed log-ins for one address, fewer than are throttled.
const PER_EMAIL: usize = 15;

fn email(case: usize, number: usize) -> String {
    let case = ["known", "other"][case];
    format!("{case}{number:06}@kuraka.example")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_failed_log_in_tells_nothing_about_the_account() {
    let samples = number("LOG_INS", 15) as usize;
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("kuraka.db"), SqliteStore::BUSY_TIMEOUT).await.unwrap();
    let (store, hasher) = (Arc::new(store), Arc::new(Passwords::new()));
    let hash = PasswordHasher::hash(&*hasher, "cuatro caballos verdes").await.unwrap();
    for number in 0..=samples / PER_EMAIL {
        let email = Email::parse(&email(0, number)).unwrap();
        let account = Accounts::create(&*store, &email, &PlanName::parse("free").unwrap(), now()).await.unwrap();
        store.set_password_hash(account.id, &hash).await.unwrap();
    }
    let sign_in = SignIn::new(store.clone(), store, hasher, Arc::new(SystemClock::start()), getrandom::fill);
    sign_in.prepare().await.unwrap();

    let mut times: [Vec<Duration>; 2] = Default::default();
    for (at, case) in shuffled(2, samples).into_iter().enumerate() {
        let email = email(case, times[case].len() / PER_EMAIL);
        let from = IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8 << 96) | ((at as u128) << 64)));
        let began = Instant::now();
        let refused = sign_in.log_in(&email, "guess guess guess", Some(from), None).await;
        times[case].push(began.elapsed());
        assert!(matches!(refused, Err(SignInError::Wrong)), "{refused:?}");
    }
    let [known, unknown] = times;
    let t = t(&known, &unknown);
    let median = |times: &[Duration]| {
        let mut times = times.to_vec();
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e3
    };
    figure(
        "S17",
        &format!("{samples} failed log-ins each with known and unknown addresses, the times of the answers"),
        &format!("medians {:.2} and {:.2} ms, Welch's t {t:.2}", median(&known), median(&unknown)),
    );
    assert!(t.abs() < 4.5, "t = {t}");
}
