//! Accounts in memory.

use std::mem;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Change, MemoryStore, Rows};
use crate::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Accounts, CodeKind, Email, FoundAccount, MailKind,
    NewMail, Period, PlanName, SecretDigest, StoreError, StoreErrorKind, StoreResult, StoredTable, StoredValue,
};

#[async_trait]
impl Accounts for MemoryStore {
    async fn create(&self, email: &Email, plan: &PlanName, hash: Option<&str>, now: Timestamp) -> StoreResult<Account> {
        self.call()?.create(email, plan, AccountStatus::Active, hash, now)
    }

    async fn sign_up(&self, email: &Email, plan: &PlanName, hash: &str, at: Timestamp) -> StoreResult<Option<Account>> {
        let mut rows = self.call()?;
        if rows.accounts.iter().all(|account| account.email != *email) {
            return rows.create(email, plan, AccountStatus::Unconfirmed, Some(hash), at).map(Some);
        }
        let known = rows.accounts.iter_mut().find(|account| account.email == *email);
        let account = known.ok_or(StoreError::new(StoreErrorKind::Missing))?;
        if account.status != AccountStatus::Unconfirmed {
            return Ok(None);
        }
        let is_newer = account.created < at;
        account.created = account.created.max(at);
        let account = account.clone();
        if is_newer {
            rows.passwords.insert(account.id, hash.to_owned());
            rows.end_sessions(account.id);
            rows.note_account("account.set_password", account.id, None, None);
        }
        Ok(Some(account))
    }

    async fn find(&self, email: &Email) -> StoreResult<Option<Account>> {
        Ok(self.call()?.accounts.iter().find(|account| account.email == *email).cloned())
    }

    async fn by_id(&self, id: AccountId) -> StoreResult<Option<Account>> {
        Ok(self.call()?.accounts.iter().find(|account| account.id == id).cloned())
    }

    async fn page(&self, after: Option<AccountId>, limit: u32) -> StoreResult<Vec<Account>> {
        let rows = self.call()?;
        let later = rows.accounts.iter().filter(|account| after.is_none_or(|after| account.id > after));
        Ok(later.take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect())
    }

    async fn search(&self, text: &str, period: Period, skip: u32, limit: u32) -> StoreResult<Vec<FoundAccount>> {
        let rows = self.call()?;
        let found = rows.accounts.iter().filter(|account| account.email.as_str().contains(text));
        let mut found: Vec<_> = found
            .map(|account| FoundAccount {
                account: account.clone(),
                page: page_of(account.id),
                used: rows.used.get(&(account.id, period)).copied().unwrap_or_default(),
            })
            .collect();
        found.sort_by_key(|found| std::cmp::Reverse(found.used));
        let [skip, limit] = [skip, limit].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        Ok(found.into_iter().skip(skip).take(limit).collect())
    }

    async fn by_page(&self, page: AccountPage) -> StoreResult<Option<Account>> {
        Ok(self.call()?.accounts.iter().find(|account| page_of(account.id) == page).cloned())
    }

    async fn password_hash(&self, id: AccountId) -> StoreResult<Option<String>> {
        Ok(self.call()?.passwords.get(&id).cloned())
    }

    async fn set_password_hash(&self, id: AccountId, hash: &str) -> StoreResult<()> {
        let mut rows = self.call()?;
        rows.account(id)?;
        rows.passwords.insert(id, hash.to_owned());
        rows.end_sessions(id);
        rows.note_account("account.set_password", id, None, None);
        Ok(())
    }

