//! What answers a call: the published data and the real sources, or the test data. Admission chooses by the token, once
//! for each call, and a handler gets nothing but the chosen instance.

use std::error::Error;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use kuraka_app::{
    ConcurrencyLimit, LookupDetail, LookupHistory, LookupTaxpayer, SearchTaxpayers, ValidateVoucher, Watching,
};
use kuraka_ports::{Datasets, TokenKind};
use tokio::runtime::Handle;
use tokio::sync::OnceCell;

use crate::metrics::Metrics;

type Failure = Box<dyn Error + Send + Sync>;

/// The use cases, and the data and sources behind them.
pub struct Instance {
    /// The state of the datasets.
    pub datasets: Arc<dyn Datasets>,
    /// The lookups in the published files.
    pub lookup_taxpayer: Arc<LookupTaxpayer>,
    /// `POST /ruc-historial`.
    pub lookup_history: Arc<LookupHistory>,
    /// `POST /ruc-busqueda`.
    pub search_taxpayers: Arc<SearchTaxpayers>,
    /// `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// `POST /cpe`.
    pub validate_voucher: Arc<ValidateVoucher>,
    /// `/seguimiento` and `/cambios`.
    pub watching: Arc<Watching>,
    /// Counts the answers. Nobody reads those of the test instance but [`Metrics::record_test_answer`]'s.
    pub metrics: Arc<Metrics>,
}

/// Makes the test instance.
pub type MakeTest = Arc<dyn Fn() -> BoxFuture<'static, Result<Instance, Failure>> + Send + Sync>;

/// The instance of live tokens, and that of test tokens.
pub struct Instances {
    live: Instance,
    test: Arc<OnceCell<Instance>>,
    make_test: MakeTest,
    runtime: Handle,
    /// The limits of test calls, which take no permit of a live one.
    pub(super) test_concurrency: Vec<ConcurrencyLimit>,
}

impl Instances {
    /// The test instance is made on `runtime`, at its first call.
    #[must_use]
    pub fn new(live: Instance, make_test: MakeTest, runtime: Handle, test_concurrency: Vec<ConcurrencyLimit>) -> Self {
        Self { live, test: Arc::default(), make_test, runtime, test_concurrency }
    }

    pub(super) async fn for_kind(&self, kind: TokenKind) -> Result<&Instance, Failure> {
        if kind == TokenKind::Live {
            return Ok(&self.live);
        }
        if self.test.get().is_none() {
            let (test, make) = (Arc::clone(&self.test), Arc::clone(&self.make_test));
            // A task of its own, which ends although the caller disconnects.
            self.runtime.spawn(async move { test.get_or_try_init(|| make()).await.map(drop) }).await??;
        }
        self.test.get().ok_or_else(|| "the test instance is not made".into())
    }

    /// The instance of [`Instances::for_kind`], if it is made.
    pub(super) fn made(&self, kind: TokenKind) -> Option<&Instance> {
        match kind {
            TokenKind::Live => Some(&self.live),
            TokenKind::Test => self.test.get(),
        }
    }
}
