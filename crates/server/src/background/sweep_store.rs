//! Deletes ended rows from the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{IssuedCertificates, Lists, Mails, OwnTokens, SignIn, Usage};
use kuraka_ports::Audit;

use super::{Job, have_succeeded};
use crate::metrics::Metrics;

/// The job that deletes expired sessions, tokens 90 days after their end, old daily usage, old lists, old certificates,
/// expired lines of the audit log, what is left of old mails, and accounts that were not confirmed within 72 hours. Expired
/// sessions are refused even before they are deleted.
pub struct SweepStore {
    pub sign_in: Arc<SignIn>,
    pub own_tokens: Arc<OwnTokens>,
    pub usage: Arc<Usage>,
    pub lists: Arc<Lists>,
    pub certificates: Arc<IssuedCertificates>,
    pub audit: Arc<dyn Audit>,
    pub mails: Mails,
    pub metrics: Arc<Metrics>,
}

impl Job for SweepStore {
    const NAME: &'static str = "sweep_store";
    const STALLED_AFTER: Option<Duration> = None;
    const EVERY: Duration = Duration::from_secs(3_600);

    async fn tick(&mut self) -> bool {
        let done = [
            ("expired sessions", self.sign_in.sweep().await),
            ("ended tokens", self.own_tokens.sweep().await),
            ("old daily usage", self.usage.forget().await),
            ("old lists", self.lists.sweep().await),
            ("old certificates", self.certificates.sweep().await),
            ("expired lines of the audit log", self.audit.expire_lines().await),
            ("old mails and unconfirmed accounts", self.mails.sweep().await),
        ];
        have_succeeded(done, &self.metrics)
    }
}
