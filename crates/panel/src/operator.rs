//! What only the server knows and does, for the operator's pages.

use std::collections::BTreeMap;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_ports::{AccountPage, StoreError, WebhookCounts};

use crate::source_status::State;

#[async_trait]
pub trait Operator: Send + Sync + 'static {
    async fn health(&self) -> Result<Health, StoreError>;

    /// Begins an update of a dataset. `false` = this server does not update it.
    fn update(&self, dataset: &str) -> bool;

    /// Rolls a dataset back, if the edition with the label `from` is current. `false` = it was not rolled back, and the
    /// log says why.
    async fn roll_back(&self, dataset: &str, from: &str) -> bool;
}

pub type Counts = BTreeMap<String, Vec<(String, u64)>>;

/// Sources, jobs and counts are this server's alone.
#[derive(Clone, Debug, Default)]
pub struct Health {
    pub servers: u64,
    pub jobs: Vec<(&'static str, Duration, bool)>,
    pub sources: Vec<(String, State)>,
    /// The last hour and the last day, or a shorter time.
    pub periods: [RecentCounts; 2],
    /// As [`kuraka_ports::Outbox::count_mails`].
    pub mails: [u64; 2],
    pub webhooks: WebhookCounts,
    /// As [`kuraka_ports::WebhookQueue::owners_of_failing`].
    pub failing: Vec<(String, AccountPage)>,
}

/// In seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeBound {
    AtMost(f64),
    /// Than is measured.
    MoreThan(f64),
}

#[derive(Clone, Debug, Default)]
pub struct RecentCounts {
    pub duration: Duration,
    pub answers: Counts,
    /// What half and 99 % of an operation's answers took at most; `None` = unknown.
    pub times: BTreeMap<String, [Option<TimeBound>; 2]>,
    pub sources: Counts,
    pub mails_given_up: u64,
}
