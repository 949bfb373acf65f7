//! Signing up, in and out: refusals, errors, throttling and the end of sessions.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::accounts::session_secret;
use kuraka_app::password_rules::WeakPasswordError;
use kuraka_app::{SignIn, SignInError};
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{
    Account, AccountId, Accounts, Audit, AuditFilter, Email, Origin, PasswordError, PasswordHasher, PlanName,
    StoreErrorKind, TokenKey,
};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

pub(crate) const EMAIL: &str = "ana@example.pe";
pub(crate) const PASSWORD: &str = "cuatro caballos verdes";

pub(crate) const RESET: &str = "new:la clave del operador";

/// A hasher whose hashes contain the password; those that begin with `old` are outdated. A check waits for its turn, and
/// an operator may reset the first account's password after it.
pub(crate) struct Plain {
    store: Arc<MemoryStore>,
    pub(crate) checks: AtomicUsize,
    pub(crate) turns: Semaphore,
    pub(crate) is_full: AtomicBool,
    pub(crate) resets: AtomicBool,
}

#[async_trait]
impl PasswordHasher for Plain {
    async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        if self.is_full.load(Ordering::Relaxed) { Err(PasswordError::Busy) } else { Ok(format!("new:{password}")) }
    }

    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError> {
        if self.is_full.load(Ordering::Relaxed) {
            return Err(PasswordError::Busy);
        }
        self.checks.fetch_add(1, Ordering::Relaxed);
        // Lets other tasks run, as a slow hasher does.
        tokio::task::yield_now().await;
        drop(self.turns.acquire().await.unwrap());
        if self.resets.swap(false, Ordering::Relaxed) {
            self.store.set_password_hash(AccountId(1), RESET).await.unwrap();
        }
        Ok(hash.split_once(':').is_some_and(|(_, of)| of == password))
    }

    fn capacity(&self) -> usize {
        8
    }

    fn is_current(&self, hash: &str) -> bool {
        hash.starts_with("new:")
    }

    fn placeholder(&self) -> &'static str {
        "new:no account has this password"
    }
}

pub(crate) struct TestApp {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) hasher: Arc<Plain>,
    pub(crate) sign_in: Arc<SignIn>,
}

