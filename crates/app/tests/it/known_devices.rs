//! Guessing passwords, and the owner who logs in meanwhile on a device that has logged in before.

use std::net::{IpAddr, Ipv6Addr};

use kuraka_app::{LoggedIn, SignInError};
use kuraka_ports::Accounts;

use super::reliability::figure;
use super::sign_in::{EMAIL, PASSWORD, TestApp, address, free, here};

const GUESS: &str = "guess guess guess";

/// An address in the IPv6 network with this number.
fn network(number: u64) -> Option<IpAddr> {
    Some(Ipv6Addr::from_bits((0x2001_0db8 << 96) | (u128::from(number) << 64) | 1).into())
}

/// Logs in without a known device; returns the proof of the device.
async fn device_of(app: &TestApp, email: &str) -> String {
    app.sign_in.log_in(email, PASSWORD, here(), None, None).await.unwrap().device.reveal().to_owned()
}

async fn log_in(app: &TestApp, password: &str, from: Option<IpAddr>, device: &str) -> Result<LoggedIn, SignInError> {
    app.sign_in.log_in(EMAIL, password, from, Some(device), None).await
}

/// Guesses until the network and the account are throttled.
async fn guess(app: &TestApp) {
    for number in 0..30 {
        let _ = app.sign_in.log_in(EMAIL, GUESS, here(), None, None).await;
        let _ = app.sign_in.log_in(EMAIL, GUESS, network(number), None, None).await;
        let _ = app.sign_in.log_in(&format!("u{number}@example.pe"), GUESS, here(), None, None).await;
    }
    assert!(matches!(app.log_in(EMAIL, PASSWORD, here()).await, Err(SignInError::Throttled(_))));
    assert!(matches!(app.log_in(EMAIL, PASSWORD, address(9)).await, Err(SignInError::Throttled(_))));
}

#[tokio::test]
async fn an_owner_on_a_known_device_is_not_locked_out() {
    let app = TestApp::new();
    let (_, session) = app.ana().await;
    let device = device_of(&app, EMAIL).await;
    app.sign_in.log_out(&session).await.unwrap();
    for _ in 0..20 {
        guess(&app).await;
        for from in [here(), network(1), None] {
            assert!(log_in(&app, PASSWORD, from, &device).await.is_ok());
        }
        assert!(matches!(log_in(&app, GUESS, here(), &device).await, Err(SignInError::Wrong)));
        app.wait(30);
    }
}

#[tokio::test]
async fn guesses_do_not_stop_a_signed_in_owner_from_changing_the_password() {
    let app = TestApp::new();
    let (account, stolen) = app.ana().await;
    let own = app.log_in(EMAIL, PASSWORD, here()).await.unwrap();
    guess(&app).await;
    for _ in 0..6 {
        let _ = app.sign_in.delete(&account, &stolen, GUESS).await;
    }
    assert!(matches!(app.sign_in.delete(&account, &stolen, GUESS).await, Err(SignInError::Throttled(_))));
    assert!(app.sign_in.change_password(&account, &own, PASSWORD, "otra clave larga").await.is_ok());
}

#[tokio::test]
async fn a_device_is_known_only_to_its_account() {
    let app = TestApp::new();
    app.ana().await;
    app.sign_up("luz@example.pe", PASSWORD).await.unwrap();
    let (ana, luz) = (device_of(&app, EMAIL).await, device_of(&app, "luz@example.pe").await);
    let knows = async |email: &str, device: &str| app.sign_in.known_owner(email, device).await.unwrap().is_some();
    assert!(knows(EMAIL, &ana).await && knows(" ANA@example.pe", &ana).await);
    assert!(!knows("luz@example.pe", &ana).await && !knows(EMAIL, &luz).await);
    let mixed = format!("{}{}", &luz[..32], &ana[32..]);
    for invalid in ["", "x", &ana[1..], &ana[..94], &format!("{ana}00"), &mixed, &"0".repeat(96), &"ñ".repeat(48)] {
        assert!(!knows(EMAIL, invalid).await, "{invalid}");
    }
    for other in ["unknown@example.pe", "no address"] {
        assert!(!knows(other, &ana).await);
    }
    guess(&app).await;
    assert!(matches!(log_in(&app, PASSWORD, here(), &mixed).await, Err(SignInError::Throttled(_))));
}

