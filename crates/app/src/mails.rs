//! Mails: which attempt follows a failed one, and what the operator is told.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{
    Account, AccountId, AccountStatus, Accounts, AttemptOutcome, Clock, CodeKind, Datasets, Email, LeasedMail,
    MailCodes, MailError, MailKind, NewMail, Origin, Outbox, PlanName, ReachedQuota, StoreError,
};

use sha2::{Digest, Sha256};

use crate::accounts::sign_in::{RandomSource, random_id};
use crate::calendar::{self, later};
use crate::metering::quota::near_limit;
use crate::secret::digest_of;
use crate::{AccountMeters, Plans};

/// The longest attempt. A killed server's mail is attempted again after it.
const LEASE: SignedDuration = SignedDuration::from_mins(2);
/// For how long a link for a new password works.
const PASSWORD_CODE_LASTS: SignedDuration = SignedDuration::from_hours(1);
/// For how long an address can be confirmed.
const CONFIRMATION_LASTS: SignedDuration = SignedDuration::from_hours(24);
/// For how long an account may wait for its confirmation: until its mail's last attempt, and its link's end.
pub(crate) const UNCONFIRMED_LASTS: SignedDuration = SignedDuration::from_hours(72);
/// After the first failure; each further failure doubles it.
const FIRST_WAIT: SignedDuration = SignedDuration::from_mins(1);
const MAX_WAIT: SignedDuration = SignedDuration::from_hours(4);
/// After which a mail is given up.
const ATTEMPTED_FOR: SignedDuration = SignedDuration::from_hours(48);
/// After which the operator is told again.
pub(crate) const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24 * 60);

kuraka_ports::words! {
    pub enum MailOutcome {
        Sent = "sent",
        Retried = "retried",
        GivenUp = "given_up",
    }
}

#[derive(Clone)]
pub struct Mails {
    pub outbox: Arc<dyn Outbox>,
    pub accounts: Arc<dyn Accounts>,
    pub codes: Arc<dyn MailCodes>,
    pub clock: Arc<dyn Clock>,
    pub random: RandomSource,
}

