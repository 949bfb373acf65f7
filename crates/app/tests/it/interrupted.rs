//! Attempts that something interrupts: an operator's reset, a hasher without limit, a store that takes no writes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::{RequestedMails, SignIn, SignInError};
use kuraka_ports::contract::samples::email;
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{
    Account, AccountId, Accounts, Clock, CodeKind, MailCodes, MailId, SecretDigest, Session, Sessions, StoreError,
    StoreErrorKind,
};
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;
use tokio::time::{advance, timeout};

use super::sign_in::{EMAIL, PASSWORD, RESET, TestApp, address, free, here};

const NEW: &str = "otra clave larga";

/// Sessions that can be read but not written.
struct ReadOnly(Arc<MemoryStore>);

#[async_trait]
impl Sessions for ReadOnly {
    async fn begin(
        &self,
        _: &SecretDigest,
        _: AccountId,
        _: &str,
        _: Timestamp,
        _: Option<&SecretDigest>,
    ) -> Result<(), StoreError> {
        Err(StoreError::new(StoreErrorKind::Unwritable))
    }

    async fn find(&self, digest: &SecretDigest) -> Result<Option<Session>, StoreError> {
        Sessions::find(&*self.0, digest).await
    }

    async fn note_seen(&self, _: &SecretDigest, _: Timestamp) -> Result<(), StoreError> {
        Err(StoreError::new(StoreErrorKind::Unwritable))
    }

    async fn end(&self, _: &SecretDigest) -> Result<(), StoreError> {
        Err(StoreError::new(StoreErrorKind::Unwritable))
    }
}

/// Signs an account up; returns it with the secret of its session and the proof of its device.
async fn owner(app: &TestApp) -> (Account, String, String) {
    let made = app.sign_in.sign_up(EMAIL, PASSWORD, &free(), here(), None).await.unwrap();
    let account = app.who(made.session.reveal()).await.unwrap();
    (account, made.session.reveal().to_owned(), made.device.reveal().to_owned())
}

#[tokio::test]
async fn a_change_that_was_begun_earlier_does_not_undo_an_operators_reset() {
    let app = TestApp::new();
    let (account, session, _) = owner(&app).await;
    app.hasher.resets.store(true, Ordering::Relaxed);
    let changed = app.sign_in.change_password(&account, &session, PASSWORD, NEW).await;
    assert!(matches!(changed, Err(SignInError::Wrong)), "{changed:?}");
    assert_eq!(app.store.password_hash(account.id).await.unwrap().as_deref(), Some(RESET));
}

#[tokio::test]
async fn a_deletion_that_was_begun_before_an_operators_reset_does_nothing() {
    let app = TestApp::new();
    let (account, session, _) = owner(&app).await;
    app.hasher.resets.store(true, Ordering::Relaxed);
    let deleted = app.sign_in.delete(&account, &session, PASSWORD).await;
    assert!(matches!(deleted, Err(SignInError::Wrong)), "{deleted:?}");
    assert_eq!(app.store.by_id(account.id).await.unwrap(), Some(account));
}

