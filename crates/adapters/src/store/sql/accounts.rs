//! The statements on accounts.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Accounts, CodeKind, Email, FoundAccount, NewAuditLine,
    NewMail, Period, PlanName, SecretDigest, StoreError, StoreErrorKind, StoreResult, StoredTable,
};

use super::changes::Change;
use super::error::unreadable;
use super::{DbRow, Store, Transaction, row};

/// The columns that [`row::account`] reads.
const ACCOUNT: &str = "id AS account, email, plan, status, role, created AS account_created";

/// Changes nothing, but PostgreSQL locks the row, so that changes of what belongs to an account wait for each other.
const LOCK: &str = "UPDATE account SET status = status WHERE id = $1";

#[async_trait]
impl Accounts for Store {
    async fn create(&self, email: &Email, plan: &PlanName, hash: Option<&str>, now: Timestamp) -> StoreResult<Account> {
        let mut transaction = self.writer_transaction().await?;
        let made = self.create_in(&mut transaction, email, plan, AccountStatus::Active, hash, now).await?;
        transaction.commit().await?;
        made.ok_or(StoreError::new(StoreErrorKind::Conflict))
    }

    async fn sign_up(&self, email: &Email, plan: &PlanName, hash: &str, at: Timestamp) -> StoreResult<Option<Account>> {
        let (mut transaction, status) = (self.writer_transaction().await?, AccountStatus::Unconfirmed);
        let made = self.create_in(&mut transaction, email, plan, status, Some(hash), at).await?;
        if made.is_none() {
            // Not if the address was confirmed meanwhile, or a later sign-up was faster.
            let statement = "UPDATE account SET password_hash = $3, created = $2
                 WHERE email = $1 AND status = 'unconfirmed' AND created < $2 RETURNING id AS account";
            let changed = transaction.find(statement, &[&email.as_str(), &at, &hash], row::account_id).await?;
            if let Some(id) = changed {
                transaction.end_sessions(id).await?;
                self.note(&mut transaction, &line("account.set_password", id, None, None)).await?;
            }
        }
        transaction.commit().await?;
        if made.is_some() {
            return Ok(made);
        }
        Ok(self.find(email).await?.filter(|account| account.status == status))
    }

    async fn find(&self, email: &Email) -> StoreResult<Option<Account>> {
        let statement = format!("SELECT {ACCOUNT} FROM account WHERE email = $1");
        self.reader().await?.find(&statement, &[&email.as_str()], row::account).await
    }

    async fn by_id(&self, id: AccountId) -> StoreResult<Option<Account>> {
        let statement = format!("SELECT {ACCOUNT} FROM account WHERE id = $1");
        self.reader().await?.find(&statement, &[&id.0], row::account).await
    }

    async fn page(&self, after: Option<AccountId>, limit: u32) -> StoreResult<Vec<Account>> {
        let statement = format!("SELECT {ACCOUNT} FROM account WHERE id > $1 ORDER BY id LIMIT $2");
        let after = after.map_or(i64::MIN, |after| after.0);
        self.reader().await?.list(&statement, &[&after, &limit], row::account).await
    }

    async fn search(&self, text: &str, period: Period, skip: u32, limit: u32) -> StoreResult<Vec<FoundAccount>> {
        let statement = format!(
            "SELECT {ACCOUNT}, page, coalesce(used, 0) AS used
             FROM account LEFT JOIN usage ON usage.account = id AND period = $1
             WHERE $2 = '' OR replace(email, $2, '') <> email
             ORDER BY coalesce(used, 0) DESC, id LIMIT $3 OFFSET $4"
        );
        let period = period.to_string();
        self.reader().await?.list(&statement, &[&period, &text, &limit, &skip], row::found_account).await
    }

    async fn by_page(&self, page: AccountPage) -> StoreResult<Option<Account>> {
        let statement = format!("SELECT {ACCOUNT} FROM account WHERE page = $1");
        self.reader().await?.find(&statement, &[&page.0], row::account).await
    }

    async fn password_hash(&self, id: AccountId) -> StoreResult<Option<String>> {
        let statement = "SELECT password_hash FROM account WHERE id = $1";
        let hash = |found: &DbRow| row::column(found, "password_hash");
        Ok(self.reader().await?.find(statement, &[&id.0], hash).await?.flatten())
    }

