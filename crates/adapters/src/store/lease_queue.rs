//! Joins concurrent lease requests into one statement or transaction (below: statement), so that they share one commit.
//!
//! One task writes the requests of all waiting callers while the next ones gather, and ends when none waits. After a
//! statement for several callers it waits a moment for them to request again: a statement for many costs little more
//! than one for a few.

use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{AccountId, Lease, Period, StoreError, StoreErrorKind, StoreResult};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::{Notify, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

/// A statement must be short because account changes wait for it. On SQLite, the time to bind parameters grows with the
/// square of the requests.
pub(super) const MAX_BATCH: usize = 128;

/// How long a statement waits for as many requests as the previous one had.
const GATHER_WITHIN: Duration = Duration::from_millis(1);

/// The maximum wait of a request that no statement has taken.
const MAX_WAIT: Duration = Duration::from_millis(400);

const TOO_MANY: &str = "too many leases wait for the store";
const SHARED_FAILURE: &str = "the statement that this lease was to be written with failed";

#[derive(Clone, Copy, Debug)]
pub(super) struct LeaseRequest {
    pub(super) account: AccountId,
    pub(super) period: Period,
    pub(super) limit: u64,
    pub(super) want: u64,
}

pub(super) trait LeaseWriter: Clone + Send + Sync + 'static {
    /// Leases for one account. Creates its row for the period if there is none.
    fn lease_alone(&self, request: LeaseRequest) -> impl Future<Output = StoreResult<Lease>> + Send;

    /// Leases from the rows of these different accounts. Missing rows are missing in the result, exhausted ones may be.
    fn lease_together(
        &self,
        period: Period,
        requests: &[LeaseRequest],
    ) -> impl Future<Output = StoreResult<Vec<(AccountId, Lease)>>> + Send;
}

/// `None` = the account has no row for the period, or nothing left.
type LeaseResult = StoreResult<Option<Lease>>;

#[derive(Debug)]
pub(super) struct LeaseQueue {
    state: Mutex<QueuedRequest>,
    /// Notified when [`QueuedRequest::enough`] requests wait.
    gathered: Notify,
    /// The writing task's runtime, which outlives the callers' runtimes.
    runtime: Handle,
}

#[derive(Debug, Default)]
struct QueuedRequest {
    /// Oldest first.
    waiting: VecDeque<WaitingRequest>,
    is_writing: bool,
    /// The number of requests in the latest statement.
    enough: usize,
}

#[derive(Debug)]
struct WaitingRequest {
    request: LeaseRequest,
    answer: oneshot::Sender<LeaseResult>,
    /// When it gives up waiting for a statement.
    until: Instant,
}

impl LeaseQueue {
    pub(super) fn new(runtime: Handle) -> Self {
        Self { state: Mutex::default(), gathered: Notify::new(), runtime }
    }

    /// Leases from an existing row, in one statement with other callers. If the future is dropped before the statement
    /// begins, nothing is leased.
    pub(super) async fn lease(self: &Arc<Self>, writer: &impl LeaseWriter, request: LeaseRequest) -> LeaseResult {
        let (answer, answered) = oneshot::channel();
        let until = Instant::now() + MAX_WAIT;
        let is_writing = {
            let mut state = self.state.lock();
            state.waiting.push_back(WaitingRequest { request, answer, until });
            if state.waiting.len() == state.enough {
                self.gathered.notify_one();
            }
            mem::replace(&mut state.is_writing, true)
        };
        if !is_writing {
            let (writer, mut writing) = (writer.clone(), Writing { queue: Arc::clone(self), has_ended: false });
            self.runtime.spawn(async move { writing.write_all(&writer).await });
        }
        answered.await.unwrap_or_else(|_| Err(abandoned()))
    }

    fn answer(
        &self,
        batch: &[LeaseRequest],
        answers: Vec<oneshot::Sender<LeaseResult>>,
        leases: StoreResult<Vec<(AccountId, Lease)>>,
    ) {
        match leases {
            Ok(mut leases) => {
                leases.sort_unstable_by_key(|(account, _)| *account);
                for (request, answer) in batch.iter().zip(answers) {
                    let found = leases.binary_search_by_key(&request.account, |(account, _)| *account).ok();
                    let lease = found.and_then(|at| leases.get(at)).map(|(_, lease)| *lease);
                    drop(answer.send(Ok(lease)));
                }
            }
            // All callers of the statement fail. If the store does not answer or takes no writes, those that gathered
            // meanwhile fail too: they would wait as long again, and nothing was leased to them.
            Err(error) => {
                let (kind, had_no_effect) = (error.kind, error.had_no_effect());
                let shared = || StoreError::new(kind).with_cause(SHARED_FAILURE);
                let mut answers = answers.into_iter();
                if let Some(first) = answers.next() {
                    drop(first.send(Err(error)));
                }
                for answer in answers {
                    drop(answer.send(Err(if had_no_effect { shared().without_effect() } else { shared() })));
                }
                if concerns_all(kind) {
                    for waiting in mem::take(&mut self.state.lock().waiting) {
                        drop(waiting.answer.send(Err(shared().without_effect())));
                    }
                }
            }
        }
    }

