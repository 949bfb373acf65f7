//! The audit log in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{MemoryStore, Rows};
use crate::{AccountId, Audit, AuditFilter, AuditLine, NewAuditLine, Origin, StoreResult};

#[async_trait]
impl Audit for MemoryStore {
    fn keep_lines(&self, days: u32) {
        super::lock(&self.rows).kept_days = Some(days);
    }

    async fn add_line(&self, line: &NewAuditLine, origin: &Origin) -> StoreResult<()> {
        self.call()?.note_from(line.clone(), origin.clone());
        Ok(())
    }

    async fn lines(&self, filter: &AuditFilter<'_>, limit: u32) -> StoreResult<Vec<AuditLine>> {
        let rows = self.call()?;
        let found = rows.audit.iter().map(|(line, _)| line).filter(|line| {
            line.id > filter.after
                && filter.since.is_none_or(|since| line.time >= since)
                && filter.before.is_none_or(|before| line.id < before)
                && filter.account.is_none_or(|account| line.account == Some(account))
                && filter.email.is_none_or(|email| line.email.as_deref() == Some(email))
                && filter.action.is_none_or(|action| line.action == action)
                && filter.object.is_none_or(|object| line.object.starts_with(object))
        });
        let mut found: Vec<_> = found.cloned().collect();
        let beyond = found.len().saturating_sub(limit as usize);
        if filter.newest {
            found.drain(..beyond);
        }
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn expire_lines(&self) -> StoreResult<()> {
        self.call()?.audit.retain(|(_, kept_days)| *kept_days > 0);
        Ok(())
    }
}

impl Rows {
    pub(super) fn note(&mut self, action: &'static str, account: AccountId, object: String) {
        self.note_values(action, account, object, None, None);
    }

    pub(super) fn note_values(
        &mut self,
        action: &'static str,
        account: AccountId,
        object: String,
        before: Option<String>,
        after: Option<String>,
    ) {
        let line = NewAuditLine { action, account: Some(account), object, before, after };
        self.note_from(line, Origin::current());
    }

    fn note_from(&mut self, new: NewAuditLine, origin: Origin) {
        let NewAuditLine { action, account, object, before, after } = new;
        let email = account.and_then(|id| self.account(id).ok()).map(|account| account.email.as_str().to_owned());
        self.latest_line += 1;
        // A second after the line before.
        let time = Timestamp::from_second(self.latest_line).unwrap_or(Timestamp::MAX);
        let (id, action) = (self.latest_line, action.to_owned());
        let line = AuditLine { id, time, action, origin, account, email, object, before, after };
        self.audit.push((line, self.kept_days.unwrap_or(400)));
    }
}
