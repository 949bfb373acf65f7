//! The use case that validates vouchers with SUNAT's voucher service, one or a batch.

use std::collections::{HashMap, HashSet};
use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use kuraka_domain::Voucher;
use kuraka_ports::{SourceError, VoucherAnswer, VoucherValidator};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until, timeout};

use crate::ChargedCall;

/// The deadline of a batch.
const BATCH_DEADLINE: Duration = Duration::from_secs(30);

/// Implements `POST /cpe` and `POST /cpe-multiple`.
pub struct ValidateVoucher {
    validator: Arc<dyn VoucherValidator>,
    /// The requests of all batches at one time.
    batch_permits: Arc<Semaphore>,
    /// How many there may be.
    share: usize,
}

impl ValidateVoucher {
    /// `validator` is the voucher service with all its layers, which serves `at_once` requests concurrently. Batches
    /// get a quarter of them, to leave room for single vouchers.
    #[must_use]
    pub fn new(validator: Arc<dyn VoucherValidator>, at_once: usize) -> Self {
        let share = (at_once / 4).max(1);
        Self { validator, batch_permits: Arc::new(Semaphore::new(share)), share }
    }

    /// SUNAT's current answer about `voucher`. Every status is an answer, including `NO EXISTE`.
    ///
    /// # Errors
    /// `Rejected` if the service reports that the voucher's data is invalid. Any other kind: no usable answer.
    pub async fn run(&self, _call: &ChargedCall, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.validator.validate(voucher).await
    }

    /// [`ValidateVoucher::run`] for each of these vouchers, concurrently; equal ones share a request. A voucher without
    /// an answer after 30 s, or when `stop` completes, is not in the result.
    pub async fn run_all(
        &self,
        _call: &ChargedCall,
        vouchers: impl IntoIterator<Item = Voucher>,
        stop: impl Future<Output = ()>,
    ) -> HashMap<Voucher, Result<VoucherAnswer, SourceError>> {
        let mut known = HashSet::new();
        let vouchers: Vec<_> = vouchers.into_iter().filter(|voucher| known.insert(*voucher)).collect();
        let ask = async |voucher| {
            // Never closed. Batches get their permits one request after the other, whatever their sizes.
            let turn = Arc::clone(&self.batch_permits).acquire_owned().await;
            let validator = Arc::clone(&self.validator);
            // The request continues after the batch has ended, and keeps its permit.
            let asked = tokio::spawn(async move {
                let answer = validator.validate(voucher).await;
                drop(turn);
                answer
            });
            Some((voucher, asked.await.ok()?))
        };
        let mut asked = stream::iter(vouchers).map(ask).buffer_unordered(self.share);
        let (mut answers, mut end) = (HashMap::new(), pin!(timeout(BATCH_DEADLINE, stop)));
        loop {
            tokio::select! {
                biased;
                answer = asked.next() => match answer {
                    Some(answer) => answers.extend(answer),
                    None => return answers,
                },
                _ = &mut end => return answers,
            }
        }
    }
}

/// Completes at the time in `ends`, shortly before a stopping server drops the calls in progress; never while it is
/// `None`.
pub async fn drained(mut ends: watch::Receiver<Option<Instant>>) {
    let end = ends.wait_for(Option::is_some).await.ok().and_then(|end| *end);
    match end {
        Some(end) => sleep_until(end).await,
        None => pending().await,
    }
}