    async fn gather(&self) {
        let has_enough = || {
            let state = self.state.lock();
            state.waiting.len() >= state.enough
        };
        let gathering = async {
            while !has_enough() {
                self.gathered.notified().await;
            }
        };
        // Fewer callers than before are no failure.
        drop(timeout(GATHER_WITHIN, gathering).await);
    }

    /// Until when the oldest request waits, or a new one would.
    fn oldest_until(&self) -> Instant {
        self.state.lock().waiting.front().map_or_else(|| Instant::now() + MAX_WAIT, |oldest| oldest.until)
    }

    fn refuse_late(&self) {
        let mut state = self.state.lock();
        let now = Instant::now();
        while let Some(late) = state.waiting.pop_front_if(|oldest| oldest.until <= now) {
            let error = StoreError::new(StoreErrorKind::Unavailable).with_cause(TOO_MANY).without_effect();
            drop(late.answer.send(Err(error)));
        }
    }

    /// Takes the requests of one statement: of one period, one for each account, because a statement changes a row at
    /// most once. Drops the requests of callers that left. If none remains, the task ends.
    fn take(&self) -> (Vec<LeaseRequest>, Vec<oneshot::Sender<LeaseResult>>) {
        let (mut batch, mut answers, mut accounts) = (Vec::new(), Vec::new(), HashSet::new());
        let (mut state, mut rest) = (self.state.lock(), Vec::new());
        let waiting = &mut state.waiting;
        while batch.len() < MAX_BATCH && rest.len() < MAX_BATCH {
            let Some(next) = waiting.pop_front() else { break };
            let LeaseRequest { account, period, .. } = next.request;
            let is_of_period = batch.first().is_none_or(|first: &LeaseRequest| first.period == period);
            if next.answer.is_closed() {
                continue;
            }
            if is_of_period && accounts.insert(account) {
                batch.push(next.request);
                answers.push(next.answer);
            } else {
                rest.push(next);
            }
        }
        for left in rest.into_iter().rev() {
            waiting.push_front(left);
        }
        state.is_writing = !batch.is_empty();
        state.enough = batch.len();
        (batch, answers)
    }
}

struct Writing {
    queue: Arc<LeaseQueue>,
    /// Whether [`LeaseQueue::take`] found no request.
    has_ended: bool,
}

impl Writing {
    async fn write_all(&mut self, writer: &impl LeaseWriter) {
        loop {
            let (batch, answers) = self.queue.take();
            let Some(first) = batch.first() else { break };
            let statement = async {
                match batch.as_slice() {
                    [alone] => writer.lease_alone(*alone).await.map(|lease| vec![(alone.account, lease)]),
                    _ => writer.lease_together(first.period, &batch).await,
                }
            };
            let mut statement = pin!(statement);
            let leases = loop {
                tokio::select! {
                    biased;
                    leases = &mut statement => break leases,
                    () = sleep_until(self.queue.oldest_until()) => self.queue.refuse_late(),
                }
            };
            self.queue.answer(&batch, answers, leases);
            if batch.len() > 1 {
                self.queue.gather().await;
            }
        }
        self.has_ended = true;
    }
}

impl Drop for Writing {
    /// If the runtime ends, all callers fail, and another task may begin.
    fn drop(&mut self) {
        if !self.has_ended {
            let mut state = self.queue.state.lock();
            state.is_writing = false;
            state.waiting.clear();
        }
    }
}

/// Whether the next statement would fail with the same error.
const fn concerns_all(kind: StoreErrorKind) -> bool {
    matches!(kind, StoreErrorKind::Unavailable | StoreErrorKind::Unwritable)
}

/// The writing task was stopped: the statement may or may not have been written.
fn abandoned() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable).with_cause("the task that wrote this lease was stopped")
}
