//! Joins leases that are requested at the same time into one statement, so that they share one commit.
//!
//! The first caller to get its turn writes the requests of every waiting caller. Meanwhile the next ones gather. A lone
//! request is written at once.

use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kuraka_ports::{AccountId, Lease, Period, StoreError, StoreErrorKind};
use tokio::sync::oneshot;
use tokio::time::sleep;

/// Most requests in one statement. Its time must stay short, because account changes wait for it.
const MOST: usize = 256;

/// The longest wait of a request that no statement has taken.
const LONGEST_WAIT: Duration = Duration::from_millis(400);

const TOO_MANY: &str = "too many leases wait for the store";
const SHARED_FAILURE: &str = "the statement that this lease was to be written with failed";

/// A request for a lease.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeaseRequest {
    pub(super) account: AccountId,
    pub(super) period: Period,
    pub(super) limit: u64,
    pub(super) want: u64,
}

/// Writes leases to a ledger.
pub(super) trait LeaseWriter: Sync {
    /// Leases for one account. Creates its row for the period if there is none.
    fn lease_alone(&self, request: LeaseRequest) -> impl Future<Output = Result<Lease, StoreError>> + Send;

    /// Leases from the rows of these accounts, which are all different. Rows that do not exist or have nothing left are
    /// missing in the result.
    fn lease_together(
        &self,
        period: Period,
        requests: &[LeaseRequest],
    ) -> impl Future<Output = Result<Vec<(AccountId, Lease)>, StoreError>> + Send;
}

/// The result of a request; `None` if the account has no row for the period or nothing is left.
type Outcome = Result<Option<Lease>, StoreError>;

/// Requests that wait to be written.
#[derive(Debug, Default)]
pub(super) struct LeaseQueue {
    waiting: Mutex<VecDeque<Waiting>>,
    /// Held by the caller that writes.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Waiting {
    request: LeaseRequest,
    answer: oneshot::Sender<Outcome>,
    /// Whether a statement has taken the request. Changed under the lock of the queue.
    is_taken: Arc<AtomicBool>,
}

impl LeaseQueue {
    /// Leases from an existing row, in one statement with other callers.
    ///
    /// If the future is dropped before the statement began, nothing is leased.
    pub(super) async fn lease(&self, writer: &impl LeaseWriter, request: LeaseRequest) -> Outcome {
        let (answer, mut answered) = oneshot::channel();
        let is_taken = Arc::new(AtomicBool::new(false));
        self.lock().push_back(Waiting { request, answer, is_taken: Arc::clone(&is_taken) });
        let turn = tokio::select! {
            biased;
            outcome = &mut answered => return outcome.unwrap_or_else(|_| Err(abandoned())),
            turn = self.turn.lock() => Some(turn),
            () = sleep(LONGEST_WAIT) => None,
        };
        if turn.is_none() {
            // Under the lock, so that no caller takes the request meanwhile.
            let waiting = self.lock();
            if !is_taken.load(Ordering::Relaxed) {
                answered.close();
                drop(waiting);
                return Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(TOO_MANY).without_effect());
            }
            drop(waiting);
            return answered.await.unwrap_or_else(|_| Err(abandoned()));
        }
        loop {
            // The caller before may have written this request in the last moment; it is answered then.
            match answered.try_recv() {
                Ok(outcome) => return outcome,
                Err(oneshot::error::TryRecvError::Closed) => return Err(abandoned()),
                Err(oneshot::error::TryRecvError::Empty) => self.write(writer).await,
            }
        }
    }

    /// Writes the next requests and answers their callers. The caller holds `turn`.
    async fn write(&self, writer: &impl LeaseWriter) {
        let (batch, answers) = self.take();
        let Some(first) = batch.first() else { return };
        let leases = match batch.as_slice() {
            [alone] => writer.lease_alone(*alone).await.map(|lease| vec![(alone.account, lease)]),
            _ => writer.lease_together(first.period, &batch).await,
        };
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
            // meanwhile fail too, because they would wait as long again; nothing was leased to them.
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
                    for waiting in mem::take(&mut *self.lock()) {
                        drop(waiting.answer.send(Err(shared().without_effect())));
                    }
                }
            }
        }
    }

    /// Takes the requests of one statement: of one period, and one for each account, because a statement changes a row
    /// at most once. Requests of callers that left are dropped.
    fn take(&self) -> (Vec<LeaseRequest>, Vec<oneshot::Sender<Outcome>>) {
        let (mut batch, mut answers, mut accounts) = (Vec::new(), Vec::new(), HashSet::new());
        let (mut waiting, mut rest) = (self.lock(), Vec::new());
        while batch.len() < MOST && rest.len() < MOST {
            let Some(next) = waiting.pop_front() else { break };
            let LeaseRequest { account, period, .. } = next.request;
            let is_of_period = batch.first().is_none_or(|first: &LeaseRequest| first.period == period);
            if next.answer.is_closed() {
                continue;
            }
            if is_of_period && accounts.insert(account) {
                next.is_taken.store(true, Ordering::Relaxed);
                batch.push(next.request);
                answers.push(next.answer);
            } else {
                rest.push(next);
            }
        }
        for left in rest.into_iter().rev() {
            waiting.push_front(left);
        }
        (batch, answers)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an error of one statement would be that of the next too.
const fn concerns_all(kind: StoreErrorKind) -> bool {
    match kind {
        StoreErrorKind::Unavailable | StoreErrorKind::Unwritable => true,
        StoreErrorKind::Conflict | StoreErrorKind::Missing | StoreErrorKind::Unreadable => false,
    }
}

/// The writing caller left, so the statement may or may not have been written.
fn abandoned() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable).with_cause("the caller that wrote this lease left")
}
