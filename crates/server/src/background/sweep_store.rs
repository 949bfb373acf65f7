//! Deletes ended rows from the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::DeleteOldRows;
use kuraka_ports::Audit;

use super::{Job, have_succeeded};
use crate::metrics::Metrics;

/// The job that deletes expired sessions, tokens 90 days after their end, old daily usage, old lists, old certificates,
/// expired lines of the audit log, what is left of old mails, old deliveries, and accounts that were not
/// confirmed within 72 hours. Expired sessions are refused even before they are deleted.
pub struct SweepStore {
    pub old_rows: DeleteOldRows,
    pub audit: Arc<dyn Audit>,
    pub metrics: Arc<Metrics>,
}

impl Job for SweepStore {
    const NAME: &'static str = "sweep_store";
    const EVERY: Duration = Duration::from_secs(3_600);

    async fn tick(&mut self, _: u64) -> bool {
        let mut done = self.old_rows.run().await;
        done.push(("expired lines of the audit log", self.audit.expire_lines().await));
        have_succeeded(done, &self.metrics)
    }
}
