//! Unknown tokens above the limit while the store takes long to list the known ones; tokens of suspended accounts.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::{Admission, ApiToken, AuthenticateError, Caller, CredentialCache, Places, Plans};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{
    AccountId, AccountStatus, Accounts, Changes, Credential, NewToken, StoreError, Token, TokenDigest, TokenId, Tokens,
};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::advance;

use super::fixture::{TestApp, new_token, plan};

/// Tokens whose list waits until the test lets it go.
struct SlowList(Arc<MemoryStore>, Semaphore);

#[async_trait]
impl Tokens for SlowList {
    async fn create(&self, token: &NewToken) -> Result<Token, StoreError> {
        Tokens::create(&*self.0, token).await
    }

    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError> {
        Tokens::find(&*self.0, digest).await
    }

    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError> {
        self.0.list(account).await
    }

    async fn revoke(&self, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        self.0.revoke(id, now).await
    }

    async fn revoke_own(&self, account: AccountId, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        self.0.revoke_own(account, id, now).await
    }

    async fn active(&self, after: Option<TokenId>, limit: u32) -> Result<Vec<(TokenId, TokenDigest)>, StoreError> {
        self.1.acquire().await.unwrap().forget();
        self.0.active(after, limit).await
    }

    async fn sweep(&self, ended_before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        Tokens::sweep(&*self.0, ended_before, limit).await
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError> {
        self.0.note_uses(uses).await
    }

    async fn changes(&self, since: u64) -> Result<Changes, StoreError> {
        self.0.changes(since).await
    }
}

struct Slow {
    app: TestApp,
    list: Arc<SlowList>,
    admission: Admission,
    places: Places,
}

impl Slow {
    async fn new() -> Self {
        let plans = [plan("free", 1_000_000, 1_000, 1_000)];
        let app = TestApp::with(&plans).await;
        let list = Arc::new(SlowList(app.store.clone(), Semaphore::new(0)));
        let plans = plans.into_iter().collect::<Plans>();
        let credentials = CredentialCache::new(list.clone(), app.clock.clone(), plans, app.meters.clone());
        let admission = Admission::new(Arc::new(credentials), app.clock.clone());
        Self { app, list, admission, places: Places::new(2) }
    }

    async fn present(&self, token: &ApiToken) -> Result<Arc<Caller>, AuthenticateError> {
        let from: IpAddr = [192, 0, 2, 1].into();
        let found = self.admission.authenticate(token.reveal().as_bytes(), &self.places, || Some(from)).await;
        found.map(|(caller, _)| caller)
    }
}

fn invented() -> ApiToken {
    ApiToken::generate(getrandom::fill).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_flood_during_a_slow_list_takes_no_places() {
    let slow = Arc::new(Slow::new().await);
    let (uncached, _) = new_token(&slow.app.store, &slow.app.account, 50).await;
    slow.present(&slow.app.token).await.unwrap();
    for _ in 0..20 {
        assert!(matches!(slow.present(&invented()).await, Err(AuthenticateError::Unknown)));
    }
    let mut flood = JoinSet::new();
    for _ in 0..50 {
        let slow = Arc::clone(&slow);
        flood.spawn(async move { slow.present(&invented()).await });
    }
    advance(Duration::from_millis(1)).await;
    assert!(slow.present(&slow.app.token).await.is_ok(), "a cached token");
    // It may be valid, so it is neither unknown nor one too many.
    assert!(matches!(slow.present(&uncached).await, Err(AuthenticateError::Store(_))));
    for refused in flood.join_all().await {
        assert!(matches!(refused, Err(AuthenticateError::Store(_))), "{:?}", refused.err());
    }
    slow.list.1.add_permits(1);
    assert!(slow.present(&uncached).await.is_ok(), "the list has arrived");
    let refused = slow.present(&invented()).await;
    assert!(matches!(refused, Err(AuthenticateError::TooManyUnknown { retry_after: 1 })), "{:?}", refused.err());
}

#[tokio::test]
async fn a_suspended_accounts_token_is_looked_up_once() {
    let slow = Slow::new().await;
    let store = &slow.app.store;
    let set = async |status| {
        store.set_status(slow.app.account.id, status).await.unwrap();
        slow.app.credentials.watch().await.unwrap();
    };
    set(AccountStatus::Suspended).await;
    let present = async || slow.app.caller().await;
    assert!(matches!(present().await, Err(AuthenticateError::Suspended)));
    let asked = store.asked();
    for _ in 0..100 {
        assert!(matches!(present().await, Err(AuthenticateError::Suspended)));
    }
    assert_eq!(store.asked(), asked);
    set(AccountStatus::Active).await;
    assert!(present().await.is_ok());
}
