//! Idle accounts are evicted without losing leases, charges or counts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::{AccountMeters, Admission, AdmitError, ApiToken, Caller, ConcurrencyLimit, Usage};
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{
    Account, AccountId, AccountRole, AccountStatus, Changed, Changes, Credential, Email, Lease, NewToken, Period,
    PlanName, Revision, SecretDigest, StoreError, StoreErrorKind, Token, TokenId, TokenKey, Tokens, UsageLedger,
};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::fixture::{DETAIL, SUMMARY, TestApp, another_account, cache, plan, token_of};
use crate::quota::NOVEMBER;
use crate::reliability::{figure, number};

/// Longer than an account may be idle.
const A_WHILE: Duration = Duration::from_secs(601);

#[tokio::test]
async fn an_evicted_account_comes_back_unchanged() {
    let app = TestApp::with(&[plan("free", 1_000_000, 10, 10)]).await;
    let usage = Usage::new(app.store.clone(), app.store.clone(), app.meters.clone(), app.clock.clone());
    let caller = app.caller().await.unwrap();
    assert_eq!(app.admit(caller.clone()).await.unwrap().limits().left, Some(999_999));
    caller.count(SUMMARY, ResultCode::Found);
    drop(caller);
    let sweep = || {
        app.credentials.drop_idle();
        app.meters.evict_idle();
        (app.credentials.callers_held(), app.meters.accounts_held())
    };
    assert_eq!(sweep(), (1, 1), "lately used");
    app.clock.advance(A_WHILE);
    assert_eq!(sweep(), (0, 1), "holds a block");
    // The second time finds that it has none.
    app.meters.settle_idle().await.unwrap();
    app.meters.settle_idle().await.unwrap();
    assert_eq!(sweep(), (0, 0));
    usage.write().await.unwrap();
    assert_eq!(app.admit(app.caller().await.unwrap()).await.unwrap().limits().left, Some(999_998));
    assert_eq!(usage.daily.since(app.account.id, Date::MIN).await.unwrap()[0].count, 1);
}

#[tokio::test]
async fn an_account_over_its_rate_is_not_evicted() {
    let app = TestApp::with(&[plan("free", 1_000, 1, 1_000)]).await;
    let caller = app.caller().await.unwrap();
    for _ in 0..700 {
        app.admit(Arc::clone(&caller)).await.unwrap();
    }
    drop(caller);
    app.credentials.note_uses().await.unwrap();
    app.clock.advance(A_WHILE);
    app.credentials.drop_idle();
    app.meters.settle_idle().await.unwrap();
    app.meters.evict_idle();
    assert_eq!(app.meters.accounts_held(), 1, "99 calls are missing in the bucket");
    app.clock.advance(Duration::from_secs(100));
    app.meters.evict_idle();
    assert_eq!(app.meters.accounts_held(), 0);
}

#[tokio::test]
async fn an_account_with_a_running_call_is_not_evicted() {
    let app = TestApp::with(&[plan("free", 1_000, 10, 10)]).await;
    let caller = app.caller().await.unwrap();
    app.clock.advance(A_WHILE);
    app.credentials.drop_idle();
    app.meters.evict_idle();
    assert_eq!((app.credentials.callers_held(), app.meters.accounts_held()), (0, 1));
    let other = app.caller().await.unwrap();
    app.admit(caller).await.unwrap();
    assert_eq!(app.admit(other).await.unwrap().limits().rate.remaining, 8, "one bucket");
}