    async fn set_password_hash(&self, id: AccountId, hash: &str) -> StoreResult<()> {
        let mut transaction = self.writer_transaction().await?;
        transaction.set_password(id, hash).await?;
        self.note(&mut transaction, &line("account.set_password", id, None, None)).await?;
        transaction.commit().await
    }

    async fn replace_password(&self, id: AccountId, from: &str, to: &str) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        if !transaction.rehash(id, from, to).await? {
            return Ok(false);
        }
        transaction.end_sessions(id).await?;
        self.note(&mut transaction, &line("account.set_password", id, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn rehash_password(&self, id: AccountId, from: &str, to: &str) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let is_same = transaction.rehash(id, from, to).await?;
        transaction.commit().await?;
        Ok(is_same)
    }

    async fn replace_email(
        &self,
        id: AccountId,
        hash: &str,
        email: &Email,
        code: Option<(&SecretDigest, Timestamp)>,
    ) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        // Before the code.
        if !transaction.lock_active_account(id, hash).await? {
            return Ok(false);
        }
        if let Some((digest, now)) = code {
            if transaction.use_code(digest, CodeKind::ChangeAddress, now).await? != Some(id) {
                return Ok(false);
            }
            let statement = "UPDATE account SET status = status WHERE email = $1 AND status = 'unconfirmed'
                 RETURNING id AS account";
            if let Some(waiting) = transaction.find(statement, &[&email.as_str()], row::account_id).await? {
                self.delete_in(&mut transaction, waiting).await?;
            }
        }
        // First, because it has the old address.
        self.note(&mut transaction, &line("account.set_email", id, None, None)).await?;
        let before = transaction.change(id, "email", email.as_str()).await?;
        let statement = "DELETE FROM mail WHERE account = $1 AND recipient = $2 AND kind <> 'address_changed'";
        transaction.execute(statement, &[&id.0, &before]).await?;
        transaction.end_sessions(id).await?;
        if let Some((_, now)) = code {
            let before = Email::parse(&before).map_err(unreadable)?;
            transaction.add_mail(&NewMail::address_changed(id, before), now).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn set_plan(&self, id: AccountId, plan: &PlanName) -> StoreResult<()> {
        self.changed(id, "plan", "account.set_plan", plan.as_str()).await?.commit().await
    }

    async fn set_status(&self, id: AccountId, status: AccountStatus) -> StoreResult<()> {
        let mut transaction = self.changed(id, "status", "account.set_status", status.as_str()).await?;
        if status == AccountStatus::Suspended {
            transaction.end_sessions(id).await?;
        }
        transaction.commit().await
    }

    async fn set_role(&self, id: AccountId, role: AccountRole) -> StoreResult<()> {
        let mut transaction = self.changed(id, "role", "account.set_role", role.as_str()).await?;
        transaction.end_sessions(id).await?;
        transaction.commit().await
    }

    async fn delete(&self, id: AccountId) -> StoreResult<bool> {
        self.delete_and_commit(self.writer_transaction().await?, id).await
    }

    async fn delete_with_password(&self, id: AccountId, hash: &str) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL, so that a new password waits for the deletion.
        Ok(transaction.rehash(id, hash, hash).await? && self.delete_and_commit(transaction, id).await?)
    }

    async fn stored_data(&self, id: AccountId) -> StoreResult<Vec<StoredTable>> {
        self.data_of(id).await
    }
}

pub(super) fn line(action: &'static str, id: AccountId, before: Option<String>, after: Option<&str>) -> NewAuditLine {
    let after = after.map(str::to_owned);
    NewAuditLine { before, after, ..NewAuditLine::for_object(action, id, format!("account {id}")) }
}

impl Store {
    /// `None` = the address has an account.
    async fn create_in(
        &self,
        transaction: &mut Transaction,
        email: &Email,
        plan: &PlanName,
        status: AccountStatus,
        hash: Option<&str>,
        now: Timestamp,
    ) -> StoreResult<Option<Account>> {
        let statement = format!(
            "INSERT INTO account (email, plan, status, password_hash, created) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (email) DO NOTHING RETURNING {ACCOUNT}"
        );
        let (email, plan) = (email.as_str(), plan.as_str());
        let made = transaction.find(&statement, &[&email, &plan, &status.as_str(), &hash, &now], row::account).await?;
        if let Some(made) = &made {
            self.note(transaction, &line("account.create", made.id, None, Some(plan))).await?;
        }
        Ok(made)
    }

