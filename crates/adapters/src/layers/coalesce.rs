//! Coalesce: identical concurrent calls share one request.

use std::hash::Hash;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kuraka_domain::{Ruc, Voucher};
use kuraka_ports::{
    DetailAnswer, SourceError, SourceErrorKind, SourceLoad, TaxpayerSource, VoucherAnswer, VoucherValidator,
};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::single_flight::SingleFlight;

/// A source that gets one request for all concurrent callers with the same query `Q`.
///
/// Cancellation: a caller that disconnects does not affect the others. Without callers the request still completes, to
/// fill the cache inside.
pub struct Coalesce<S: ?Sized, Q, A> {
    inner: Arc<S>,
    requests: SingleFlight<Q, Result<A, SourceError>>,
    load: Arc<watch::Sender<SourceLoad>>,
}

impl<S: ?Sized, Q, A> Coalesce<S, Q, A>
where
    Q: Copy + Eq + Hash + Send + 'static,
    A: Clone + Send + Sync + 'static,
{
    pub fn new(inner: Arc<S>, runtime: Handle) -> Self {
        Self { inner, requests: SingleFlight::new(runtime), load: Arc::default() }
    }

    /// Notifies when a caller or a request begins or ends.
    pub fn load(&self) -> watch::Receiver<SourceLoad> {
        self.load.subscribe()
    }

    /// The answer to the request in flight, or to a new one.
    async fn share(
        &self,
        source: &str,
        query: Q,
        ask: impl FnOnce(Arc<S>) -> BoxFuture<'static, Result<A, SourceError>>,
    ) -> Result<A, SourceError> {
        let _caller = Counted::new(&self.load, |load| &mut load.callers);
        let answer = self.requests.join(query, || {
            let request = Counted::new(&self.load, |load| &mut load.requests);
            let answer = ask(Arc::clone(&self.inner));
            async move {
                let answer = answer.await;
                drop(request);
                answer
            }
        });
        let lost = || SourceError::new(source.to_owned(), SourceErrorKind::Unavailable).with_cause(LostRequestError);
        answer.await.unwrap_or_else(|| Err(lost()))
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Coalesce<S, Ruc, DetailAnswer> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let ask = |inner: Arc<S>| async move { inner.detail(ruc).await }.boxed();
        self.share(self.inner.name(), ruc, ask).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Coalesce<S, Voucher, VoucherAnswer> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        let ask = |inner: Arc<S>| async move { inner.validate(voucher).await }.boxed();
        self.share(self.inner.name(), voucher, ask).await
    }
}

/// The request panicked, or its runtime has shut down.
#[derive(Debug, Error)]
#[error("the task that asked the source ended without an answer, see the log before this line")]
struct LostRequestError;

/// Counts a caller or a request until it is dropped.
struct Counted {
    load: Arc<watch::Sender<SourceLoad>>,
    count: fn(&mut SourceLoad) -> &mut usize,
}

impl Counted {
    fn new(load: &Arc<watch::Sender<SourceLoad>>, count: fn(&mut SourceLoad) -> &mut usize) -> Self {
        load.send_modify(|load| *count(load) += 1);
        Self { load: Arc::clone(load), count }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.load.send_modify(|load| *(self.count)(load) -= 1);
    }
}
