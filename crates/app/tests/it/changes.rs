//! A change in the store drops only the changed accounts and tokens from the cache.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::{Admission, ApiToken, AuthenticateError, ConcurrencyLimit};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{
    AccountId, AccountStatus, Accounts, Changes, Clock, Credential, Email, NewToken, PlanName, Revision, SecretDigest,
    StoreError, StoreErrorKind, Token, TokenId, TokenKey, Tokens,
};
use tokio::sync::Semaphore;

use crate::fixture::{TestApp, another_account, cache, new_token, plan, store_token, token, token_of};

/// Two accounts with two cached tokens each.
async fn four_callers() -> (TestApp, [(ApiToken, Token); 4]) {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10), plan("gold", 5, 50, 100)]).await;
    let (other, _) = another_account(&app.store, 70).await;
    let tokens = [
        new_token(&app.store, &app.account, 50).await,
        new_token(&app.store, &app.account, 51).await,
        new_token(&app.store, &other, 52).await,
        new_token(&app.store, &other, 53).await,
    ];
    for (token, _) in &tokens {
        app.caller_of(token).await.unwrap();
    }
    (app, tokens)
}

/// Indices of the tokens that are looked up in the store again after the next watch.
async fn dropped(app: &TestApp, tokens: &[(ApiToken, Token); 4]) -> Vec<usize> {
    app.credentials.watch().await.unwrap();
    let mut dropped = Vec::new();
    for (index, (token, _)) in tokens.iter().enumerate() {
        let asked = app.store.asked();
        let _ = app.caller_of(token).await;
        if app.store.asked() > asked {
            dropped.push(index);
        }
    }
    dropped
}