/// Many accounts call, and each of them is idle and evicted many times.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eviction_keeps_every_charge_and_count_exact() {
    const CALLS: u64 = 3_000;
    let app = Arc::new(TestApp::with(&[plan("free", 1_000_000, 1_000_000, 1_000_000)]).await);
    let usage = Usage::new(app.store.clone(), app.store.clone(), app.meters.clone(), app.clock.clone());
    let mut owners = Vec::new();
    for number in 0..8_u8 {
        let (account, token) = another_account(&app.store, 100 + number).await;
        owners.push((account.id, token));
    }
    let mut callers = JoinSet::new();
    for (_, token) in &owners {
        for _ in 0..2 {
            let (app, token) = (Arc::clone(&app), token.clone());
            callers.spawn(async move {
                let mut comebacks = 0;
                for call in 0..CALLS {
                    let caller: Arc<Caller> = app.caller_of(&token).await.unwrap();
                    // A new entry has not asked the ledger yet.
                    comebacks += u64::from(app.admission.limit_status(&caller).left.is_none());
                    // The sweeper may move the clock between the two times that a rate reads it.
                    let charged = loop {
                        match app.admission.admit(Arc::clone(&caller), DETAIL, || 1 + call % 3).await {
                            Ok(charged) => break charged,
                            Err(AdmitError::TooFast { .. }) => tokio::task::yield_now().await,
                            Err(error) => panic!("{error}"),
                        }
                    };
                    charged.end(ResultCode::Found, None);
                    if call % 10 == 0 {
                        charged.refund();
                    }
                    drop((caller, charged));
                    for _ in 0..4 {
                        tokio::task::yield_now().await;
                    }
                }
                comebacks
            });
        }
    }
    let (done, sweeping) = (Arc::new(AtomicBool::new(false)), Arc::clone(&app));
    let sweeper = tokio::spawn({
        let done = Arc::clone(&done);
        async move {
            while !done.load(Ordering::Relaxed) {
                sweeping.clock.advance(A_WHILE);
                // Keeps all calls in one month.
                sweeping.clock.set("2026-11-20T15:00:00Z".parse().unwrap());
                sweeping.credentials.drop_idle();
                sweeping.meters.settle_idle().await.unwrap();
                usage.write().await.unwrap();
                sweeping.credentials.note_uses().await.unwrap();
                sweeping.meters.evict_idle();
                tokio::task::yield_now().await;
            }
            usage
        }
    });
    let comebacks: u64 = callers.join_all().await.iter().sum();
    done.store(true, Ordering::Relaxed);
    let usage = sweeper.await.unwrap();
    assert!(comebacks > 50, "evicted only {comebacks} times");
    assert!(app.meters.settle_all().await.is_empty());
    usage.write().await.unwrap();
    let charged: u64 = (0..CALLS).filter(|call| call % 10 != 0).map(|call| 1 + call % 3).sum();
    for (account, _) in owners {
        assert_eq!(app.store.used(account, NOVEMBER).await.unwrap(), 2 * charged);
        let counts = usage.daily.since(account, Date::MIN).await.unwrap();
        // A call that was refused for the rate, and made again, is counted too, with its own code.
        let found = counts.iter().filter(|count| count.code == ResultCode::Found);
        assert_eq!(found.map(|count| count.count).sum::<u64>(), 2 * CALLS);
    }
}

/// Any number of accounts, each with one token.
#[derive(Default)]
struct World {
    used: Mutex<HashMap<AccountId, u64>>,
    asked: AtomicU64,
}

#[async_trait]
impl Tokens for World {
    async fn find(&self, digest: &SecretDigest) -> Result<Option<Credential>, StoreError> {
        let id = i64::from_le_bytes(*digest.0.first_chunk().unwrap());
        let account = Account {
            id: AccountId(id),
            email: Email::parse("a@b.pe").unwrap(),
            plan: PlanName::parse("free").unwrap(),
            status: AccountStatus::Active,
            role: AccountRole::Member,
            created: Timestamp::UNIX_EPOCH,
        };
        Ok(Some(Credential { token: TokenId(id), account, expires: None, allowed: Vec::new() }))
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError> {
        self.asked.fetch_add(uses.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    async fn changes(&self, since: Revision) -> Result<Changes, StoreError> {
        Ok(Changes { latest: since, what: Changed::Named { accounts: Vec::new(), tokens: Vec::new() } })
    }

    async fn create(&self, _: &NewToken) -> Result<Token, StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable))
    }

    async fn list(&self, _: AccountId) -> Result<Vec<Token>, StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable))
    }

    async fn token_key(&self) -> Result<TokenKey, StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable))
    }

    async fn revoke(&self, _: Option<AccountId>, _: TokenId, _: Timestamp) -> Result<bool, StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable))
    }
}

#[async_trait]
impl UsageLedger for World {
    async fn lease(&self, account: AccountId, _: Period, limit: u64, want: u64) -> Result<Lease, StoreError> {
        let mut used = self.used.lock().unwrap();
        let used = used.entry(account).or_default();
        let granted = want.min(limit - *used);
        *used += granted;
        Ok(Lease { granted, used: *used })
    }

    async fn settle(&self, account: AccountId, _: Period, unused: u64) -> Result<(), StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        *self.used.lock().unwrap().entry(account).or_default() -= unused;
        Ok(())
    }

    async fn used(&self, account: AccountId, _: Period) -> Result<u64, StoreError> {
        Ok(self.used.lock().unwrap().get(&account).copied().unwrap_or(0))
    }
}

fn numbered(number: u64) -> ApiToken {
    token_of(&MemoryStore::TOKEN_KEY, number)
}

