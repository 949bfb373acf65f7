//! Deletes what is old in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{ListRow, MemoryStore, Rows};
use crate::{AccountStatus, ListStatus, OldRows, Retention, StoreResult, today};

#[async_trait]
impl Retention for MemoryStore {
    async fn delete_old(&self, rows: OldRows, before: Timestamp) -> StoreResult<()> {
        let all = &mut *self.call()?;
        match rows {
            OldRows::Sessions => all.sessions.retain(|_, session| session.begun >= before),
            OldRows::UnseenSessions => all.sessions.retain(|_, session| session.seen >= before),
            OldRows::EndedTokens => {
                all.tokens
                    .retain(|(.., token)| !token.revoked.into_iter().chain(token.expires).any(|end| end < before));
            }
            OldRows::ExpiredCodes => {
                let Rows { codes, mails, .. } = all;
                let is_attempted = |id| mails.iter().any(|mail| mail.id == id && mail.due.is_some());
                codes.retain(|_, row| row.expires >= before || is_attempted(row.mail));
            }
            OldRows::Mails => all.mails.retain(|row| row.created >= before),
            OldRows::UnconfirmedAccounts => {
                let waiting = all.accounts.iter().filter(|account| account.status == AccountStatus::Unconfirmed);
                let old: Vec<_> =
                    waiting.filter(|account| account.created < before).map(|account| account.id).collect();
                for id in old {
                    all.delete(id);
                }
            }
            OldRows::Deliveries => all.deliveries.retain(|delivery| delivery.is_pending || delivery.created >= before),
            OldRows::DailyUsage => all.history.retain(|(_, count)| count.day >= today(before)),
            OldRows::Lists => all.delete_lists(before, true),
            OldRows::NamedLists => all.delete_lists(before, false),
            OldRows::Certificates => all.certificates.retain(|(row, _)| row.created >= before),
        }
        Ok(())
    }
}

impl Rows {
    fn delete_lists(&mut self, before: Timestamp, nameless: bool) {
        let Self { lists, accounts, .. } = self;
        let is_active = |id| accounts.iter().any(|owner| owner.id == id && owner.status == AccountStatus::Active);
        lists.retain(|ListRow { list, .. }| {
            list.name.is_empty() != nameless
                || list.ran >= before
                || list.status == ListStatus::Running && is_active(list.account)
        });
    }
}