#[tokio::test]
async fn a_revocation_drops_one_token_and_no_other() {
    let (app, tokens) = four_callers().await;
    app.store.revoke(None, tokens[1].1.id, app.clock.now()).await.unwrap();
    assert_eq!(dropped(&app, &tokens).await, [1]);
    assert!(matches!(app.caller_of(&tokens[1].0).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn an_account_change_drops_only_that_accounts_tokens() {
    let (app, tokens) = four_callers().await;
    app.store.set_plan(app.account.id, &PlanName::parse("gold").unwrap()).await.unwrap();
    assert_eq!(dropped(&app, &tokens).await, [0, 1]);
    app.store.set_status(app.account.id, AccountStatus::Suspended).await.unwrap();
    assert_eq!(dropped(&app, &tokens).await, [0, 1]);
    app.store.set_status(app.account.id, AccountStatus::Active).await.unwrap();
    dropped(&app, &tokens).await;
    app.store.delete(app.account.id).await.unwrap();
    assert_eq!(dropped(&app, &tokens).await, [0, 1]);
    assert!(matches!(app.caller_of(&tokens[0].0).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn sign_ups_passwords_and_new_tokens_drop_nothing() {
    let (app, tokens) = four_callers().await;
    let plan = PlanName::parse("free").unwrap();
    let third = Email::parse("c@b.pe").unwrap();
    let third = Accounts::create(&*app.store, &third, &plan, None, app.clock.now()).await.unwrap();
    app.store.set_password_hash(third.id, "$argon2id$one").await.unwrap();
    new_token(&app.store, &app.account, 60).await;
    assert_eq!(dropped(&app, &tokens).await, [0_usize; 0]);
}

#[tokio::test]
async fn an_unnamed_change_drops_everything() {
    let (app, tokens) = four_callers().await;
    app.store.replace_token_key(MemoryStore::TOKEN_KEY);
    assert_eq!(dropped(&app, &tokens).await, [0, 1, 2, 3]);
    assert_eq!(dropped(&app, &tokens).await, [0_usize; 0]);
}

#[tokio::test]
async fn a_revision_given_again_after_a_failover_drops_everything() {
    let (app, tokens) = four_callers().await;
    app.store.revoke(None, tokens[0].1.id, app.clock.now()).await.unwrap();
    assert_eq!(dropped(&app, &tokens).await, [0]);
    app.store.lose_latest_revision();
    app.store.revoke(None, tokens[1].1.id, app.clock.now()).await.unwrap();
    assert_eq!(dropped(&app, &tokens).await, [0, 1, 2, 3]);
    assert!(matches!(app.caller_of(&tokens[1].0).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn the_tokens_of_a_store_copied_into_this_one_work() {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let key = TokenKey([1; 32]);
    let copied = token_of(&key, 60);
    let revoked = token_of(&MemoryStore::TOKEN_KEY, 61);
    assert!(matches!(app.caller_of(&copied).await, Err(AuthenticateError::NotGenuine)));
    assert!(matches!(app.caller_of(&revoked).await, Err(AuthenticateError::Unknown)));
    for token in [&copied, &revoked] {
        store_token(&app.store, &app.account, token).await;
    }
    app.store.replace_token_key(key);
    app.store.fail(StoreErrorKind::Unavailable);
    assert!(app.credentials.watch().await.is_err());
    app.store.fail(None);
    app.credentials.watch().await.unwrap();
    assert!(app.caller_of(&copied).await.is_ok());
    assert!(matches!(app.caller_of(&revoked).await, Err(AuthenticateError::NotGenuine)), "its key is gone");
}

#[tokio::test]
async fn changes_made_during_an_outage_apply_after_it() {
    let (app, tokens) = four_callers().await;
    app.store.fail(StoreErrorKind::Unavailable);
    assert!(app.credentials.watch().await.is_err());
    app.store.fail(None);
    // Made by another server, which can still reach the store.
    for (_, token) in &tokens[..2] {
        app.store.revoke(None, token.id, app.clock.now()).await.unwrap();
    }
    app.store.fail(StoreErrorKind::Unavailable);
    for _ in 0..3 {
        assert!(app.credentials.watch().await.is_err());
        assert!(app.caller_of(&tokens[0].0).await.is_ok(), "in use until the store can be asked");
    }
    app.store.fail(None);
    assert_eq!(dropped(&app, &tokens).await, [0, 1]);
}

#[tokio::test]
async fn a_change_before_the_first_watch_applies_after_it() {
    let (app, tokens) = four_callers().await;
    let plans = [plan("free", 1_000, 5, 10)].into_iter().collect();
    let credentials = Arc::new(cache(app.store.clone(), app.clock.clone(), plans, app.meters.clone()));
    let admission = Admission::new(credentials.clone(), app.clock.clone());
    let presented = tokens[3].0.reveal().as_bytes();
    admission.authenticate(presented, &ConcurrencyLimit::new(1), || None).await.unwrap();
    app.store.revoke(None, tokens[3].1.id, app.clock.now()).await.unwrap();
    credentials.watch().await.unwrap();
    assert!(matches!(
        admission.authenticate(presented, &ConcurrencyLimit::new(1), || None).await,
        Err(AuthenticateError::Unknown)
    ));
}

#[tokio::test]
async fn a_credential_read_before_a_change_is_not_cached() {
    let (app, tokens) = four_callers().await;
    let (presented, kept) = &tokens[2];
    let revoke = async || assert!(app.store.revoke(None, kept.id, app.clock.now()).await.unwrap());
    let (during, after) = changed_while_read(&app, presented, revoke).await;
    assert!(matches!(during, Err(AuthenticateError::Unknown)), "read once more");
    assert!(after.is_err());
}

#[tokio::test]
async fn a_refusal_read_before_a_change_is_not_remembered() {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let later = token(60);
    let copy = async || {
        store_token(&app.store, &app.account, &later).await;
        app.store.replace_token_key(MemoryStore::TOKEN_KEY);
    };
    let (during, after) = changed_while_read(&app, &later, copy).await;
    assert!(matches!(during, Err(AuthenticateError::Unknown)), "read before the change");
    assert!(after.is_ok());
}

/// Presents a token whose credential is read from the store before a change, and whose answer comes after it. Returns
/// what that call got, and the next.
async fn changed_while_read(
    app: &TestApp,
    token: &ApiToken,
    change: impl AsyncFnOnce(),
) -> (Result<(), AuthenticateError>, Result<(), AuthenticateError>) {
    let gated = Arc::new(Gated { store: app.store.clone(), has_read: AtomicBool::new(false), gate: Semaphore::new(0) });
    let plans = [plan("free", 1_000, 5, 10)].into_iter().collect();
    let credentials = Arc::new(cache(gated.clone(), app.clock.clone(), plans, app.meters.clone()));
    let admission = Arc::new(Admission::new(credentials.clone(), app.clock.clone()));
    let call = || {
        let (admission, presented) = (admission.clone(), token.reveal().to_owned());
        async move { admission.authenticate(presented.as_bytes(), &ConcurrencyLimit::new(1), || None).await.map(drop) }
    };
    let during = tokio::spawn(call());
    while !gated.has_read.load(Ordering::Relaxed) {
        tokio::task::yield_now().await;
    }
    change().await;
    credentials.watch().await.unwrap();
    gated.gate.add_permits(10);
    (during.await.unwrap(), call().await)
}

/// A store whose answer to `find` waits at a gate.
struct Gated {
    store: Arc<MemoryStore>,
    has_read: AtomicBool,
    gate: Semaphore,
}

#[async_trait]
impl Tokens for Gated {
    async fn create(&self, token: &NewToken) -> Result<Token, StoreError> {
        Tokens::create(&*self.store, token).await
    }

    async fn find(&self, digest: &SecretDigest) -> Result<Option<Credential>, StoreError> {
        let found = Tokens::find(&*self.store, digest).await;
        self.has_read.store(true, Ordering::Relaxed);
        self.gate.acquire().await.unwrap().forget();
        found
    }

    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError> {
        self.store.list(account).await
    }

    async fn revoke(&self, owner: Option<AccountId>, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.revoke(owner, id, now).await
    }

    async fn token_key(&self) -> Result<TokenKey, StoreError> {
        self.store.token_key().await
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError> {
        self.store.note_uses(uses).await
    }

    async fn changes(&self, since: Revision) -> Result<Changes, StoreError> {
        self.store.changes(since).await
    }
}
