//! Joins concurrent lease requests into one statement or transaction (below: statement), so that they share one commit.
//!
//! One task writes the requests of all waiting callers while the next ones gather. After a statement for several callers
//! it waits a moment for them to request again: a statement for many costs little more than one for a few.

use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use kuraka_ports::{AccountId, Lease, Period, StoreError, StoreErrorKind};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until, timeout};

/// A statement must be short because account changes wait for it. On SQLite, the time to bind parameters grows with the
/// square of the requests.
pub(super) const MAX_BATCH: usize = 128;

/// How long a statement waits for as many requests as the previous one had.
const GATHER_WITHIN: Duration = Duration::from_millis(1);

/// The maximum wait of a request that no statement has taken.
const MAX_WAIT: Duration = Duration::from_millis(400);

const TOO_MANY: &str = "too many leases wait for the store";

#[derive(Clone, Copy, Debug)]
pub(super) struct LeaseRequest {
    pub(super) account: AccountId,
    pub(super) period: Period,
    pub(super) limit: u64,
    pub(super) want: u64,
}

pub(super) trait LeaseWriter: Clone + Send + Sync + 'static {
    /// Leases for one account. Creates its row for the period if there is none.
    fn lease_alone(&self, request: LeaseRequest) -> impl Future<Output = Result<Lease, StoreError>> + Send;

    /// Leases from the rows of these different accounts. Missing rows are missing in the result, exhausted ones may be.
    fn lease_together(
        &self,
        period: Period,
        requests: &[LeaseRequest],
    ) -> impl Future<Output = Result<Vec<(AccountId, Lease)>, StoreError>> + Send;
}

/// `None` = the account has no row for the period, or nothing left.
type LeaseResult = Result<Option<Lease>, StoreError>;

#[derive(Clone, Debug)]
pub(super) struct LeaseQueue<W>(mpsc::UnboundedSender<WaitingRequest<W>>);

#[derive(Debug)]
struct WaitingRequest<W> {
    /// The task has none of its own, so that it ends with the last store.
    writer: W,
    request: LeaseRequest,
    answer: oneshot::Sender<LeaseResult>,
    /// When it gives up waiting for a statement.
    until: Instant,
}

impl<W: LeaseWriter> LeaseQueue<W> {
    /// `runtime` outlives the callers' runtimes.
    pub(super) fn new(runtime: &Handle) -> Self {
        let (requests, received) = mpsc::unbounded_channel();
        runtime.spawn(Writing { received, waiting: VecDeque::new() }.write_all());
        Self(requests)
    }

    /// Leases from an existing row, in one statement with other callers. If the future is dropped before the statement
    /// begins, nothing is leased.
    pub(super) async fn lease(&self, writer: &W, request: LeaseRequest) -> LeaseResult {
        let (answer, answered) = oneshot::channel();
        let waiting = WaitingRequest { writer: writer.clone(), request, answer, until: Instant::now() + MAX_WAIT };
        // If the task was stopped, the statement may or may not have been written.
        drop(self.0.send(waiting));
        answered.await.unwrap_or_else(|_| {
            Err(StoreError::new(StoreErrorKind::Unavailable).with_cause("the task that writes leases was stopped"))
        })
    }
}

struct Writing<W> {
    received: mpsc::UnboundedReceiver<WaitingRequest<W>>,
    /// Oldest first.
    waiting: VecDeque<WaitingRequest<W>>,
}

impl<W: LeaseWriter> Writing<W> {
    async fn write_all(mut self) {
        let mut latest = 0;
        while self.gather(latest).await {
            let batch = self.take();
            latest = batch.len();
            let leases = self.write(&batch).await;
            self.answer(batch, leases);
        }
    }

    /// Writes one statement, while others gather or become too late.
    async fn write(&mut self, batch: &[WaitingRequest<W>]) -> Result<Vec<(AccountId, Lease)>, StoreError> {
        let requests: Vec<_> = batch.iter().map(|waiting| waiting.request).collect();
        let statement = async {
            match (batch, requests.as_slice()) {
                ([WaitingRequest { writer, .. }], [alone]) => {
                    writer.lease_alone(*alone).await.map(|lease| vec![(alone.account, lease)])
                }
                ([WaitingRequest { writer, request, .. }, ..], all) => writer.lease_together(request.period, all).await,
                ([], _) => Ok(Vec::new()),
            }
        };
        let mut statement = pin!(statement);
        loop {
            let oldest = self.waiting.front().map_or_else(|| Instant::now() + MAX_WAIT, |oldest| oldest.until);
            tokio::select! {
                biased;
                leases = &mut statement => return leases,
                Some(waiting) = self.received.recv() => self.waiting.push_back(waiting),
                () = sleep_until(oldest) => self.refuse_late(),
            }
        }
    }