impl Mails {
    /// The next mail to attempt; `None` = none is due.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn lease(&self) -> Result<Option<LeasedMail>, StoreError> {
        let now = self.clock.now();
        self.outbox.lease_mail(now, later(now, LEASE)).await
    }

    /// The new code of a mail's link, which is empty if it has none. `None` = nobody is to get the mail: it is dropped.
    ///
    /// # Errors
    /// Any error of the store and of the source of random bytes.
    pub async fn prepare(&self, mail: &LeasedMail) -> Result<Option<String>, StoreError> {
        let (account, kind, lasts) = match mail.kind {
            MailKind::NewPassword => {
                let account = self.accounts.find(&mail.to).await?;
                let Some(account) = account.filter(|account| account.status == AccountStatus::Active) else {
                    return self.outbox.settle_mail(mail, None).await.map(|_| None);
                };
                (account, CodeKind::NewPassword, PASSWORD_CODE_LASTS)
            }
            MailKind::SignUp => match self.signed_up(mail).await? {
                Some(account) => (account, CodeKind::ConfirmAddress, CONFIRMATION_LASTS),
                None => return Ok(Some(String::new())),
            },
            MailKind::NewAddress => {
                let id = mail.about.lines().next().and_then(|id| id.parse().ok()).map(AccountId);
                let account = if let Some(id) = id { self.accounts.by_id(id).await? } else { None };
                let Some(account) = account.filter(|account| account.status == AccountStatus::Active) else {
                    return self.outbox.settle_mail(mail, None).await.map(|_| None);
                };
                // One that waits for its confirmation gives way.
                let taken = self.accounts.find(&mail.to).await?;
                if taken.is_some_and(|account| account.status != AccountStatus::Unconfirmed) {
                    return Ok(Some(String::new()));
                }
                (account, CodeKind::ChangeAddress, CONFIRMATION_LASTS)
            }
            MailKind::DatasetTooOld
            | MailKind::UpdateFails
            | MailKind::CredentialsRefused
            | MailKind::AddressChanged
            | MailKind::Quota
            | MailKind::WebhookDisabled
            | MailKind::Changes
            | MailKind::Test => return Ok(Some(String::new())),
        };
        let code = hex::encode(random_id(self.random)?);
        let (digest, expires) = (digest_of(&code), later(self.clock.now(), lasts));
        // Who asked is in the audit log.
        origin(mail).scope(self.codes.add_code(&digest, kind, account.id, (mail.id, &mail.to), expires)).await?;
        Ok(Some(code))
    }

    /// The account of a sign-up that waits for its confirmation. `None` = the address has another account.
    async fn signed_up(&self, mail: &LeasedMail) -> Result<Option<Account>, StoreError> {
        let mut about = mail.about.lines();
        let (hash, plan) = (about.next().unwrap_or_default(), about.next().unwrap_or_default());
        let Ok(plan) = PlanName::parse(plan) else { return Ok(None) };
        origin(mail).scope(self.accounts.sign_up(&mail.to, &plan, hash, mail.created)).await
    }

    /// Stores what follows an attempt.
    ///
    /// # Errors
    /// [`StoreError`]: the mail is attempted again.
    pub async fn settle(&self, mail: &LeasedMail, sent: &Result<(), MailError>) -> Result<MailOutcome, StoreError> {
        let again = sent.as_ref().err().and_then(|error| again(mail, error, self.clock.now()));
        self.outbox.settle_mail(mail, again).await?;
        Ok(match (sent, again) {
            (Ok(()), _) => MailOutcome::Sent,
            (Err(_), Some(_)) => MailOutcome::Retried,
            (Err(_), None) => MailOutcome::GivenUp,
        })
    }

    /// Tells accounts that have used 80 or 100 % of their plan's queries of this month, if a meter saw one near it, or
    /// `always`. Unspent leases of other servers count as used: only they know them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn tell_of_quotas(&self, plans: &Plans, meters: &AccountMeters, always: bool) -> Result<(), StoreError> {
        if !meters.take_near_limit() && !always {
            return Ok(());
        }
        let now = self.clock.now();
        let period = calendar::period(now);
        let plans = plans.all().into_iter().filter(|plan| plan.queries > 0);
        let plans: Vec<_> = plans.map(|plan| (plan.name.clone(), plan.queries)).collect();
        let told = async {
            let mut is_early = false;
            for ReachedQuota { account, email, queries, used } in self.outbox.reached_quotas(&plans, period).await? {
                let used = used.saturating_sub(meters.unspent(account, period));
                let percent = if used >= queries { 100 } else { 80 };
                is_early |= used < queries;
                if used < near_limit(queries) {
                    continue;
                }
                let about = format!("{percent}\n{queries}\n{period}");
                let mail = NewMail { kind: MailKind::Quota, account: Some(account), to: email, about, key: None };
                self.outbox.add_quota_mail(&mail, account, period, (percent, queries), now).await?;
            }
            Ok(is_early)
        };
        let told = told.await;
        if !matches!(told, Ok(false)) {
            meters.note_near_limit();
        }
        told.map(|_| ())
    }

    /// Tells the operator about datasets that are too old, once for each edition, about updates that fail until the
    /// operator does something, once for each edition and cause, and about sources that have refused our credentials,
    /// once a day.
    ///
    /// # Errors
    /// [`StoreError`].
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
                && let AttemptOutcome::Failed { cause, reason, needs_operator: true, force_helps } = &attempt.outcome
            {
                // A file that is refused again has a longer text, which ends alike.
                let root = Sha256::digest(cause.rsplit(": ").next().unwrap_or_default());
                let once_for = format!("{edition} {}", hex::encode(root.get(..8).unwrap_or_default()));
                let force = if *force_helps { "--force" } else { "" };
                let detail = format!("{edition}\n{force}\n{reason} {cause}");
                told.push((MailKind::UpdateFails, status.name.to_owned(), detail, once_for));
            }
        }
        let today = calendar::today(now).to_string();
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

/// The client that requested a mail, by the last line of what it is about.
fn origin(mail: &LeasedMail) -> Origin {
    Origin { address: mail.about.lines().last().and_then(|address| address.parse().ok()), ..Origin::default() }
}

/// When a mail is attempted again; `None` = never.
fn again(mail: &LeasedMail, error: &MailError, now: Timestamp) -> Option<Timestamp> {
    if error.is_final {
        return None;
    }
    let doublings = mail.attempts.saturating_sub(1).min(16);
    let wait = FIRST_WAIT.saturating_mul(1 << doublings).min(MAX_WAIT);
    Some(later(now, wait)).filter(|again| again.duration_since(mail.created) <= ATTEMPTED_FOR)
}
