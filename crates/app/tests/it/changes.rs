//! What a change in the store drops from the cache of credentials: what it names, and nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::{Admission, ApiToken, AuthenticateError, CredentialCache};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{
    Account, AccountId, AccountStatus, Accounts, Changes, Clock, Credential, Email, NewToken, PlanName, StoreError,
    StoreErrorKind, Token, TokenDigest, TokenId, Tokens,
};
use tokio::sync::Semaphore;

use crate::house::{House, new_token, plan};

async fn second_account(house: &House) -> Account {
    let plan = PlanName::parse("free").unwrap();
    Accounts::create(&*house.store, &Email::parse("b@b.pe").unwrap(), &plan, house.clock.now()).await.unwrap()
}

/// Two accounts with two tokens each, all of them known: the tokens, and their numbers.
async fn four_callers() -> (House, [(ApiToken, Token); 4]) {
    let house = House::with(&[plan("free", 1_000, 5, 10), plan("gold", 5, 50, 100)]).await;
    let other = second_account(&house).await;
    let tokens = [
        new_token(&house.store, &house.account, 50).await,
        new_token(&house.store, &house.account, 51).await,
        new_token(&house.store, &other, 52).await,
        new_token(&house.store, &other, 53).await,
    ];
    for (token, _) in &tokens {
        house.caller_of(token).await.unwrap();
    }
    (house, tokens)
}

/// Which of the callers cost a question to the store after the next look for changes.
async fn dropped(house: &House, tokens: &[(ApiToken, Token); 4]) -> Vec<usize> {
    house.credentials.watch().await.unwrap();
    let mut dropped = Vec::new();
    for (index, (token, _)) in tokens.iter().enumerate() {
        let asked = house.store.asked();
        let _ = house.caller_of(token).await;
        if house.store.asked() > asked {
            dropped.push(index);
        }
    }
    dropped
}

#[tokio::test]
async fn a_revocation_drops_one_token_and_no_other() {
    let (house, tokens) = four_callers().await;
    house.store.revoke(tokens[1].1.id, house.clock.now()).await.unwrap();
    assert_eq!(dropped(&house, &tokens).await, [1]);
    assert!(matches!(house.caller_of(&tokens[1].0).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn a_new_plan_status_or_deletion_drops_the_tokens_of_its_account() {
    let (house, tokens) = four_callers().await;
    house.store.set_plan(house.account.id, &PlanName::parse("gold").unwrap()).await.unwrap();
    assert_eq!(dropped(&house, &tokens).await, [0, 1]);
    house.store.set_status(house.account.id, AccountStatus::Suspended).await.unwrap();
    assert_eq!(dropped(&house, &tokens).await, [0, 1]);
    house.store.set_status(house.account.id, AccountStatus::Active).await.unwrap();
    dropped(&house, &tokens).await;
    house.store.delete(house.account.id).await.unwrap();
    assert_eq!(dropped(&house, &tokens).await, [0, 1]);
    assert!(matches!(house.caller_of(&tokens[0].0).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn sign_ups_passwords_and_new_tokens_drop_nothing() {
    let (house, tokens) = four_callers().await;
    let plan = PlanName::parse("free").unwrap();
    let third = Email::parse("c@b.pe").unwrap();
    let third = Accounts::create(&*house.store, &third, &plan, house.clock.now()).await.unwrap();
    house.store.set_password_hash(third.id, "$argon2id$one").await.unwrap();
    new_token(&house.store, &house.account, 60).await;
    assert_eq!(dropped(&house, &tokens).await, [0_usize; 0]);
}

#[tokio::test]
async fn a_change_without_a_name_drops_everything() {
    let (house, tokens) = four_callers().await;
    house.store.change_without_a_name();
    assert_eq!(dropped(&house, &tokens).await, [0, 1, 2, 3]);
    assert_eq!(dropped(&house, &tokens).await, [0_usize; 0]);
}

#[tokio::test]
async fn changes_of_an_outage_are_in_force_after_it() {
    let (house, tokens) = four_callers().await;
    house.store.fail(StoreErrorKind::Unavailable);
    assert!(house.credentials.watch().await.is_err());
    house.store.fail(None);
    // By another server, which still reached the store.
    for (_, token) in &tokens[..2] {
        house.store.revoke(token.id, house.clock.now()).await.unwrap();
    }
    house.store.fail(StoreErrorKind::Unavailable);
    for _ in 0..3 {
        assert!(house.credentials.watch().await.is_err());
        assert!(house.caller_of(&tokens[0].0).await.is_ok(), "in use until the store can be asked");
    }
    house.store.fail(None);
    assert_eq!(dropped(&house, &tokens).await, [0, 1]);
}

#[tokio::test]
async fn a_change_before_the_first_look_is_in_force_after_it() {
    let (house, tokens) = four_callers().await;
    let plans = [plan("free", 1_000, 5, 10)].into_iter().collect();
    let credentials = CredentialCache::new(house.store.clone(), house.clock.clone(), plans, house.meters.clone());
    let credentials = Arc::new(credentials);
    let admission = Admission::new(credentials.clone(), house.clock.clone());
    let presented = tokens[3].0.reveal().as_bytes();
    admission.authenticate(presented, || None).await.unwrap();
    house.store.revoke(tokens[3].1.id, house.clock.now()).await.unwrap();
    credentials.watch().await.unwrap();
    assert!(matches!(admission.authenticate(presented, || None).await, Err(AuthenticateError::Unknown)));
}

#[tokio::test]
async fn a_credential_that_was_read_before_a_change_is_not_kept() {
    let (house, tokens) = four_callers().await;
    let gated =
        Arc::new(Gated { store: house.store.clone(), has_read: AtomicBool::new(false), gate: Semaphore::new(0) });
    let plans = [plan("free", 1_000, 5, 10)].into_iter().collect();
    let credentials = CredentialCache::new(gated.clone(), house.clock.clone(), plans, house.meters.clone());
    let credentials = Arc::new(credentials);
    let admission = Arc::new(Admission::new(credentials.clone(), house.clock.clone()));
    let presented = tokens[2].0.reveal().to_owned();
    let call = tokio::spawn({
        let (admission, presented) = (admission.clone(), presented.clone());
        async move { admission.authenticate(presented.as_bytes(), || None).await.map(drop) }
    });
    // The call has read the credential, and does not have it yet.
    while !gated.has_read.load(Ordering::Relaxed) {
        tokio::task::yield_now().await;
    }
    house.store.revoke(tokens[2].1.id, house.clock.now()).await.unwrap();
    credentials.watch().await.unwrap();
    gated.gate.add_permits(10);
    assert!(matches!(call.await.unwrap(), Err(AuthenticateError::Unknown)), "read once more");
    assert!(admission.authenticate(presented.as_bytes(), || None).await.is_err());
}

/// A store whose answer to `find` is held back until the gate lets it pass.
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

    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError> {
        let found = Tokens::find(&*self.store, digest).await;
        self.has_read.store(true, Ordering::Relaxed);
        self.gate.acquire().await.unwrap().forget();
        found
    }

    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError> {
        self.store.list(account).await
    }

    async fn revoke(&self, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.revoke(id, now).await
    }

    async fn revoke_own(&self, account: AccountId, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        self.store.revoke_own(account, id, now).await
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError> {
        self.store.note_uses(uses).await
    }

    async fn changes(&self, since: u64) -> Result<Changes, StoreError> {
        self.store.changes(since).await
    }
}