    /// Changes one column in a new transaction, and audits the change.
    async fn changed(
        &self,
        id: AccountId,
        column: &str,
        action: &'static str,
        value: &str,
    ) -> StoreResult<Transaction> {
        let mut transaction = self.writer_transaction().await?;
        let before = transaction.change(id, column, value).await?;
        self.note(&mut transaction, &line(action, id, Some(before), Some(value))).await?;
        Ok(transaction)
    }

    async fn delete_and_commit(&self, mut transaction: Transaction, id: AccountId) -> StoreResult<bool> {
        if !self.delete_in(&mut transaction, id).await? {
            return Ok(false);
        }
        transaction.commit().await?;
        self.empty_log().await;
        Ok(true)
    }

    /// `false` = no such account.
    pub(super) async fn delete_in(&self, transaction: &mut Transaction, id: AccountId) -> StoreResult<bool> {
        // Before the rows that belong to it.
        if transaction.execute(LOCK, &[&id.0]).await? == 0 {
            return Ok(false);
        }
        // First, because it has the account's address.
        self.note(transaction, &line("account.delete", id, None, None)).await?;
        transaction.end_sessions(id).await?;
        for statement in [
            // Locks in the order of an attempt's result, and deletes deliveries too.
            "DELETE FROM webhook WHERE account = $1",
            "DELETE FROM kept_list WHERE account = $1",
            "DELETE FROM certificate WHERE account = $1",
            "DELETE FROM history WHERE account = $1",
            "DELETE FROM watched WHERE account = $1",
            "DELETE FROM usage WHERE account = $1",
            "DELETE FROM token WHERE account = $1",
            "DELETE FROM digest WHERE account = $1",
            "DELETE FROM mail WHERE account = $1 OR recipient = (SELECT email FROM account WHERE id = $1)",
            "DELETE FROM account WHERE id = $1",
        ] {
            transaction.execute(statement, &[&id.0]).await?;
        }
        transaction.record_change(Change::Account(id)).await?;
        Ok(true)
    }
}

impl Transaction {
    /// `Missing` if there is no such account.
    pub(super) async fn lock_account(&mut self, id: AccountId) -> StoreResult<()> {
        if self.execute(LOCK, &[&id.0]).await? == 0 { Err(StoreError::new(StoreErrorKind::Missing)) } else { Ok(()) }
    }

    /// `false` = no such active account has this password hash.
    pub(super) async fn lock_active_account(&mut self, id: AccountId, hash: &str) -> StoreResult<bool> {
        let statement = format!("{LOCK} AND password_hash = $2 AND status = 'active'");
        Ok(self.execute(&statement, &[&id.0, &hash]).await? > 0)
    }

    /// Changes one column and records the change for credential caches. Returns the value before.
    async fn change(&mut self, id: AccountId, column: &str, value: &str) -> StoreResult<String> {
        // Changes nothing, but locks the row on PostgreSQL.
        let statement = format!("UPDATE account SET {column} = {column} WHERE id = $1 RETURNING {column} AS found");
        let before = self.find(&statement, &[&id.0], |found| row::column(found, "found")).await?;
        let before = before.ok_or(StoreError::new(StoreErrorKind::Missing))?;
        self.execute(&format!("UPDATE account SET {column} = $1 WHERE id = $2"), &[&value, &id.0]).await?;
        self.record_change(Change::Account(id)).await?;
        Ok(before)
    }

    async fn rehash(&mut self, id: AccountId, from: &str, to: &str) -> StoreResult<bool> {
        let statement = "UPDATE account SET password_hash = $1 WHERE id = $2 AND password_hash = $3";
        Ok(self.execute(statement, &[&to, &id.0, &from]).await? > 0)
    }

    /// Ends the account's sessions, too.
    pub(super) async fn set_password(&mut self, id: AccountId, hash: &str) -> StoreResult<()> {
        let statement = "UPDATE account SET password_hash = $1 WHERE id = $2";
        if self.execute(statement, &[&hash, &id.0]).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        self.end_sessions(id).await
    }

    /// Voids its codes, too.
    pub(super) async fn end_sessions(&mut self, id: AccountId) -> StoreResult<()> {
        self.execute("DELETE FROM mail_code WHERE account = $1", &[&id.0]).await?;
        self.execute("DELETE FROM session WHERE account = $1", &[&id.0]).await.map(drop)
    }
}
