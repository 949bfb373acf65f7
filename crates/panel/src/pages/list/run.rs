//! The run of a list: looks its items up in batches of the plan's size, at the plan's rate, without a browser.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_api::Operation;
use kuraka_app::{
    AdmitError, AuthenticateError, BatchResults, CalledOperation, ChargedCall, ListItem, Permit, calendar,
};
use kuraka_domain::{DatasetRole, Date, ResultCode};
use kuraka_ports::{Account, BatchOutcome, DatasetStatus, KeptList, ListStatus, StoreError, StoreErrorKind, chain};
use kuraka_tables::{Reading, Source};
use tokio::task::spawn_blocking;
use tokio::time::{interval, sleep};

use super::answer::{self, Answer, AnswerBatch, Answered};
use super::item::{self, Item, Kind};
use super::settings::{Settings, Uncovered};
use crate::error::PageError;
use crate::pages::packed_json::{pack, unpack};
use crate::pages::status_summary::Severity;
use crate::pages::upload::ROWS;
use crate::panel::Panel;

/// How often the lease of a run is renewed while a batch waits for its answers.
const RENEW: Duration = Duration::from_secs(1);

struct Run {
    kind: Kind,
    uncovered: Uncovered,
    /// Items without an answer, in their order.
    pending: Vec<Item>,
}

/// The items of a list, each once, in their order.
pub(super) fn items(reading: &Reading, kind: Kind, today: Date) -> Vec<Item> {
    let mut known = HashSet::new();
    let items = reading.list.iter().filter_map(|row| item::of_row(kind, row, today).ok());
    items.filter(|(text, _)| known.insert(text.clone())).collect()
}

/// What is kept of a list's results.
#[derive(Default)]
pub(super) struct ListResults {
    /// By item.
    pub(super) answers: HashMap<String, Arc<Answer>>,
    /// What each item was in the run before; empty if there was none of this kind.
    pub(super) before: HashMap<String, Severity>,
    /// The sources of the last batch, and the dates of their editions.
    pub(super) sources: Vec<(String, String)>,
}

impl ListResults {
    pub(super) fn new(batches: &[Vec<u8>]) -> Self {
        let mut results = Self::default();
        for batch in batches.iter().filter_map(|batch| unpack::<AnswerBatch>(batch)) {
            if !batch.before.is_empty() {
                results.before = batch.before;
                continue;
            }
            results.answers.extend(batch.answers.into_iter().map(|answer| (answer.item.clone(), answer.into())));
            results.sources = batch.sources;
        }
        results
    }

    /// What is kept of them, as [`ListResults::before`] of the next run.
    pub(super) fn into_comparison(self) -> Vec<u8> {
        let before: HashMap<_, _> = self.answers.into_iter().map(|(item, answer)| (item, answer.tone)).collect();
        let batch = AnswerBatch { before, ..AnswerBatch::default() };
        if batch.before.is_empty() { Vec::new() } else { pack(&batch).unwrap_or_default() }
    }
}

