//! Mails: which attempt follows a failed one, and what the operator is told.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{
    AttemptOutcome, Clock, Datasets, Email, LeasedMail, MailError, MailKind, NewMail, Outbox, StoreError,
};

/// The longest attempt. A killed server's mail is attempted again after it.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// After the first failure; each further failure doubles it.
const FIRST_WAIT: SignedDuration = SignedDuration::from_mins(1);
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(4);
/// After which a mail is given up.
const ATTEMPTED_FOR: SignedDuration = SignedDuration::from_hours(48);
/// After which the operator is told again.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 60);

/// What an attempt led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailOutcome {
    /// The mail server has the mail.
    Sent,
    /// It is attempted again.
    Retried,
    /// It is not attempted again.
    GivenUp,
}

impl MailOutcome {
    /// Every outcome.
    pub const ALL: [Self; 3] = [Self::Sent, Self::Retried, Self::GivenUp];

    /// In metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Retried => "retried",
            Self::GivenUp => "given_up",
        }
    }
}

/// The mails of the store.
#[derive(Clone)]
pub struct Mails {
    /// Where they are stored.
    pub outbox: Arc<dyn Outbox>,
    /// When they are attempted.
    pub clock: Arc<dyn Clock>,
}

impl Mails {
    /// The next mail to attempt; `None` = none is due.
    ///
    /// # Errors
    /// Any error of the store.
    pub async fn lease(&self) -> Result<Option<LeasedMail>, StoreError> {
        let now = self.clock.now();
        self.outbox.lease_mail(now, later(now, LEASE)).await
    }

    /// Stores what follows an attempt.
    ///
    /// # Errors
    /// Any error of the store: the mail is attempted again.
    pub async fn settle(&self, mail: &LeasedMail, sent: &Result<(), MailError>) -> Result<MailOutcome, StoreError> {
        let again = sent.as_ref().err().and_then(|error| again(mail, error, self.clock.now()));
        self.outbox.settle_mail(mail, again).await?;
        Ok(match (sent, again) {
            (Ok(()), _) => MailOutcome::Sent,
            (Err(_), Some(_)) => MailOutcome::Retried,
            (Err(_), None) => MailOutcome::GivenUp,
        })
    }

    /// Deletes old keys.
    ///
    /// # Errors
    /// Any error of the store.
    pub async fn sweep(&self) -> Result<(), StoreError> {
        self.outbox.sweep_mails(self.clock.now().saturating_sub(KEPT).unwrap_or(Timestamp::MIN)).await
    }

    /// Tells the operator about datasets that are too old, or whose updates fail until the operator does something, once
    /// for each edition, and about sources that have refused our credentials, once a day.
    ///
    /// # Errors
    /// Any error of the store.
    pub async fn tell_operator(
        &self,
        operator: &Email,
        datasets: &dyn Datasets,
        refusing: &[String],
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        let mut told = Vec::new();
        for status in datasets.statuses() {
            let edition = status.edition.as_ref().map_or_else(String::new, |edition| edition.label.to_string());
            if status.is_too_old {
                told.push((MailKind::DatasetTooOld, status.name.to_owned(), edition.clone(), edition.clone()));
            }
            if let Some(attempt) = &status.last_attempt
                && let AttemptOutcome::Failed { cause, needs_operator: true } = &attempt.outcome
            {
                told.push((MailKind::UpdateFails, status.name.to_owned(), cause.clone(), edition));
            }
        }
        let today = crate::calendar::today(now).to_string();
        let refusing = refusing.iter().map(|source| (source.clone(), String::new(), today.clone()));
        told.extend(refusing.map(|(source, detail, day)| (MailKind::CredentialsRefused, source, detail, day)));
        for (kind, name, detail, once_for) in told {
            let key = Some(format!("{} {name} {once_for}", kind.as_str()));
            let mail = NewMail { kind, account: None, to: operator.clone(), about: format!("{name}\n{detail}"), key };
            self.outbox.add_mail(&mail, now).await?;
        }
        Ok(())
    }
}

/// When a mail is attempted again; `None` = never.
fn again(mail: &LeasedMail, error: &MailError, now: Timestamp) -> Option<Timestamp> {
    if error.is_final {
        return None;
    }
    let doublings = mail.attempts.saturating_sub(1).min(16);
    let wait = FIRST_WAIT.saturating_mul(1 << doublings).min(LONGEST_WAIT);
    Some(later(now, wait)).filter(|again| again.duration_since(mail.created) <= ATTEMPTED_FOR)
}

fn later(now: Timestamp, time: SignedDuration) -> Timestamp {
    now.saturating_add(time).unwrap_or(Timestamp::MAX)
}