#[tokio::test]
async fn an_attempt_whose_password_is_not_checked_does_not_count() {
    let app = TestApp::new();
    let (account, session, device) = owner(&app).await;
    let log_in = async |from, device: Option<&str>| app.sign_in.log_in(EMAIL, PASSWORD, from, device, None).await;
    let interrupted = async || {
        for _ in 0..50 {
            assert!(matches!(log_in(here(), None).await, Err(SignInError::Busy | SignInError::Store(_))));
            let known = log_in(here(), Some(&device)).await;
            assert!(matches!(known, Err(SignInError::Busy | SignInError::Store(_))), "{known:?}");
            let deleted = app.sign_in.delete(&account, &session, PASSWORD).await;
            assert!(matches!(deleted, Err(SignInError::Busy | SignInError::Store(_))), "{deleted:?}");
            let other = app.sign_in.sign_up("b@c.pe", PASSWORD, &free(), here(), None).await;
            assert!(matches!(other, Err(SignInError::Busy | SignInError::Store(_))), "{other:?}");
        }
    };
    let mails = RequestedMails::new(app.store.clone(), app.store.clone(), app.clock.clone());
    let waiting =
        app.store.sign_up(&email(9), &free(), &format!("new:{PASSWORD}"), app.clock.now()).await.unwrap().unwrap();
    let code = SecretDigest(Sha256::digest("code").into());
    let (kind, end) = (CodeKind::ConfirmAddress, app.clock.now() + jiff::SignedDuration::from_hours(1));
    app.store.add_code(&code, kind, waiting.id, (MailId(1), &waiting.email), end).await.unwrap();
    app.hasher.is_full.store(true, Ordering::Relaxed);
    interrupted().await;
    for _ in 0..50 {
        let confirmed = mails.confirm(&app.sign_in, "code", PASSWORD).await;
        assert!(matches!(confirmed, Err(SignInError::Busy)), "{confirmed:?}");
    }
    app.hasher.is_full.store(false, Ordering::Relaxed);
    assert!(mails.confirm(&app.sign_in, "code", PASSWORD).await.unwrap().is_some());
    app.store.fail(StoreErrorKind::Unavailable);
    interrupted().await;
    app.store.fail(None);
    assert!(log_in(here(), None).await.is_ok());
    assert!(log_in(here(), Some(&device)).await.is_ok());
    assert!(app.sign_in.sign_up("b@c.pe", PASSWORD, &free(), here(), None).await.is_ok());
    assert!(app.sign_in.delete(&account, &session, PASSWORD).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn one_account_cannot_take_every_place_of_the_hasher() {
    let app = TestApp::new();
    let (account, session, device) = owner(&app).await;
    let other = app.sign_in.sign_up("luz@example.pe", PASSWORD, &free(), here(), None).await.unwrap();
    app.hasher.turns.forget_permits(1_000);
    let before = app.hasher.checks.load(Ordering::Relaxed);
    let mut flood = JoinSet::new();
    for number in 0..20 {
        let (sign_in, device) = (Arc::clone(&app.sign_in), device.clone());
        flood.spawn(async move { sign_in.log_in(EMAIL, PASSWORD, address(number), Some(&device), None).await.is_ok() });
    }
    advance(Duration::from_millis(1)).await;
    // One of its own, and three quarters of the eight.
    assert_eq!(app.hasher.checks.load(Ordering::Relaxed) - before, 1 + 6);
    let deleted = timeout(Duration::from_secs(5), app.sign_in.delete(&account, &session, PASSWORD)).await;
    assert!(matches!(deleted, Ok(Err(SignInError::Busy))), "a session counts as well: {deleted:?}");
    app.hasher.turns.add_permits(1_000);
    let known = app.sign_in.log_in("luz@example.pe", PASSWORD, here(), Some(other.device.reveal()), None);
    assert!(matches!(timeout(Duration::from_secs(5), known).await, Ok(Ok(_))));
    assert_eq!(flood.join_all().await.iter().filter(|let_in| **let_in).count(), 1 + 6);
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_log_ins_leaves_a_place_for_known_devices() {
    const GUESS: &str = "guess guess guess";
    let app = TestApp::new();
    let (_, _, device) = owner(&app).await;
    app.hasher.turns.forget_permits(1_000);
    let mut flood = JoinSet::new();
    for number in 0..6 {
        let sign_in = Arc::clone(&app.sign_in);
        flood.spawn(async move { sign_in.log_in("b@c.pe", GUESS, address(number), None, None).await });
    }
    advance(Duration::from_millis(1)).await;
    // A log-in that were let in would wait for its check.
    let within = Duration::from_secs(5);
    let another = timeout(within, app.sign_in.log_in("b@c.pe", GUESS, address(9), None, None)).await;
    assert!(matches!(another, Ok(Err(SignInError::Busy))), "{another:?}");
    assert!(matches!(app.sign_in.sign_up("d@e.pe", PASSWORD, &free(), here(), None).await, Err(SignInError::Busy)));
    app.hasher.turns.add_permits(1_000);
    let known = timeout(within, app.sign_in.log_in(EMAIL, PASSWORD, here(), Some(&device), None)).await;
    assert!(matches!(known, Ok(Ok(_))), "{known:?}");
    for refused in flood.join_all().await {
        assert!(matches!(refused, Err(SignInError::Wrong)));
    }
}

#[tokio::test]
async fn a_session_is_found_while_the_store_takes_no_writes() {
    let app = TestApp::new();
    let (account, session, _) = owner(&app).await;
    let (store, sessions) = (app.store.clone(), Arc::new(ReadOnly(app.store.clone())));
    let (hasher, clock) = (app.hasher.clone(), app.clock.clone());
    let read_only = SignIn::new(store, sessions, hasher, clock, MemoryStore::TOKEN_KEY, getrandom::fill);
    app.clock.advance(Duration::from_secs(120));
    assert_eq!(read_only.find(&session).await.unwrap(), Some(account));
    app.clock.advance(Duration::from_secs(3_600));
    assert_eq!(read_only.find(&session).await.unwrap(), None, "it has ended, though it cannot be deleted");
    app.store.fail(StoreErrorKind::Unavailable);
    assert!(read_only.find(&session).await.is_err());
}