#[tokio::test]
async fn a_new_password_makes_every_device_unknown() {
    let app = TestApp::new();
    let (account, session) = app.ana().await;
    let device = device_of(&app, EMAIL).await;
    let changed = app.sign_in.change_password(&account, &session, PASSWORD, "otra clave larga").await.unwrap();
    assert!(app.sign_in.known_owner(EMAIL, &device).await.unwrap().is_none());
    assert!(app.sign_in.known_owner(EMAIL, changed.device.reveal()).await.unwrap().is_some());
    app.store.set_password_hash(account.id, "new:reset by the operator").await.unwrap();
    assert!(app.sign_in.known_owner(EMAIL, changed.device.reveal()).await.unwrap().is_none());
}

#[tokio::test]
async fn guesses_on_a_known_device_are_throttled() {
    let app = TestApp::new();
    app.ana().await;
    let (stolen, own) = (device_of(&app, EMAIL).await, device_of(&app, EMAIL).await);
    let mut guesses = 0;
    for _ in 0..3_600 {
        if let Err(SignInError::Wrong) = log_in(&app, GUESS, network(1), &stolen).await {
            guesses += 1;
        }
        app.wait(1);
    }
    // As many as without a proof, once more.
    assert!((12..=40).contains(&guesses), "{guesses} guesses in an hour");
    assert!(matches!(log_in(&app, PASSWORD, network(1), &stolen).await, Err(SignInError::Throttled(_))));
    assert!(log_in(&app, PASSWORD, here(), &stolen).await.is_ok(), "the owner of the stolen proof, from elsewhere");
    assert!(log_in(&app, PASSWORD, network(1), &own).await.is_ok(), "another device of the same account");
}

#[tokio::test]
async fn throttles_count_ipv6_networks() {
    let app = TestApp::new();
    let from = |last: u128| Some(IpAddr::from(Ipv6Addr::from_bits((0x2001_0db8 << 96) | last)));
    for number in 0..5 {
        let last = u128::from(u64::MAX - number);
        app.sign_in.sign_up(&format!("u{number}@example.pe"), PASSWORD, &free(), from(last), None).await.unwrap();
    }
    let next = async |from| app.sign_in.sign_up("u6@example.pe", PASSWORD, &free(), from, None).await;
    assert!(matches!(next(from(7)).await, Err(SignInError::Throttled(_))));
    let spray = async |number: u32, from| app.log_in(&format!("v{number}@example.pe"), GUESS, from).await;
    for number in 0..20 {
        assert!(matches!(spray(number, from(number.into())).await, Err(SignInError::Wrong)));
    }
    assert!(matches!(spray(21, from(99)).await, Err(SignInError::Throttled(_))));
    assert!(matches!(spray(22, network(1)).await, Err(SignInError::Wrong)), "another network");
    let mapped = || Some("::ffff:198.51.100.7".parse().unwrap());
    for number in 0..20 {
        assert!(matches!(spray(30 + number, mapped()).await, Err(SignInError::Wrong)));
    }
    assert!(matches!(spray(60, address(7)).await, Err(SignInError::Throttled(_))), "the same IPv4 address");
}

#[tokio::test]
async fn ten_thousand_guesses_take_days() {
    let app = TestApp::new();
    app.ana().await;
    let device = device_of(&app, EMAIL).await;
    // An hour of guesses, one a second and network: at one account, and one password at a thousand accounts.
    let (mut at_one, mut sprayed) = (0, 0);
    for second in 0..3_600 {
        for part in 0..3 {
            let from = network(10 + 3 * second + part);
            if let Err(SignInError::Wrong) = app.log_in(EMAIL, GUESS, from).await {
                at_one += 1;
            }
        }
        if let Err(SignInError::Wrong) = app.log_in(&format!("u{}@example.pe", second % 1_000), GUESS, network(0)).await
        {
            sprayed += 1;
        }
        app.wait(1);
    }
    assert!((20..=150).contains(&at_one), "{at_one} guesses at one account in an hour");
    assert!((20..=90).contains(&sprayed), "{sprayed} sprayed guesses in an hour");
    assert!(log_in(&app, PASSWORD, network(0), &device).await.is_ok());
    figure(
        "S17",
        "an hour of guesses: 10,800 at one account, each from another network; 3,600 at 1,000 accounts from one network",
        &format!("{at_one} and {sprayed} passwords checked; the owner logs in at once on a known device"),
    );
}
