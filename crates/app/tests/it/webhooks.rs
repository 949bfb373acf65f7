//! Webhooks, with a feed, receivers and a time that the tests set.

mod deliveries;
mod outages;
mod own;
mod schedule;
mod servers;
mod signatures;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_app::webhooks::{WebhookContent, attempts};
use kuraka_app::{DeliverChanges, Notifier};
use kuraka_domain::{Date, Ruc};
use kuraka_ports::contract::samples::watch_limits;
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{
    AccountId, Accounts, AttemptResult, ChangeFeed, ChangedDatum, DatumChange, Email, FeedChange, FeedCursor,
    FeedError, FeedPage, FeedPosition, FeedQuery, FeedRucs, NoAnswer, PlanName, TokenKind, WatchListId, WatchLists,
    WatchedRuc, Webhook, WebhookRequest, WebhookSender, WebhookStatus, WebhookUrlError, Webhooks,
};
use tokio::runtime::Handle;
use tokio::task::yield_now;

pub(crate) const NOW: Timestamp = Timestamp::constant(1_795_000_000, 0);
pub(crate) const RUCS: [&str; 3] = ["20100070970", "20100119227", "20999990038"];

/// A feed of changes that a test publishes, each with a number that is its value.
#[derive(Default)]
pub(crate) struct Feed {
    changes: Mutex<Vec<FeedChange>>,
    /// Changes before this one are removed from the record.
    first: Mutex<usize>,
    /// Changes from this one on are not on this server yet.
    lags_at: Mutex<Option<usize>>,
}

fn cursor(number: usize) -> FeedCursor {
    let (dataset, label) = ("padron".to_owned(), "x".to_owned());
    FeedCursor {
        positions: vec![FeedPosition { dataset, number: number as u64, label, identity: "0".to_owned() }],
        within: None,
    }
}

#[async_trait]
impl ChangeFeed for Feed {
    fn data(&self) -> Vec<ChangedDatum> {
        ChangedDatum::all([])
    }

    async fn newest(&self) -> Result<FeedCursor, FeedError> {
        let lags_at = *self.lags_at.lock().unwrap();
        Ok(cursor(lags_at.unwrap_or(self.changes.lock().unwrap().len())))
    }

    async fn since(&self, _: Date) -> Result<FeedCursor, FeedError> {
        Ok(cursor(*self.first.lock().unwrap()))
    }

    async fn recover(&self, _: FeedCursor, _: Timestamp) -> Result<FeedCursor, FeedError> {
        Ok(cursor(*self.first.lock().unwrap()))
    }

    async fn empty_page(&self, after: &FeedCursor, _: Timestamp) -> Result<Option<FeedPage>, FeedError> {
        yield_now().await;
        let (end, next) = (self.newest().await?.positions[0].number, after.clone());
        let at = after.positions.first().map_or(0, |position| position.number);
        Ok((at >= end).then_some(FeedPage { changes: Vec::new(), next, is_last: at == end, blocks: 0 }))
    }

    async fn page(&self, query: FeedQuery) -> Result<FeedPage, FeedError> {
        yield_now().await;
        let mut at = query.after.positions.first().map_or(0, |position| position.number as usize);
        let end = self.newest().await?.positions[0].number as usize;
        if at < *self.first.lock().unwrap() {
            return Err(FeedError::NotRecorded { since: Date::parse("2026-11-20").ok() });
        }
        if at > end {
            return Ok(FeedPage { changes: Vec::new(), next: query.after, is_last: false, blocks: 0 });
        }
        let FeedRucs::Watched(watched) = query.rucs else { panic!("every company is asked for") };
        assert!(query.one_publication && query.data.is_none());
        assert_eq!(query.new_since, NOW, "when the webhook was created");
        let (all, mut found) = (self.changes.lock().unwrap().clone(), Vec::<FeedChange>::new());
        while at < end && found.len() < query.limit {
            let change = &all[at];
            if found.first().is_some_and(|first| first.edition != change.edition) {
                break;
            }
            if watched.rucs().contains(&change.ruc) {
                found.push(change.clone());
            }
            at += 1;
        }
        Ok(FeedPage { changes: found, next: cursor(at), is_last: at == end, blocks: 0 })
    }
}

/// A receiver that answers 200, unless a test says otherwise, and notes what it got.
#[derive(Default)]
pub(crate) struct Receiver {
    pub(crate) got: Mutex<Vec<WebhookRequest>>,
    pub(crate) answers: Mutex<VecDeque<(AttemptResult, Option<Duration>)>>,
    /// Whether requests get no answer at all, not even an error: their server is killed meanwhile.
    pub(crate) hangs: Mutex<bool>,
}

#[async_trait]
impl WebhookSender for Receiver {
    fn check(&self, url: &str, _: bool) -> Result<String, WebhookUrlError> {
        if url.starts_with("https://") { Ok(url.replace('\t', "")) } else { Err(WebhookUrlError::Scheme) }
    }

    async fn send(&self, request: &WebhookRequest) -> (AttemptResult, Option<Duration>) {
        yield_now().await;
        self.got.lock().unwrap().push(request.clone());
        yield_now().await;
        if *self.hangs.lock().unwrap() {
            std::future::pending::<()>().await;
        }
        self.answers.lock().unwrap().pop_front().unwrap_or((answered(200), None))
    }
}

pub(crate) fn answered(status: u16) -> AttemptResult {
    AttemptResult::Answered { status, text: String::new() }
}

pub(crate) const DEAD: AttemptResult = AttemptResult::NoAnswer(NoAnswer::Connection);