#[tokio::test]
async fn the_memory_of_many_idle_accounts_is_freed() {
    let accounts = number("ACCOUNTS", 200_000);
    let world = Arc::new(World::default());
    let clock = Arc::new(ManualClock::at("2026-11-20T15:00:00Z".parse().unwrap()));
    let meters = Arc::new(AccountMeters::new(world.clone(), clock.clone(), Handle::current()));
    let plans = [plan("free", 1_000_000, 1_000, 1_000)].into_iter().collect();
    let credentials = Arc::new(cache(world.clone(), clock.clone(), plans, meters.clone()));
    let admission = Admission::new(credentials.clone(), clock.clone());
    let (mut most_callers, mut most_accounts) = (0, 0);
    for number in 0..accounts {
        let (caller, _) = admission
            .authenticate(numbered(number).reveal().as_bytes(), &ConcurrencyLimit::new(1), || None)
            .await
            .unwrap();
        // Some accounts call; the others are only authenticated.
        if number % 100 == 0 {
            admission.admit(caller, DETAIL, || 1).await.unwrap();
        }
        if number % 10_000 == 0 {
            clock.advance(Duration::from_secs(2));
            meters.settle_idle().await.unwrap();
            credentials.note_uses().await.unwrap();
            meters.evict_idle();
            most_callers = most_callers.max(credentials.callers_held());
            most_accounts = most_accounts.max(meters.accounts_held());
        }
    }
    assert!(most_callers <= 131_072, "{most_callers} callers");
    assert!(most_accounts <= 131_072 + 20_000, "{most_accounts} accounts");

    // A sweep visits only active accounts: a thousand sweeps of all accounts would take minutes.
    let (active, _) = admission
        .authenticate(numbered(accounts - 1).reveal().as_bytes(), &ConcurrencyLimit::new(1), || None)
        .await
        .unwrap();
    clock.advance(Duration::from_secs(2));
    meters.settle_idle().await.unwrap();
    credentials.note_uses().await.unwrap();
    let asked = world.asked.load(Ordering::Relaxed);
    let began = Instant::now();
    for _ in 0..1_000 {
        admission.admit(Arc::clone(&active), DETAIL, || 1).await.unwrap();
        clock.advance(Duration::from_secs(1));
        meters.settle_idle().await.unwrap();
        credentials.note_uses().await.unwrap();
        meters.evict_idle();
    }
    let (took, held) = (began.elapsed(), meters.accounts_held());
    assert!(took < Duration::from_secs(5), "{took:?} beside {held} accounts");
    assert!(world.asked.load(Ordering::Relaxed) - asked <= 2_100, "one block and one use a sweep");

    drop(active);
    clock.advance(A_WHILE);
    credentials.drop_idle();
    meters.settle_idle().await.unwrap();
    credentials.note_uses().await.unwrap();
    meters.settle_idle().await.unwrap();
    meters.evict_idle();
    assert_eq!((credentials.callers_held(), meters.accounts_held()), (0, 0));
    figure(
        "Q15",
        &format!("{accounts} accounts seen, one in a hundred calls"),
        &format!(
            "at most {most_callers} callers and {most_accounts} accounts held, none after ten idle minutes; \
             a sweep beside {held} accounts {:.0} µs",
            took.as_secs_f64() * 1e3
        ),
    );
}

/// A store that needs 300 ms for each returned block.
struct SlowLedger {
    store: Arc<MemoryStore>,
    clock: Arc<ManualClock>,
    settled: AtomicU64,
}

#[async_trait]
impl UsageLedger for SlowLedger {
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> Result<Lease, StoreError> {
        self.store.lease(account, period, limit, want).await
    }

    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> Result<(), StoreError> {
        self.clock.advance(Duration::from_millis(300));
        self.settled.fetch_add(1, Ordering::Relaxed);
        self.store.settle(account, period, unused).await
    }

    async fn used(&self, account: AccountId, period: Period) -> Result<u64, StoreError> {
        self.store.used(account, period).await
    }
}

#[tokio::test]
async fn accounts_that_become_idle_together_are_settled_a_second_at_a_time() {
    let free = plan("free", 1_000_000, 10, 10);
    let app = TestApp::with(std::slice::from_ref(&free)).await;
    let (store, clock) = (app.store.clone(), app.clock.clone());
    let ledger = Arc::new(SlowLedger { store: store.clone(), clock: clock.clone(), settled: AtomicU64::new(0) });
    let meters = Arc::new(AccountMeters::new(ledger.clone(), clock.clone(), Handle::current()));
    let plans = [free.clone()].into_iter().collect();
    let credentials = Arc::new(cache(store.clone(), clock.clone(), plans, meters.clone()));
    credentials.watch().await.unwrap();
    let admission = Admission::new(credentials, clock.clone());
    for seed in 20..30 {
        let (_, token) = another_account(&store, seed).await;
        let limit = ConcurrencyLimit::new(1);
        let (caller, _) = admission.authenticate(token.reveal().as_bytes(), &limit, || None).await.unwrap();
        admission.admit(caller, DETAIL, || 1).await.unwrap();
    }
    clock.advance(A_WHILE);
    for settled in [4, 8, 10] {
        meters.settle_idle().await.unwrap();
        assert_eq!(ledger.settled.load(Ordering::Relaxed), settled);
    }
}
