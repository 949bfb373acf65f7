//! The application on fakes, with one account and one token.

use std::convert::Infallible;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_app::{
    AccountMeters, Admission, AdmitError, ApiToken, AuthenticateError, CalledOperation, Caller, ChargedCall,
    ConcurrencyLimit, CredentialCache, DeleteOldRows, Lists, Plan, Plans,
};
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{Account, Accounts, Clock, Email, NewToken, PlanName, Token, TokenKey, TokenKind, Tokens};
use tokio::runtime::Handle;

// The operations of the meters.
pub(crate) const SUMMARY: CalledOperation = CalledOperation { name: "ruc", index: 0, in_usage: true };
pub(crate) const DETAIL: CalledOperation = CalledOperation { name: "ruc-official", index: 1, in_usage: true };

pub(crate) struct TestApp {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) account: Account,
    pub(crate) token: ApiToken,
    pub(crate) kept: Token,
    pub(crate) meters: Arc<AccountMeters>,
    pub(crate) credentials: Arc<CredentialCache>,
    pub(crate) admission: Arc<Admission>,
}

pub(crate) fn plan(name: &str, queries: u64, rate: u64, burst: u64) -> Plan {
    Plan::new(PlanName::parse(name).unwrap(), queries, rate, burst).unwrap()
}

impl TestApp {
    /// The server has these plans; the account is on the first.
    pub(crate) async fn with(plans: &[Plan]) -> Self {
        let store = Arc::new(MemoryStore::new());
        let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
        clock.set("2026-11-20T15:00:00Z".parse().unwrap());
        let now = clock.now();
        let email = Email::parse("a@b.pe").unwrap();
        let account = Accounts::create(&*store, &email, &plans[0].name, None, now).await.unwrap();
        let (token, kept) = new_token(&store, &account, 7).await;
        let meters = Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current()));
        let plans = plans.iter().cloned().collect::<Plans>();
        let credentials = Arc::new(cache(store.clone(), clock.clone(), plans, meters.clone()));
        credentials.watch().await.unwrap();
        let admission = Arc::new(Admission::new(credentials.clone(), clock.clone()));
        Self { store, clock, account, token, kept, meters, credentials, admission }
    }

    pub(crate) async fn caller(&self) -> Result<Arc<Caller>, AuthenticateError> {
        self.caller_of(&self.token).await
    }

    pub(crate) async fn caller_of(&self, token: &ApiToken) -> Result<Arc<Caller>, AuthenticateError> {
        let limit = ConcurrencyLimit::new(1);
        self.admission.authenticate(token.reveal().as_bytes(), &limit, || None).await.map(|(caller, _)| caller)
    }

    /// Admits a call of one query.
    pub(crate) async fn admit(&self, caller: Arc<Caller>) -> Result<ChargedCall, AdmitError> {
        self.admission.admit(caller, DETAIL, || 1).await
    }
}

/// A cache of the tokens of a store in memory.
pub(crate) fn cache(
    tokens: Arc<dyn Tokens>,
    clock: Arc<ManualClock>,
    plans: Plans,
    meters: Arc<AccountMeters>,
) -> CredentialCache {
    CredentialCache::new(tokens, MemoryStore::TOKEN_KEY, clock, plans, meters)
}

/// Creates another token of an account.
pub(crate) async fn new_token(store: &MemoryStore, account: &Account, seed: u8) -> (ApiToken, Token) {
    let token = token(seed);
    let kept = store_token(store, account, &token).await;
    (token, kept)
}

/// Creates another account of the plan `free`, with a token.
pub(crate) async fn another_account(store: &MemoryStore, seed: u8) -> (Account, ApiToken) {
    let (email, free) = (Email::parse(&format!("{seed}@example.pe")).unwrap(), PlanName::parse("free").unwrap());
    let account = Accounts::create(store, &email, &free, None, Timestamp::UNIX_EPOCH).await.unwrap();
    let (token, _) = new_token(store, &account, seed).await;
    (account, token)
}

/// Stores a token of an account.
pub(crate) async fn store_token(store: &MemoryStore, account: &Account, token: &ApiToken) -> Token {
    let new = NewToken {
        account: account.id,
        name: "a token".to_owned(),
        digest: token.digest(),
        prefix: token.prefix().to_owned(),
        created: Timestamp::UNIX_EPOCH,
        expires: None,
        allowed: Vec::new(),
    };
    Tokens::create(store, &new).await.unwrap()
}

/// A token with a right checksum.
pub(crate) fn token(seed: u8) -> ApiToken {
    token_of(&MemoryStore::TOKEN_KEY, seed.into())
}

/// A token of this number instead of random bytes.
pub(crate) fn token_of(key: &TokenKey, number: u64) -> ApiToken {
    ApiToken::generate(TokenKind::Live, key, bytes_from(number)).unwrap()
}

/// A generator of bytes that a test can repeat (splitmix64).
pub(crate) fn bytes_from(mut state: u64) -> impl FnMut(&mut [u8]) -> Result<(), Infallible> {
    move |bytes| {
        for chunk in bytes.chunks_mut(8) {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// Deletes what a store has kept long enough.
pub(crate) async fn delete_old_rows(store: &Arc<MemoryStore>, clock: &Arc<ManualClock>) {
    let lists = Arc::new(Lists::new(store.clone(), clock.clone(), getrandom::fill, 30));
    let old_rows = DeleteOldRows { store: store.clone(), lists, clock: clock.clone() };
    for (what, deleted) in old_rows.run().await {
        deleted.unwrap_or_else(|error| panic!("{what}: {error}"));
    }
}
