//! Mails in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{MailRow, MemoryStore, Rows};
use crate::{
    Account, AccountId, AccountStatus, LeasedMail, MailId, MailKind, NewMail, Outbox, Period, PlanName, ReachedQuota,
    StoreResult,
};

#[async_trait]
impl Outbox for MemoryStore {
    async fn add_mail(&self, mail: &NewMail, now: Timestamp) -> StoreResult<()> {
        let mut rows = self.call()?;
        if let Some(account) = mail.account {
            rows.account(account)?;
        }
        rows.add_mail(mail, now);
        Ok(())
    }

    async fn reached_quotas(&self, plans: &[(PlanName, u64)], period: Period) -> StoreResult<Vec<ReachedQuota>> {
        let rows = self.call()?;
        let reached = |row: &Account| {
            let queries = plans.iter().find(|(name, _)| *name == row.plan)?.1;
            let used = rows.used.get(&(row.id, period)).copied().filter(|used| *used >= queries - queries / 5)?;
            let percent = if used >= queries { 100 } else { 80 };
            let told = rows.told.get(&(row.id, period));
            let is_told = [percent, 100].iter().any(|percent| told == Some(&(*percent, queries)));
            (!is_told).then(|| ReachedQuota { account: row.id, email: row.email.clone(), queries, used })
        };
        Ok(rows.accounts.iter().filter(|row| row.status == AccountStatus::Active).filter_map(reached).collect())
    }

    async fn add_quota_mail(
        &self,
        mail: &NewMail,
        account: AccountId,
        period: Period,
        told: (u8, u64),
        now: Timestamp,
    ) -> StoreResult<()> {
        let mut rows = self.call()?;
        if rows.told.get(&(account, period)).is_none_or(|known| *known != told && *known != (100, told.1)) {
            rows.told.insert((account, period), told);
            rows.add_mail(mail, now);
        }
        Ok(())
    }

    async fn lease_mail(&self, now: Timestamp, until: Timestamp) -> StoreResult<Option<LeasedMail>> {
        let mut rows = self.call()?;
        let due = rows.mails.iter_mut().filter(|row| row.due.is_some_and(|due| due <= now));
        let Some(row) = due.min_by_key(|row| (row.new.kind == MailKind::Changes, row.due)) else { return Ok(None) };
        (row.due, row.attempts) = (Some(until), row.attempts + 1);
        let MailRow { id, created, attempts, new: NewMail { kind, to, about, .. }, .. } = row.clone();
        Ok(Some(LeasedMail { id, kind, to, about, created, attempts }))
    }

    async fn settle_mail(&self, mail: &LeasedMail, again: Option<Timestamp>) -> StoreResult<()> {
        let mut rows = self.call()?;
        for row in rows.mails.iter_mut().filter(|row| (row.id, row.attempts) == (mail.id, mail.attempts)) {
            row.due = again;
        }
        rows.mails.retain(|row| row.due.is_some() || row.new.key.is_some());
        Ok(())
    }

    async fn count_mails(&self) -> StoreResult<[u64; 2]> {
        let rows = self.call()?;
        let waiting: Vec<_> = rows.mails.iter().filter(|row| row.due.is_some()).collect();
        let attempted = waiting.iter().filter(|row| row.attempts > 0).count();
        Ok([waiting.len(), attempted].map(|count| count as u64))
    }
}

impl Rows {
    pub(super) fn add_mail(&mut self, mail: &NewMail, now: Timestamp) {
        if mail.key.is_none() || self.mails.iter().all(|row| row.new.key != mail.key) {
            self.latest_mail += 1;
            let id = MailId(self.latest_mail);
            self.mails.push(MailRow { id, new: mail.clone(), created: now, due: Some(now), attempts: 0 });
        }
    }
}
