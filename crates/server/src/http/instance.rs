//! What answers a call: the published data and the real sources, or the test data. Admission chooses by the token, once
//! for each call, and a handler gets nothing but the chosen instance.

use std::any::Any;
use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use kuraka_app::{LookupDetail, LookupTaxpayer, ValidateVoucher, Watching};
use kuraka_ports::{Datasets, TokenKind};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, OnceCell};
use tokio::time::Instant;

use crate::panics;

/// After a failure no other test instance is made for this long.
const FAILED_FOR: Duration = Duration::from_secs(60);

type Failure = Box<dyn Error + Send + Sync>;

/// What runs for the test instance, and stops when dropped.
pub type Running = Box<dyn Any + Send + Sync>;

/// Why there is no test instance, now and until `FAILED_FOR` has passed.
#[derive(Clone, Debug, Error)]
#[error("test tokens cannot be answered, next attempt in {retry_after} s")]
pub struct NoTestInstanceError {
    /// In seconds.
    pub(super) retry_after: u64,
    source: Arc<dyn Error + Send + Sync>,
}

pub struct Instance {
    pub datasets: Arc<dyn Datasets>,
    pub lookup_taxpayer: Arc<LookupTaxpayer>,
    /// `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// `POST /cpe`.
    pub validate_voucher: Arc<ValidateVoucher>,
    /// `/seguimiento` and `/cambios`.
    pub watching: Arc<Watching>,
}

pub type MakeTest = Arc<dyn Fn() -> BoxFuture<'static, Result<(Instance, Running), Failure>> + Send + Sync>;

pub struct Instances {
    live: Instance,
    test: Arc<TestInstance>,
    runtime: Handle,
}

struct TestInstance {
    made: OnceCell<(Instance, Running)>,
    make: MakeTest,
    failed: Mutex<Option<(Instant, NoTestInstanceError)>>,
}

impl Instances {
    /// The test instance is made on `runtime`, at its first call.
    pub fn new(live: Instance, make: MakeTest, runtime: Handle) -> Self {
        let test = Arc::new(TestInstance { made: OnceCell::new(), make, failed: Mutex::default() });
        Self { live, test, runtime }
    }

    pub(super) async fn for_kind(&self, kind: TokenKind) -> Result<&Instance, NoTestInstanceError> {
        if kind == TokenKind::Live {
            return Ok(&self.live);
        }
        if self.test.made.get().is_none() {
            let test = Arc::clone(&self.test);
            // A task of its own, which ends although the caller disconnects.
            let made = self.runtime.spawn(async move { test.make().await }).await;
            made.map_err(|stopped| NoTestInstanceError::new(stopped.into()))??;
        }
        let made = self.test.made.get().map(|(instance, _)| instance);
        made.ok_or_else(|| NoTestInstanceError::new("the test instance is not made".into()))
    }
}

impl TestInstance {
    /// Makes the instance, one caller at a time, unless it is made or has failed a short while ago.
    async fn make(&self) -> Result<(), NoTestInstanceError> {
        let mut failed = self.failed.lock().await;
        if let Some((at, error)) = &*failed
            && let Some(left) = FAILED_FOR.checked_sub(at.elapsed())
        {
            return Err(NoTestInstanceError {
                retry_after: left.as_secs() + u64::from(left.subsec_nanos() > 0),
                ..error.clone()
            });
        }
        let made = AssertUnwindSafe(self.made.get_or_try_init(|| (self.make)())).catch_unwind().await;
        let made = made.unwrap_or_else(|panic| Err(panics::message(panic.as_ref()).into()));
        made.map(drop).map_err(|source| {
            let error = NoTestInstanceError::new(source);
            *failed = Some((Instant::now(), error.clone()));
            error
        })
    }
}

impl NoTestInstanceError {
    fn new(source: Failure) -> Self {
        Self { retry_after: FAILED_FOR.as_secs(), source: source.into() }
    }
}
