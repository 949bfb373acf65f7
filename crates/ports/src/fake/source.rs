//! A source of details that answers as a test has written down.

use std::collections::HashMap;
use std::future;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::{Ruc, TaxpayerDetail};

use super::lock;
use crate::{DetailAnswer, DetailOrigin, Freshness, SourceError, SourceErrorKind, TaxpayerSource};

/// A source that knows the taxpayers it was told of, and fails, dawdles or hangs where it was told to.
///
/// It waits on tokio's time and, like anything behind a network, never answers the first time it is polled.
#[derive(Debug)]
pub struct ScriptedSource {
    name: &'static str,
    origin: DetailOrigin,
    script: Mutex<Script>,
}

#[derive(Debug, Default)]
struct Script {
    taxpayers: HashMap<Ruc, Arc<TaxpayerDetail>>,
    failures: HashMap<Ruc, SourceErrorKind>,
    failure: Option<SourceErrorKind>,
    delay: Duration,
    hung: bool,
    asked: Vec<Ruc>,
    in_flight: usize,
}

impl ScriptedSource {
    /// A source that knows nobody yet: every RUC is absent.
    #[must_use]
    pub fn new(name: &'static str, origin: DetailOrigin) -> Self {
        Self { name, origin, script: Mutex::default() }
    }

    /// The same source, knowing `taxpayers` too.
    #[must_use]
    pub fn with(self, taxpayers: impl IntoIterator<Item = TaxpayerDetail>) -> Self {
        let known = taxpayers.into_iter().map(|taxpayer| (taxpayer.ruc, Arc::new(taxpayer)));
        lock(&self.script).taxpayers.extend(known);
        self
    }

    /// From now on every question fails with `kind`; with `None` the source works again.
    pub fn fail(&self, kind: impl Into<Option<SourceErrorKind>>) {
        lock(&self.script).failure = kind.into();
    }

    /// From now on a question for `ruc` fails with `kind`.
    pub fn fail_for(&self, ruc: Ruc, kind: SourceErrorKind) {
        lock(&self.script).failures.insert(ruc, kind);
    }

    /// From now on every answer and every failure takes this long.
    pub fn delay(&self, delay: Duration) {
        lock(&self.script).delay = delay;
    }

    /// Whether questions put from now on are never answered.
    pub fn hang(&self, hung: bool) {
        lock(&self.script).hung = hung;
    }

    /// Every RUC that was asked for, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Ruc> {
        lock(&self.script).asked.clone()
    }

    /// How many questions are neither answered nor dropped.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        lock(&self.script).in_flight
    }

    /// Notes the question; how long it takes, for ever if `None`.
    fn begin(&self, ruc: Ruc) -> (InFlight<'_>, Option<Duration>) {
        let mut script = lock(&self.script);
        script.asked.push(ruc);
        script.in_flight += 1;
        (InFlight(&self.script), (!script.hung).then_some(script.delay))
    }

    fn answer(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let script = lock(&self.script);
        match script.failure.or_else(|| script.failures.get(&ruc).copied()) {
            Some(kind) => Err(SourceError::new(self.name, kind)),
            None => Ok(DetailAnswer {
                taxpayer: script.taxpayers.get(&ruc).cloned(),
                origin: self.origin,
                freshness: Freshness::Live,
            }),
        }
    }
}

#[async_trait]
impl TaxpayerSource for ScriptedSource {
    fn name(&self) -> &str {
        self.name
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let (_in_flight, delay) = self.begin(ruc);
        match delay {
            None => future::pending().await,
            Some(Duration::ZERO) => tokio::task::yield_now().await,
            Some(delay) => tokio::time::sleep(delay).await,
        }
        self.answer(ruc)
    }
}

/// A question under way; dropped with it.
struct InFlight<'a>(&'a Mutex<Script>);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        lock(self.0).in_flight -= 1;
    }
}