impl TestApp {
    pub(crate) fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let clock = Arc::new(ManualClock::at("2026-11-20T15:00:00Z".parse::<Timestamp>().unwrap()));
        let hasher = Arc::new(Plain {
            store: store.clone(),
            checks: AtomicUsize::new(0),
            turns: Semaphore::new(1_000),
            is_full: AtomicBool::new(false),
            resets: AtomicBool::new(false),
        });
        let (accounts, sessions, passwords, time) = (store.clone(), store.clone(), hasher.clone(), clock.clone());
        let sign_in = SignIn::new(accounts, sessions, passwords, time, MemoryStore::TOKEN_KEY, getrandom::fill);
        Self { store, clock, hasher, sign_in: Arc::new(sign_in) }
    }

    pub(crate) async fn sign_up(&self, email: &str, password: &str) -> Result<String, SignInError> {
        self.sign_in.sign_up(email, password, &free(), here(), None).await.map(|made| made.session.reveal().to_owned())
    }

    pub(crate) async fn log_in(
        &self,
        email: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<String, SignInError> {
        self.sign_in.log_in(email, password, from, None, None).await.map(|made| made.session.reveal().to_owned())
    }

    /// Signs an account up; returns it with the secret of its session.
    pub(crate) async fn ana(&self) -> (Account, String) {
        let secret = self.sign_up(EMAIL, PASSWORD).await.unwrap();
        (self.who(&secret).await.unwrap(), secret)
    }

    pub(crate) async fn who(&self, secret: &str) -> Option<Account> {
        self.sign_in.find(secret).await.unwrap()
    }

    pub(crate) fn wait(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

pub(crate) fn free() -> PlanName {
    PlanName::parse("free").unwrap()
}

pub(crate) fn here() -> Option<IpAddr> {
    Some("192.0.2.1".parse().unwrap())
}

pub(crate) fn address(last: u8) -> Option<IpAddr> {
    Some(IpAddr::from([198, 51, 100, last]))
}

#[tokio::test]
async fn an_invalid_sign_up_is_refused_with_a_reason() {
    let app = TestApp::new();
    app.ana().await;
    assert!(matches!(app.sign_up("no address", PASSWORD).await, Err(SignInError::Email)));
    let weak = |found| matches!(found, Err(SignInError::Weak(_)));
    assert!(matches!(
        app.sign_up("b@c.pe", "1234567").await,
        Err(SignInError::Weak(WeakPasswordError::Short { found: 7 }))
    ));
    assert!(weak(app.sign_up("b@c.pe", &"ñ".repeat(129)).await));
    for common in ["password", "Password1!", "12345678", "abcdefgh", "sunat2026", "qwertyuiop", "zzzzzzzz", "abcabcabc"]
    {
        assert!(
            matches!(app.sign_up("b@c.pe", common).await, Err(SignInError::Weak(WeakPasswordError::Common))),
            "{common}"
        );
    }
    assert!(weak(app.sign_up("molinosdelsur@example.pe", "molinosdelsur99").await), "made of the address");
    assert!(matches!(app.sign_up(EMAIL, PASSWORD).await, Err(SignInError::Taken)));
    assert!(app.sign_up("b@c.pe", "ñandú ñandú 8").await.is_ok(), "no rule about characters");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_look_alike() {
    let app = TestApp::new();
    app.ana().await;
    for email in [EMAIL, "unknown@example.pe"] {
        for device in [None, Some("0".repeat(96))] {
            let (before, asked) = (app.hasher.checks.load(Ordering::Relaxed), app.store.asked());
            let refused = app.sign_in.log_in(email, "wrong wrong", here(), device.as_deref(), None).await;
            assert!(matches!(refused, Err(SignInError::Wrong)), "{email}");
            assert_eq!(app.hasher.checks.load(Ordering::Relaxed), before + 1, "{email}");
            assert_eq!(app.store.asked() - asked, if device.is_some() { 4 } else { 2 }, "{email}");
        }
    }
    assert!(matches!(app.log_in("no address", PASSWORD, here()).await, Err(SignInError::Wrong)));
}

#[tokio::test]
async fn guesses_are_throttled_without_locking_out_the_owner() {
    let app = TestApp::new();
    app.ana().await;
    let mut guesses = 0;
    for _ in 0..3_600 {
        if let Err(SignInError::Wrong) = app.log_in(EMAIL, "guess guess", address(1)).await {
            guesses += 1;
        }
        app.wait(1);
    }
    assert!((6..=20).contains(&guesses), "{guesses} guesses in an hour from one address");
    assert!(app.log_in(EMAIL, PASSWORD, address(2)).await.is_ok(), "from elsewhere at once");

    for last in 3..=255 {
        let _ = app.log_in(EMAIL, "guess guess", address(last)).await;
    }
    let throttled = app.log_in(EMAIL, PASSWORD, here()).await;
    let Err(SignInError::Throttled(throttled)) = throttled else { panic!("{throttled:?}") };
    assert!(throttled.wait <= Duration::from_secs(30), "{throttled:?}");
    app.clock.advance(throttled.wait);
    assert!(app.log_in(EMAIL, PASSWORD, here()).await.is_ok(), "half a minute at most");
}

/// Both tell whether an address has an account.
#[tokio::test]
async fn a_new_address_counts_as_a_sign_up() {
    let app = TestApp::new();
    let (account, session) = app.ana().await;
    app.sign_up("b@example.pe", PASSWORD).await.unwrap();
    let change =
        async |password: &str| app.sign_in.change_email((&account, &session), password, "b@example.pe", here()).await;
    assert!(matches!(change("wrong wrong").await, Err(SignInError::Wrong)), "which tells nothing");
    for _ in 0..3 {
        assert!(matches!(change(PASSWORD).await, Err(SignInError::Taken)));
    }
    assert!(matches!(change(PASSWORD).await, Err(SignInError::Throttled(_))));
    assert!(matches!(app.sign_up("c@example.pe", PASSWORD).await, Err(SignInError::Throttled(_))));
}

#[tokio::test]
async fn an_invented_session_is_refused_without_the_store() {
    let app = TestApp::new();
    let (account, secret) = app.ana().await;
    app.store.fail(StoreErrorKind::Unavailable);
    let asked = app.store.asked();
    let other = session_secret::generate(&TokenKey([1; 32]), getrandom::fill).unwrap();
    let last = if secret.ends_with('0') { "1" } else { "0" };
    let changed = [&secret[..secret.len() - 1], last].concat();
    for invented in ["", "0", &"0".repeat(64), &"0".repeat(80), other.reveal(), &changed, &secret.to_uppercase()] {
        assert!(app.sign_in.find(invented).await.unwrap().is_none(), "{invented}");
    }
    assert_eq!(app.store.asked(), asked);
    assert!(app.sign_in.find(&secret).await.is_err(), "a genuine one needs the store");
    app.store.fail(None);
    assert_eq!(app.who(&secret).await, Some(account));
}

#[tokio::test]
async fn a_session_ends_when_idle_or_old_or_signed_out() {
    let app = TestApp::new();
    let (_, secret) = app.ana().await;
    for _ in 0..23 {
        app.wait(29 * 60);
        assert!(app.who(&secret).await.is_some(), "seen within half an hour");
    }
    app.wait(60 * 60);
    assert!(app.who(&secret).await.is_none(), "twelve hours are over, and half an hour too");

    let idle = app.log_in(EMAIL, PASSWORD, here()).await.unwrap();
    app.wait(30 * 60);
    assert!(app.who(&idle).await.is_none());
    let old = app.log_in(EMAIL, PASSWORD, here()).await.unwrap();
    for _ in 0..72 {
        app.wait(10 * 60);
        let _ = app.who(&old).await;
    }
    assert!(app.who(&old).await.is_none(), "however often it was seen");
    let left = app.log_in(EMAIL, PASSWORD, here()).await.unwrap();
    app.sign_in.log_out(&left).await.unwrap();
    assert!(app.who(&left).await.is_none());
}

#[tokio::test]
async fn an_outdated_hash_is_replaced_at_sign_in() {
    let app = TestApp::new();
    let (account, _) = app.ana().await;
    app.store.set_password_hash(account.id, &format!("old:{PASSWORD}")).await.unwrap();
    assert!(app.log_in(EMAIL, "wrong wrong", here()).await.is_err());
    let stored = async || app.store.password_hash(account.id).await.unwrap().unwrap();
    assert!(stored().await.starts_with("old:"));
    app.log_in(EMAIL, PASSWORD, here()).await.unwrap();
    assert!(stored().await.starts_with("new:"));
}

#[tokio::test]
async fn an_account_without_a_password_cannot_be_signed_in_to() {
    let app = TestApp::new();
    let now = "2026-11-20T15:00:00Z".parse().unwrap();
    Accounts::create(&*app.store, &Email::parse("cli@example.pe").unwrap(), &free(), None, now).await.unwrap();
    assert!(matches!(app.log_in("cli@example.pe", "", here()).await, Err(SignInError::Wrong)));
    assert!(matches!(
        app.log_in("cli@example.pe", "no account has this password", here()).await,
        Err(SignInError::Wrong)
    ));
}

#[tokio::test]
async fn concurrent_tries_each_count() {
    let app = Arc::new(TestApp::new());
    app.ana().await;
    let mut tries = JoinSet::new();
    for _ in 0..50 {
        let app = Arc::clone(&app);
        tries.spawn(async move { app.log_in(EMAIL, "guess guess", address(9)).await });
    }
    let outcomes = tries.join_all().await;
    let checked = outcomes.iter().filter(|outcome| matches!(outcome, Err(SignInError::Wrong))).count();
    assert_eq!(checked, 5);
}

#[tokio::test]
async fn refused_log_ins_are_summed_by_account_and_network() {
    let app = TestApp::new();
    let (ana, session) = app.ana().await;
    for (email, from) in
        [(EMAIL, 1), (EMAIL, 1), ("nadie@example.pe", 1), ("otro@example.pe", 1), ("no es un correo", 2)]
    {
        assert!(app.log_in(email, "no es la suya", address(from)).await.is_err());
    }
    assert!(app.log_in(EMAIL, PASSWORD, address(1)).await.is_ok());
    // A session that gives another password again counts too.
    let again = app.sign_in.log_in_again(&ana, &session, "no es la suya");
    let origin = Origin { address: address(1), ..Origin::default() };
    assert!(matches!(origin.scope(again).await, Err(SignInError::Wrong)));
    for _ in 0..2 {
        app.sign_in.write_refusals(&*app.store).await.unwrap();
    }
    let filter = AuditFilter { action: Some("session.refuse"), ..AuditFilter::default() };
    let lines = app.store.lines(&filter, 9).await.unwrap();
    let sums: HashSet<_> =
        lines.into_iter().map(|line| (line.account, line.origin.address, line.after.unwrap())).collect();
    let expected = [(Some(ana.id), address(1), "3"), (None, address(1), "2"), (None, address(2), "1")];
    assert_eq!(sums, expected.map(|(account, from, count)| (account, from, count.to_owned())).into());
}
