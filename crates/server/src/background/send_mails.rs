//! Sends the mails of the store, and tells the operator what needs attention.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::Breaker;
use kuraka_app::webhooks::DeliverError;
use kuraka_app::{AccountMeters, MailChanges, MailOutcome, Mails, Plans};
use kuraka_panel::mail_message;
use kuraka_ports::{Datasets, Email, LeasedMail, MailSender, StoreError};
use tokio::time::sleep;

use super::{Job, Stopping};
use crate::logs;
use crate::metrics::Metrics;

/// A minute.
const TICKS_PER_LOOK: u64 = 120;
/// 4 s: a mail leaves within 5 s of its cause.
const TICKS_PER_TELL: u64 = 8;
/// How long a stopping server waits for a mail. Another server, or the next start, attempts it again.
const FINISH_WITHIN: Duration = Duration::from_secs(3);

/// One after the other.
pub struct SendMails {
    pub mails: Mails,
    pub sender: Arc<dyn MailSender>,
    /// `http.public_url`.
    pub public_url: String,
    /// `panel.contact`.
    pub contact: Option<String>,
    /// `mail.operator`.
    pub operator: Option<Email>,
    pub changes: Option<Arc<MailChanges>>,
    /// Whose use is looked at.
    pub plans: Plans,
    pub meters: Arc<AccountMeters>,
    pub datasets: Arc<dyn Datasets>,
    pub breakers: Vec<Arc<Breaker>>,
    pub metrics: Arc<Metrics>,
    /// How often each source had refused them when it was looked at.
    pub refused: HashMap<String, u64>,
    /// Whether changes wait.
    pub has_more: bool,
    /// Ends an attempt.
    pub stopping: Stopping,
}

impl SendMails {
    async fn look(&mut self, number: u64) -> Result<(), StoreError> {
        if !number.is_multiple_of(TICKS_PER_LOOK) {
            return Ok(());
        }
        if let Some(operator) = &self.operator {
            let sources = self.breakers.iter().map(|breaker| breaker.source().to_owned());
            let counts = sources.map(|source| (self.metrics.refused_credentials(&source), source));
            let is_new = |(count, source): &_| self.refused.get(source).is_none_or(|known| known < count) && *count > 0;
            let new: Vec<(u64, String)> = counts.filter(is_new).collect();
            let refusing: Vec<_> = new.iter().map(|(_, source)| source.clone()).collect();
            self.mails.tell_operator(operator, &*self.datasets, &refusing).await?;
            self.refused.extend(new.into_iter().map(|(count, source)| (source, count)));
        }
        Ok(())
    }

    async fn tell(&mut self, number: u64) -> Result<(), StoreError> {
        if !number.is_multiple_of(TICKS_PER_TELL) && !self.has_more {
            return Ok(());
        }
        let every = number.is_multiple_of(TICKS_PER_LOOK);
        let told = self.mails.tell_of_quotas(&self.plans, &self.meters, every).await;
        if let Some(changes) = &self.changes {
            match changes.tell().await {
                Ok(has_more) => self.has_more = has_more,
                Err(DeliverError::Store(error)) => return Err(error),
                Err(error) => tracing::warn!(cause = logs::chain(&error), "changes could not be mailed"),
            }
        }
        told
    }

    async fn send(&mut self) -> Result<(), StoreError> {
        while let Some(mail) = self.mails.lease().await? {
            if !self.attempt(&mail).await? {
                break;
            }
        }
        Ok(())
    }

    /// `false` = the server stops.
    async fn attempt(&mut self, mail: &LeasedMail) -> Result<bool, StoreError> {
        let Some(code) = self.mails.prepare(mail).await? else { return Ok(true) };
        let message = mail_message(mail, &self.public_url, self.contact.as_deref(), &code);
        let stopping = &mut self.stopping;
        let stopped = async {
            let _ = stopping.wait_for(|stopping| *stopping).await;
            sleep(FINISH_WITHIN).await;
        };
        let sent = tokio::select! {
            sent = self.sender.send(&message) => sent,
            () = stopped => return Ok(false),
        };
        let outcome = self.mails.settle(mail, &sent).await?;
        self.metrics.record_mail(outcome);
        if let Err(error) = &sent {
            // Without the recipient, which is personal data.
            let mail_to = &mail.to;
            let (mail, kind, attempts) = (mail.id.0, mail.kind.as_str(), mail.attempts);
            // A mail server may repeat it.
            let cause = logs::chain(error).to_lowercase().replace(mail_to.as_str(), "…");
            let again = outcome == MailOutcome::Retried;
            tracing::warn!(mail, kind, attempts, again, cause, "a mail was not sent");
        }
        Ok(!*self.stopping.borrow())
    }
}

impl Job for SendMails {
    const NAME: &'static str = "send_mails";
    const EVERY: Duration = Duration::from_millis(500);

    async fn tick(&mut self, number: u64) -> bool {
        // A failed look does not keep mails from being sent.
        let looked = self.look(number).await;
        let told = self.tell(number).await;
        let done = self.send().await.and(looked).and(told);
        if let Err(error) = &done {
            self.metrics.store_errors.inc();
            // `watch_store` reports an outage once.
            tracing::debug!(cause = logs::chain(error), "mails could not be sent");
        }
        done.is_ok()
    }
}