    /// Waits for a request, or a moment for as many as the latest statement had, if it had several. `false` = no store
    /// is left.
    async fn gather(&mut self, latest: usize) -> bool {
        if latest > 1 {
            let gathering = async {
                while self.waiting.len() < latest
                    && let Some(waiting) = self.received.recv().await
                {
                    self.waiting.push_back(waiting);
                }
            };
            // Fewer callers than before are no failure.
            drop(timeout(GATHER_WITHIN, gathering).await);
        }
        if self.waiting.is_empty() {
            self.waiting.extend(self.received.recv().await);
        }
        while let Ok(waiting) = self.received.try_recv() {
            self.waiting.push_back(waiting);
        }
        !self.waiting.is_empty()
    }

    /// Takes the requests of one statement: of one period, one for each account, because a statement changes a row at
    /// most once. Drops the requests of callers that left.
    fn take(&mut self) -> Vec<WaitingRequest<W>> {
        let (mut batch, mut rest, mut accounts) = (Vec::<WaitingRequest<W>>::new(), Vec::new(), HashSet::new());
        while batch.len() < MAX_BATCH && rest.len() < MAX_BATCH {
            let Some(next) = self.waiting.pop_front() else { break };
            let LeaseRequest { account, period, .. } = next.request;
            if next.answer.is_closed() {
                continue;
            }
            if batch.first().is_none_or(|first| first.request.period == period) && accounts.insert(account) {
                batch.push(next);
            } else {
                rest.push(next);
            }
        }
        for left in rest.into_iter().rev() {
            self.waiting.push_front(left);
        }
        batch
    }

    fn answer(&mut self, batch: Vec<WaitingRequest<W>>, leases: Result<Vec<(AccountId, Lease)>, StoreError>) {
        match leases {
            Ok(mut leases) => {
                leases.sort_unstable_by_key(|(account, _)| *account);
                for WaitingRequest { request, answer, .. } in batch {
                    let found = leases.binary_search_by_key(&request.account, |(account, _)| *account).ok();
                    let lease = found.and_then(|at| leases.get(at)).map(|(_, lease)| *lease);
                    drop(answer.send(Ok(lease)));
                }
            }
            // All callers of the statement fail. If the store does not answer or takes no writes, those that gathered
            // meanwhile fail too: they would wait as long again, and nothing was leased to them.
            Err(error) => {
                for waiting in batch {
                    drop(waiting.answer.send(Err(error.clone())));
                }
                if matches!(error.kind, StoreErrorKind::Unavailable | StoreErrorKind::Unwritable) {
                    for waiting in self.waiting.drain(..) {
                        drop(waiting.answer.send(Err(error.clone().without_effect())));
                    }
                }
            }
        }
    }

    fn refuse_late(&mut self) {
        let now = Instant::now();
        while let Some(late) = self.waiting.pop_front_if(|oldest| oldest.until <= now) {
            let error = StoreError::new(StoreErrorKind::Unavailable).with_cause(TOO_MANY).without_effect();
            drop(late.answer.send(Err(error)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use tokio::runtime::Builder;
    use tokio::task::yield_now;

    use super::*;

    #[derive(Clone)]
    struct Writer;

    impl LeaseWriter for Writer {
        async fn lease_alone(&self, _: LeaseRequest) -> Result<Lease, StoreError> {
            pending().await
        }

        async fn lease_together(&self, _: Period, _: &[LeaseRequest]) -> Result<Vec<(AccountId, Lease)>, StoreError> {
            pending().await
        }
    }

    #[test]
    fn a_stopped_runtime_fails_all_callers() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let queue = LeaseQueue::new(runtime.handle());
        let lease = |account| {
            let period = kuraka_ports::contract::samples::PERIOD;
            queue.lease(&Writer, LeaseRequest { account: AccountId(account), period, limit: 10, want: 1 })
        };
        let mut written = pin!(join_all([lease(1), lease(2)]));
        assert!(written.as_mut().now_or_never().is_none());
        // The statement begins.
        runtime.block_on(yield_now());
        let mut waiting = pin!(lease(3));
        assert!(waiting.as_mut().now_or_never().is_none());

        drop(runtime);
        let mut outcomes = written.now_or_never().unwrap();
        outcomes.extend([waiting.now_or_never().unwrap(), lease(4).now_or_never().unwrap()]);
        let failed = outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(|error| !error.had_no_effect()));
        assert_eq!((outcomes.len(), failed.count()), (4, 4), "{outcomes:?}");
    }
}
