//! Digests in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{DigestRow, MemoryStore, Rows};
use crate::{AccountId, AccountStatus, DigestRhythm, Digests, LeasedDigest, MailKind, NewDigest, NewMail, StoreResult};

#[async_trait]
impl Digests for MemoryStore {
    async fn digest_rhythm(&self, account: AccountId) -> StoreResult<DigestRhythm> {
        Ok(self.call()?.digests.get(&account).map_or(DigestRhythm::Off, |row| row.rhythm))
    }

    async fn set_digest(&self, new: &NewDigest<'_>) -> StoreResult<()> {
        let mut rows = self.call()?;
        rows.account(new.account)?;
        let (code, cursor) = (new.code.to_owned(), new.cursor.to_owned());
        let begun = DigestRow { rhythm: DigestRhythm::Off, code, cursor, since: new.now, due: new.due };
        let row = rows.digests.entry(new.account).or_insert_with(|| begun.clone());
        if row.rhythm == DigestRhythm::Off {
            *row = DigestRow { code: row.code.clone(), ..begun };
        }
        row.due = new.due;
        rows.set_rhythm(new.account, new.rhythm);
        Ok(())
    }

    async fn has_digest_code(&self, code: &str) -> StoreResult<bool> {
        Ok(self.call()?.digests.values().any(|row| row.code == code))
    }

    async fn end_digest(&self, code: &str) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some((&account, _)) = rows.digests.iter().find(|(_, row)| row.code == code) else { return Ok(false) };
        rows.set_rhythm(account, DigestRhythm::Off);
        Ok(true)
    }

    async fn lease_digests(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<LeasedDigest>> {
        let mut rows = self.call()?;
        let is_active = |account: &&crate::Account| account.status == AccountStatus::Active;
        let accounts: Vec<_> = rows.accounts.iter().filter(is_active).cloned().collect();
        let mut leased = Vec::new();
        for account in accounts {
            let Some(row) = rows.digests.get_mut(&account.id) else { continue };
            let is_told = format!("{},", row.cursor).starts_with(&format!("{newest},"));
            if row.rhythm == DigestRhythm::Off || row.due > now || is_told || leased.len() == limit as usize {
                continue;
            }
            row.due = until;
            let DigestRow { rhythm, code, cursor, since, .. } = row.clone();
            leased.push(LeasedDigest { account: account.id, email: account.email, rhythm, code, cursor, since });
        }
        Ok(leased)
    }

    async fn move_digest(
        &self,
        leased: &LeasedDigest,
        cursor: &str,
        due: Timestamp,
        mail: Option<&NewMail>,
        now: Timestamp,
    ) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let is_moved = rows.account(leased.account).is_ok_and(|owner| owner.email != leased.email);
        let found = rows.digests.get_mut(&leased.account).filter(|_| !is_moved);
        let Some(row) = found.filter(|row| row.rhythm != DigestRhythm::Off && row.cursor == leased.cursor) else {
            return Ok(false);
        };
        (row.cursor, row.due) = (cursor.to_owned(), due);
        if let Some(mail) = mail {
            rows.add_mail(mail, now);
        }
        Ok(true)
    }
}

impl Rows {
    fn set_rhythm(&mut self, account: AccountId, rhythm: DigestRhythm) {
        let Some(row) = self.digests.get_mut(&account).filter(|row| row.rhythm != rhythm) else { return };
        let before = std::mem::replace(&mut row.rhythm, rhythm).as_str().to_owned();
        if rhythm == DigestRhythm::Off {
            let is_of = |mail: &NewMail| mail.account == Some(account) && mail.kind == MailKind::Changes;
            self.mails.retain(|row| !is_of(&row.new));
        }
        self.note_account("account.set_digest", account, Some(before), Some(rhythm.as_str().to_owned()));
    }
}