    async fn replace_password(&self, id: AccountId, from: &str, to: &str) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let is_same = rows.rehash(id, from, to);
        if is_same {
            rows.end_sessions(id);
            rows.note_account("account.set_password", id, None, None);
        }
        Ok(is_same)
    }

    async fn rehash_password(&self, id: AccountId, from: &str, to: &str) -> StoreResult<bool> {
        Ok(self.call()?.rehash(id, from, to))
    }

    async fn replace_email(
        &self,
        id: AccountId,
        hash: &str,
        email: &Email,
        code: Option<(&SecretDigest, Timestamp)>,
    ) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let is_active = rows.account(id).is_ok_and(|account| account.status == AccountStatus::Active);
        if !is_active || rows.passwords.get(&id).is_none_or(|stored| stored != hash) {
            return Ok(false);
        }
        if let Some((digest, now)) = code {
            if rows.code(digest, CodeKind::ChangeAddress, now) != Some((id, email.clone())) {
                return Ok(false);
            }
            let waits = |it: &&Account| it.email == *email && it.status == AccountStatus::Unconfirmed;
            if let Some(waiting) = rows.accounts.iter().find(waits).map(|account| account.id) {
                rows.delete(waiting);
            }
        }
        if rows.accounts.iter().any(|account| account.email == *email && account.id != id) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        rows.note_account("account.set_email", id, None, None);
        let mut before = email.clone();
        rows.change(id, |account| before = mem::replace(&mut account.email, email.clone()))?;
        let is_kept =
            |new: &NewMail| new.account != Some(id) || new.to != before || new.kind == MailKind::AddressChanged;
        rows.mails.retain(|row| is_kept(&row.new));
        rows.end_sessions(id);
        if let Some((_, now)) = code {
            rows.add_mail(&NewMail::address_changed(id, before), now);
        }
        Ok(true)
    }

    async fn set_plan(&self, id: AccountId, plan: &PlanName) -> StoreResult<()> {
        let set = |account: &mut Account| mem::replace(&mut account.plan, plan.clone()).as_str().to_owned();
        self.call()?.set("account.set_plan", id, plan.as_str(), set)
    }

    async fn set_status(&self, id: AccountId, status: AccountStatus) -> StoreResult<()> {
        let mut rows = self.call()?;
        let set = |account: &mut Account| mem::replace(&mut account.status, status).as_str().to_owned();
        rows.set("account.set_status", id, status.as_str(), set)?;
        if status == AccountStatus::Suspended {
            rows.end_sessions(id);
        }
        Ok(())
    }

    async fn set_role(&self, id: AccountId, role: AccountRole) -> StoreResult<()> {
        let mut rows = self.call()?;
        let set = |account: &mut Account| mem::replace(&mut account.role, role).as_str().to_owned();
        rows.set("account.set_role", id, role.as_str(), set)?;
        rows.end_sessions(id);
        Ok(())
    }

    async fn delete(&self, id: AccountId) -> StoreResult<bool> {
        Ok(self.call()?.delete(id))
    }

    async fn delete_with_password(&self, id: AccountId, hash: &str) -> StoreResult<bool> {
        let mut rows = self.call()?;
        Ok(rows.passwords.get(&id).is_some_and(|stored| stored == hash) && rows.delete(id))
    }

    /// Of accounts, mails and the audit log only.
    async fn stored_data(&self, id: AccountId) -> StoreResult<Vec<StoredTable>> {
        let rows = self.call()?;
        let text = |name: &str, text: &str| (name.to_owned(), StoredValue::Text(Some(text.to_owned())));
        let accounts = rows.accounts.iter().filter(|account| account.id == id);
        let email = rows.account(id).ok().map(|account| &account.email);
        let mails = rows.mails.iter().filter(|row| row.new.account == Some(id) || Some(&row.new.to) == email);
        let lines = rows.audit.iter().map(|(line, _)| line).filter(|line| line.account == Some(id));
        Ok(vec![
            ("account", accounts.map(|account| vec![text("email", account.email.as_str())]).collect()),
            ("mail", mails.map(|row| vec![text("kind", row.new.kind.as_str())]).collect()),
            ("audit", lines.map(|line| vec![text("action", &line.action)]).collect()),
        ])
    }
}

/// Not random, so that tests are repeatable.
pub(super) fn page_of(id: AccountId) -> AccountPage {
    AccountPage(((u128::MAX / 3) ^ u128::from(id.0.unsigned_abs())).to_be_bytes())
}

impl Rows {
    fn create(
        &mut self,
        email: &Email,
        plan: &PlanName,
        status: AccountStatus,
        hash: Option<&str>,
        now: Timestamp,
    ) -> StoreResult<Account> {
        if self.accounts.iter().any(|account| account.email == *email) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        self.latest_account += 1;
        let id = AccountId(self.latest_account);
        let (email, plan, role) = (email.clone(), plan.clone(), AccountRole::Member);
        let account = Account { id, email, plan: plan.clone(), status, role, created: now };
        self.accounts.push(account.clone());
        self.passwords.extend(hash.map(|hash| (id, hash.to_owned())));
        self.note_account("account.create", id, None, Some(plan.as_str().to_owned()));
        Ok(account)
    }

    pub(super) fn note_account(
        &mut self,
        action: &'static str,
        id: AccountId,
        before: Option<String>,
        after: Option<String>,
    ) {
        self.note_values(action, id, format!("account {id}"), before, after);
    }

    /// `set` returns the value before.
    fn set(
        &mut self,
        action: &'static str,
        id: AccountId,
        after: &str,
        set: impl FnOnce(&mut Account) -> String,
    ) -> StoreResult<()> {
        let mut before = None;
        self.change(id, |account| before = Some(set(account)))?;
        self.note_account(action, id, before, Some(after.to_owned()));
        Ok(())
    }

    fn rehash(&mut self, id: AccountId, from: &str, to: &str) -> bool {
        let stored = self.passwords.get_mut(&id).filter(|stored| *stored == from);
        stored.map(|stored| to.clone_into(stored)).is_some()
    }

    pub(super) fn delete(&mut self, id: AccountId) -> bool {
        if self.account(id).is_err() {
            return false;
        }
        self.note_account("account.delete", id, None, None);
        let email = self.account(id).ok().map(|account| account.email.clone());
        self.mails.retain(|row| row.new.account != Some(id) && Some(&row.new.to) != email.as_ref());
        self.accounts.retain(|account| account.id != id);
        self.passwords.remove(&id);
        self.watched.retain(|list, _| list.account != id);
        self.lists.retain(|row| row.list.account != id);
        self.certificates.retain(|(row, _)| row.account != id);
        self.digests.remove(&id);
        self.tokens.retain(|(_, owner, _)| *owner != id);
        self.end_sessions(id);
        self.delete_webhooks(|webhook| webhook.account == id);
        self.history.retain(|(owner, _)| *owner != id);
        self.used.retain(|(owner, _), _| *owner != id);
        self.record(Some(Change::Account(id)));
        true
    }
}