impl Panel {
    /// Works on a leased list until its run ends or `is_stopping`; then another server goes on. `charged` is called with
    /// what a batch was charged.
    ///
    /// # Errors
    /// Any error of the store. The run goes on when its lease has ended.
    pub async fn run_list(
        &self,
        (mut list, account): (KeptList, Account),
        is_stopping: impl Fn() -> bool,
        charged: impl Fn(CalledOperation, u64),
    ) -> Result<(), StoreError> {
        let Some(mut run) = self.read_run(&list).await? else {
            return self.lists.end(&list, ListStatus::Unanswered).await;
        };
        let mut failed = 0;
        loop {
            if run.pending.is_empty() {
                let status = if failed == 0 { ListStatus::Done } else { ListStatus::Unanswered };
                return self.lists.end(&list, status).await;
            }
            if is_stopping() {
                return self.lists.end(&list, ListStatus::Running).await;
            }
            let Some(plan) = self.plans.find(&account.plan) else {
                return self.lists.end(&list, ListStatus::Exhausted).await;
            };
            let used = self.usage.month(account.id, &plan).await?;
            let left = usize::try_from(used.left()).unwrap_or(usize::MAX);
            if left == 0 {
                return self.lists.end(&list, ListStatus::Exhausted).await;
            }
            let size = run.kind.batch(&plan).min(left).min(run.pending.len());
            let operation = run.kind.operation();
            let Some((call, _permit)) = self.admit_run(&account, operation).await? else { continue };
            let asked: Vec<Item> = run.pending.drain(..size).collect();
            let answered = match self.renewing(&list, self.look_up(&call, &run, &asked)).await? {
                Some(answered) => answered,
                None => return Ok(()),
            };
            let (answers, costs): (Vec<Answer>, Vec<u64>) = answered.into_iter().flatten().unzip();
            failed += asked.len() - answers.len();
            if answers.is_empty() {
                call.end(ResultCode::UpstreamUnavailable, None);
                return self.lists.end(&list, ListStatus::Unanswered).await;
            }
            let (items, queries) = (answers.len() as u64, costs.iter().sum());
            let status = match (run.pending.len(), failed) {
                (0, 0) => ListStatus::Done,
                (0, _) => ListStatus::Unanswered,
                _ => ListStatus::Running,
            };
            let batch = AnswerBatch {
                at: self.clock.now().as_second(),
                sources: sources_of(run.kind, &self.datasets.statuses()),
                padron: self.padron(),
                answers,
                before: HashMap::new(),
            };
            let results = pack(&batch).unwrap_or_default();
            match self.lists.charge(&call, &list, BatchResults { results, items, queries, status }).await {
                Ok(BatchOutcome::Stored) => {
                    call.end(ResultCode::Found, None);
                    charged(call.operation, queries);
                    (list.batches, list.status) = (list.batches + 1, status);
                }
                Ok(BatchOutcome::Exhausted) => return self.lists.end(&list, ListStatus::Exhausted).await,
                Ok(BatchOutcome::Superseded) => return Ok(()),
                Err(error) if error.kind == StoreErrorKind::LimitReached => {
                    return self.lists.end(&list, ListStatus::Full).await;
                }
                Err(error) => return Err(error),
            }
            if status != ListStatus::Running {
                return Ok(());
            }
        }
    }

    /// `None` = the list cannot be read as its settings say.
    async fn read_run(&self, list: &KeptList) -> Result<Option<Run>, StoreError> {
        let Some((source, results)) = self.lists.store.list_contents(list.account, list.id).await? else {
            return Ok(None);
        };
        let (settings, today) = (Settings::parse(&list.settings), calendar::today(list.ran));
        let read = spawn_blocking(move || {
            let kind = settings.kind()?;
            let reading = Source::from_bytes(&source).ok()?.reading(&settings.choice(), ROWS).ok()?;
            let known = ListResults::new(&results).answers;
            let mut pending = items(&reading, kind, today);
            pending.retain(|(text, _)| !known.contains_key(text));
            Some(Run { kind, uncovered: settings.uncovered(), pending })
        });
        Ok(read.await.ok().flatten())
    }