/// What a step did.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// No webhook was due.
    Idle,
    /// A webhook had nothing to be told.
    NothingNew,
    Attempted,
}

/// One account with one webhook, and any number of servers.
pub(crate) struct World {
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) receiver: Arc<Receiver>,
    pub(crate) account: AccountId,
    pub(crate) webhook: Webhook,
    pub(crate) server: Arc<Notifier>,
    pub(crate) deliver: DeliverChanges,
}

fn change(ruc: &str, edition: &str, after: &str) -> FeedChange {
    FeedChange {
        ruc: Ruc::parse(ruc).unwrap(),
        date: Date::parse("2026-11-20").unwrap(),
        edition: edition.into(),
        what: DatumChange { datum: ChangedDatum::Condition, before: "".into(), after: after.to_owned().into() },
    }
}

/// The values of the changes, with commas between them.
fn write(_: Timestamp, content: WebhookContent<'_>) -> String {
    match content {
        WebhookContent::Test => "prueba".to_owned(),
        WebhookContent::Changes { changes, .. } => {
            changes.iter().map(|change| change.what.after.clone()).collect::<Vec<_>>().join(",")
        }
    }
}

impl World {
    /// The account watches all of [`RUCS`].
    pub(crate) async fn new() -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(NOW)));
        let (feed, receiver) = (Arc::<Feed>::default(), Arc::<Receiver>::default());
        let email = Email::parse("ana@kuraka.example").unwrap();
        let account = Accounts::create(&*store, &email, &PlanName::parse("free").unwrap(), None, NOW).await.unwrap().id;
        let server = Arc::new(Notifier {
            store: store.clone(),
            watched: store.clone(),
            test_change: Box::new(|| change(RUCS[0], "sample", "sample")),
            feed: feed.clone(),
            sender: receiver.clone(),
            clock: clock.clone(),
            random: getrandom::fill,
            write,
            limits: attempts(),
            runtime: Handle::current(),
        });
        let deliver = DeliverChanges { queue: store.clone(), notifier: Arc::clone(&server), tells_owners: true };
        let webhook = server.create(account, "https://example.pe/avisos", false, TokenKind::Live).await.unwrap();
        let world = Self { store, clock, feed, receiver, account, webhook, server, deliver };
        for ruc in RUCS {
            world.watch(ruc).await;
        }
        world
    }

    /// The same with three webhooks, and their addresses.
    pub(crate) async fn with_three() -> (Self, [&'static str; 3]) {
        let (world, others) = (Self::new().await, ["https://example.pe/dos", "https://example.pe/tres"]);
        for other in others {
            world.server.create(world.account, other, false, TokenKind::Live).await.unwrap();
        }
        (world, ["https://example.pe/avisos", others[0], others[1]])
    }

    pub(crate) async fn watch(&self, ruc: &str) {
        let added = WatchedRuc { ruc: Ruc::parse(ruc).unwrap(), code: None };
        let list = WatchListId::live(self.account);
        self.store.change(list, &[added], &[], watch_limits(10)).await.unwrap().unwrap();
    }

    /// Publishes an edition in which so many changes of each RUC are found, one RUC after another.
    pub(crate) fn publish(&self, edition: &str, rucs: &[&str], each: usize) {
        let mut changes = self.feed.changes.lock().unwrap();
        for ruc in rucs.iter().flat_map(|ruc| std::iter::repeat_n(ruc, each)) {
            let after = changes.len().to_string();
            changes.push(change(ruc, edition, &after));
        }
    }

    /// Does one step of the delivery.
    pub(crate) async fn step(&self) -> Step {
        let Some(leased) = self.deliver.lease().await.unwrap() else { return Step::Idle };
        self.deliver.deliver(&leased).await.unwrap().map_or(Step::NothingNew, |_| Step::Attempted)
    }

    /// Steps until nothing is due.
    pub(crate) async fn settle(&self) {
        for _ in 0..10_000 {
            if self.step().await == Step::Idle {
                return;
            }
        }
        panic!("a webhook is always due");
    }

    /// Lets this time pass second by second, with all steps that are due.
    pub(crate) async fn pass(&self, time: Duration) {
        for _ in 0..time.as_secs() {
            self.clock.advance(Duration::from_secs(1));
            self.settle().await;
        }
    }

    pub(crate) fn answer(&self, result: AttemptResult, wait: Option<u64>) {
        self.receiver.answers.lock().unwrap().push_back((result, wait.map(Duration::from_secs)));
    }

    /// What the receiver got: id, body, and seconds since the beginning.
    pub(crate) fn got(&self) -> Vec<(String, String, i64)> {
        self.got_at("")
    }

    /// The same, of the webhook with this address.
    pub(crate) fn got_at(&self, url: &str) -> Vec<(String, String, i64)> {
        let got = self.receiver.got.lock().unwrap();
        let since = |at: i64| at - NOW.as_second();
        let of = got.iter().filter(|one| url.is_empty() || one.url == url);
        of.map(|one| (one.message.clone(), one.body.clone(), since(one.timestamp))).collect()
    }

    pub(crate) fn bodies(&self) -> Vec<String> {
        self.got().into_iter().map(|(_, body, _)| body).collect()
    }

    pub(crate) async fn status(&self) -> WebhookStatus {
        self.store.webhook(None, self.webhook.id).await.unwrap().unwrap().status
    }
}

/// The numbers from the first to before the second, with commas between them.
pub(crate) fn numbers(from: usize, to: usize) -> String {
    (from..to).map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}
