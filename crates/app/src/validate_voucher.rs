//! Validates vouchers with SUNAT's voucher service, one or a batch.

use std::collections::{HashMap, HashSet};
use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use kuraka_domain::Voucher;
use kuraka_ports::{Origin, SourceError, VoucherAnswer, VoucherValidator};
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep_until, timeout};

use crate::ChargedCall;

const BATCH_DEADLINE: Duration = Duration::from_secs(30);

/// `POST /cpe` and `POST /cpe-multiple`.
pub struct ValidateVoucher {
    validator: Arc<dyn VoucherValidator>,
    /// The requests of all batches.
    batch_permits: Arc<Semaphore>,
    share: usize,
}

impl ValidateVoucher {
    /// `validator` is the layered voucher service, which serves `at_once` requests. Batches get a quarter of them.
    pub fn new(validator: Arc<dyn VoucherValidator>, at_once: usize) -> Self {
        let share = (at_once / 4).max(1);
        Self { validator, batch_permits: Arc::new(Semaphore::new(share)), share }
    }

    /// SUNAT's current answer about `voucher`, `NO EXISTE` included.
    ///
    /// # Errors
    /// `Rejected` if the service calls the data invalid. Any other kind: no usable answer.
    pub async fn run(&self, _call: &ChargedCall, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.validator.validate(voucher).await
    }

    /// [`ValidateVoucher::run`] for all these vouchers concurrently; equal ones share a request. A voucher without an
    /// answer after 30 s, or when `stop` completes, is left out.
    pub async fn run_all(
        &self,
        _call: &ChargedCall,
        vouchers: impl IntoIterator<Item = Voucher>,
        stop: impl Future<Output = ()>,
    ) -> HashMap<Voucher, Result<VoucherAnswer, SourceError>> {
        let mut known = HashSet::new();
        let vouchers: Vec<_> = vouchers.into_iter().filter(|voucher| known.insert(*voucher)).collect();
        let ask = async |voucher| {
            // Never closed. Batches take permits in turn, whatever their sizes.
            let turn = Arc::clone(&self.batch_permits).acquire_owned().await;
            let validator = Arc::clone(&self.validator);
            // The request outlives the batch and keeps its permit.
            let asked = tokio::spawn(Origin::current().scope(async move {
                let answer = validator.validate(voucher).await;
                drop(turn);
                answer
            }));
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

/// Completes at the time in `ends`, shortly before a stopping server drops its calls.
pub async fn drained(mut ends: watch::Receiver<Option<Instant>>) {
    let end = ends.wait_for(Option::is_some).await.ok().and_then(|end| *end);
    match end {
        Some(end) => sleep_until(end).await,
        None => pending().await,
    }
}