    /// A call of the owner, which costs nothing so far; `None` = it must be tried again.
    async fn admit_run(
        &self,
        account: &Account,
        operation: &Operation,
    ) -> Result<Option<(ChargedCall, Permit<'_>)>, StoreError> {
        let failed = |error: PageError| StoreError::new(StoreErrorKind::Unavailable).with_cause(chain(&error));
        let (called, limit) = self.operation(operation).map_err(failed)?;
        let (caller, permit) = match self.admission.owner(account, limit).await {
            Ok(admitted) => admitted,
            Err(AuthenticateError::Overloaded) => {
                sleep(Duration::from_secs(1)).await;
                return Ok(None);
            }
            Err(error) => return Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(chain(&error))),
        };
        match self.admission.admit(caller, called, || 0).await {
            Ok(call) => Ok(Some((call, permit))),
            Err(AdmitError::TooFast { retry_after, .. }) => {
                sleep(Duration::from_secs(retry_after.max(1))).await;
                Ok(None)
            }
            Err(error) => Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(chain(&error))),
        }
    }

    async fn look_up(&self, call: &ChargedCall, run: &Run, asked: &[Item]) -> Vec<Answered> {
        match run.kind {
            Kind::Vouchers => answer::vouchers(self, call, asked).await,
            Kind::Rucs | Kind::Days => {
                let answers = answer::taxpayers(self, call, (run.kind, run.uncovered), asked).await;
                answers.unwrap_or_else(|error| {
                    tracing::warn!(cause = chain(&error), "a list could not be looked up");
                    Vec::new()
                })
            }
        }
    }

    /// Renews the lease until `work` ends; `None` = the run has ended meanwhile.
    async fn renewing<T>(&self, list: &KeptList, work: impl Future<Output = T>) -> Result<Option<T>, StoreError> {
        let (mut work, mut renewal) = (std::pin::pin!(work), interval(RENEW));
        loop {
            tokio::select! {
                biased;
                done = &mut work => return Ok(Some(done)),
                _ = renewal.tick() => {
                    let store = &self.lists.store;
                    if !store.set_run(list, ListStatus::Running, self.lists.lease_end()).await? {
                        return Ok(None);
                    }
                }
            }
        }
    }

    /// The label of the padrón's edition and the digest of its file.
    fn padron(&self) -> Option<(String, String)> {
        let statuses = self.datasets.statuses();
        let edition = DatasetStatus::of_padron(&statuses)?.edition.as_ref()?;
        Some((edition.label.to_string(), edition.digest.as_ref()?.to_string()))
    }

    /// How many of these items cost a query.
    pub(super) fn price(&self, items: &[Item]) -> Price {
        let dated = items.iter().filter_map(|(_, subject)| subject.taxpayer());
        let dated: Vec<ListItem> = dated.filter(|(_, date)| date.is_some()).collect();
        let days = dated.first().and_then(|(ruc, _)| self.lookup_taxpayer.covered(*ruc));
        let is_free =
            |(_, date): &&ListItem| date.as_ref().zip(days.as_ref()).is_some_and(|(date, days)| days.is_free(date));
        let free: Vec<&ListItem> = dated.iter().filter(is_free).collect();
        let months = free.iter().filter(|(ruc, date)| {
            date.and_then(Result::ok).is_some_and(|date| self.lookup_taxpayer.month(*ruc, date).is_some())
        });
        Price { items: items.len() as u64, without: free.len() as u64, months: months.count() as u64 }
    }
}

/// Rows with a RUC that are no items of this kind.
pub(super) fn left_out(reading: &Reading, kind: Kind, today: Date) -> u64 {
    let rows = reading.list.iter().filter(|row| row.ruc.is_ok());
    rows.filter(|row| item::of_row(kind, row, today).is_err()).count() as u64
}

/// The titles and dates of what a list is looked up in.
pub(super) fn sources_of(kind: Kind, statuses: &[DatasetStatus]) -> Vec<(String, String)> {
    let is_of_vouchers = kind == Kind::Vouchers;
    let queried = is_of_vouchers.then(|| ("Consulta de validez de comprobantes de la SUNAT".to_owned(), String::new()));
    let is_read = |status: &&DatasetStatus| !is_of_vouchers || matches!(status.role, DatasetRole::Capacity);
    let known =
        statuses.iter().filter(is_read).filter_map(|status| Some((status.title, status.edition.as_ref()?.date)));
    queried.into_iter().chain(known.map(|(title, date)| (title.to_owned(), date.to_string()))).collect()
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Price {
    pub(super) items: u64,
    /// Items about a day that the record does not cover.
    pub(super) without: u64,
    /// Those of them whose month was published.
    pub(super) months: u64,
}

impl Price {
    /// If nothing is said of days that the record does not cover.
    pub(super) const fn queries(&self) -> u64 {
        self.items - self.without
    }
}

/// The day of a run, which decides what a list's rows mean.
pub(super) fn day_of_run(list: &KeptList, now: Timestamp) -> Date {
    calendar::today(if list.status == ListStatus::Read { now } else { list.ran })
}
