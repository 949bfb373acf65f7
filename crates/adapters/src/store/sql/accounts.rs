//! The statements on accounts.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    Account, AccountId, AccountPage, AccountRole, AccountStatus, Accounts, CodeDigest, CodeKind, Email, FoundAccount,
    NewAuditLine, NewMail, Period, PlanName, StoreError, StoreErrorKind, StoredTable,
};
use sqlx::AssertSqlSafe;

use super::changes::Change;
use super::error::unreadable;
use super::{SKIP_LOCKED, Store, Transaction, row};

#[async_trait]
impl Accounts for Store {
    async fn create(
        &self,
        email: &Email,
        plan: &PlanName,
        hash: Option<&str>,
        now: Timestamp,
    ) -> Result<Account, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let made = self.create_in(&mut transaction, email, plan, AccountStatus::Active, hash, now).await?;
        transaction.commit().await?;
        made.ok_or(StoreError::new(StoreErrorKind::Conflict))
    }

    async fn sign_up(
        &self,
        email: &Email,
        plan: &PlanName,
        hash: &str,
        at: Timestamp,
    ) -> Result<Option<Account>, StoreError> {
        let (mut transaction, status) = (self.writer_transaction().await?, AccountStatus::Unconfirmed);
        let made = self.create_in(&mut transaction, email, plan, status, Some(hash), at).await?;
        if made.is_none() {
            // Not if the address was confirmed meanwhile, or a later sign-up was faster.
            let query = sqlx::query(
                "UPDATE account SET password_hash = $3, created = $2
                 WHERE email = $1 AND status = 'unconfirmed' AND created < $2 RETURNING id AS account",
            )
            .bind(email.as_str())
            .bind(at.as_microsecond())
            .bind(hash);
            if let Some(changed) = transaction.fetch_optional(query).await? {
                let id = AccountId(row::column(&changed, "account")?);
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

    async fn sweep_unconfirmed(&self, before: Timestamp) -> Result<(), StoreError> {
        // Changes nothing, but locks the row on PostgreSQL, so that a confirmation waits for the deletion.
        let statement = format!(
            "UPDATE account SET status = status WHERE status = 'unconfirmed' AND id = (
                 SELECT id FROM account WHERE status = 'unconfirmed' AND created < $1 LIMIT 1 {SKIP_LOCKED})
             RETURNING id AS account"
        );
        loop {
            let mut transaction = self.writer_transaction().await?;
            let query = sqlx::query(AssertSqlSafe(statement.clone())).bind(before.as_microsecond());
            let Some(found) = transaction.fetch_optional(query).await? else { return Ok(()) };
            self.delete_in(&mut transaction, AccountId(row::column(&found, "account")?)).await?;
            transaction.commit().await?;
        }
    }

    async fn find(&self, email: &Email) -> Result<Option<Account>, StoreError> {
        let query = sqlx::query(
            "SELECT id AS account, email, plan, status, role, created AS account_created
             FROM account WHERE email = $1",
        )
        .bind(email.as_str());
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map(row::account).transpose()
    }

    async fn by_id(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        let query = sqlx::query(
            "SELECT id AS account, email, plan, status, role, created AS account_created FROM account WHERE id = $1",
        )
        .bind(id.0);
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map(row::account).transpose()
    }

    async fn page(&self, after: Option<AccountId>, limit: u32) -> Result<Vec<Account>, StoreError> {
        let query = sqlx::query(
            "SELECT id AS account, email, plan, status, role, created AS account_created
             FROM account WHERE id > $1 ORDER BY id LIMIT $2",
        )
        .bind(after.map_or(i64::MIN, |after| after.0))
        .bind(i64::from(limit));
        let found = self.reader().await?.fetch_all(query).await?;
        found.iter().map(row::account).collect()
    }

    async fn search(&self, text: &str, period: Period, skip: u32, limit: u32) -> Result<Vec<FoundAccount>, StoreError> {
        let query = sqlx::query(
            "SELECT id AS account, email, plan, status, role, created AS account_created, page, coalesce(used, 0) AS used
             FROM account LEFT JOIN usage ON usage.account = id AND period = $1
             WHERE $2 = '' OR replace(email, $2, '') <> email
             ORDER BY coalesce(used, 0) DESC, id LIMIT $3 OFFSET $4",
        )
        .bind(period.to_string())
        .bind(text)
        .bind(i64::from(limit))
        .bind(i64::from(skip));
        self.reader().await?.fetch_all(query).await?.iter().map(row::found_account).collect()
    }

    async fn by_page(&self, page: AccountPage) -> Result<Option<Account>, StoreError> {
        let query = sqlx::query(
            "SELECT id AS account, email, plan, status, role, created AS account_created FROM account WHERE page = $1",
        )
        .bind(&page.0[..]);
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map(row::account).transpose()
    }

    async fn password_hash(&self, id: AccountId) -> Result<Option<String>, StoreError> {
        let query = sqlx::query("SELECT password_hash FROM account WHERE id = $1").bind(id.0);
        let found = self.reader().await?.fetch_optional(query).await?;
        found.map_or(Ok(None), |found| row::column(&found, "password_hash"))
    }

    async fn set_password_hash(&self, id: AccountId, hash: &str) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        transaction.set_password(id, hash).await?;
        self.note(&mut transaction, &line("account.set_password", id, None, None)).await?;
        transaction.commit().await
    }

    async fn replace_password(&self, id: AccountId, from: &str, to: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        if !transaction.rehash(id, from, to).await? {
            return Ok(false);
        }
        transaction.end_sessions(id).await?;
        self.note(&mut transaction, &line("account.set_password", id, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn rehash_password(&self, id: AccountId, from: &str, to: &str) -> Result<bool, StoreError> {
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
        code: Option<(&CodeDigest, Timestamp)>,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL before the code.
        let query = sqlx::query(
            "UPDATE account SET status = status WHERE id = $1 AND password_hash = $2 AND status = 'active'",
        );
        if transaction.execute(query.bind(id.0).bind(hash)).await? == 0 {
            return Ok(false);
        }
        if let Some((digest, now)) = code {
            if transaction.use_code(digest, CodeKind::ChangeAddress, now).await? != Some(id) {
                return Ok(false);
            }
            let query = sqlx::query(
                "UPDATE account SET status = status WHERE email = $1 AND status = 'unconfirmed' RETURNING id AS account",
            );
            if let Some(waiting) = transaction.fetch_optional(query.bind(email.as_str())).await? {
                self.delete_in(&mut transaction, AccountId(row::column(&waiting, "account")?)).await?;
            }
        }
        // First, because it has the old address.
        self.note(&mut transaction, &line("account.set_email", id, None, None)).await?;
        let before = transaction.change(id, "email", email.as_str()).await?;
        let query = sqlx::query("DELETE FROM mail WHERE account = $1 AND recipient = $2 AND kind <> 'address_changed'");
        transaction.execute(query.bind(id.0).bind(&before)).await?;
        transaction.end_sessions(id).await?;
        if let Some((_, now)) = code {
            let before = Email::parse(&before).map_err(unreadable)?;
            transaction.add_mail(&NewMail::address_changed(id, before), now).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn set_plan(&self, id: AccountId, plan: &PlanName) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let before = transaction.change(id, "plan", plan.as_str()).await?;
        self.note(&mut transaction, &line("account.set_plan", id, Some(before), Some(plan.as_str()))).await?;
        transaction.commit().await
    }

    async fn set_status(&self, id: AccountId, status: AccountStatus) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let name = status.as_str();
        let before = transaction.change(id, "status", name).await?;
        self.note(&mut transaction, &line("account.set_status", id, Some(before), Some(name))).await?;
        if status == AccountStatus::Suspended {
            transaction.end_sessions(id).await?;
        }
        transaction.commit().await
    }

    async fn set_role(&self, id: AccountId, role: AccountRole) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let before = transaction.change(id, "role", role.as_str()).await?;
        self.note(&mut transaction, &line("account.set_role", id, Some(before), Some(role.as_str()))).await?;
        transaction.end_sessions(id).await?;
        transaction.commit().await
    }

    async fn delete(&self, id: AccountId) -> Result<bool, StoreError> {
        self.delete_and_commit(self.writer_transaction().await?, id).await
    }

    async fn delete_with_password(&self, id: AccountId, hash: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL, so that a new password waits for the deletion.
        Ok(transaction.rehash(id, hash, hash).await? && self.delete_and_commit(transaction, id).await?)
    }

    async fn stored_data(&self, id: AccountId) -> Result<Vec<StoredTable>, StoreError> {
        self.data_of(id).await
    }
}

pub(super) fn line(action: &'static str, id: AccountId, before: Option<String>, after: Option<&str>) -> NewAuditLine {
    NewAuditLine { action, account: Some(id), object: format!("account {id}"), before, after: after.map(str::to_owned) }
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
    ) -> Result<Option<Account>, StoreError> {
        let query = sqlx::query(
            "INSERT INTO account (email, plan, status, password_hash, created) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (email) DO NOTHING
             RETURNING id AS account, email, plan, status, role, created AS account_created",
        )
        .bind(email.as_str())
        .bind(plan.as_str())
        .bind(status.as_str())
        .bind(hash)
        .bind(now.as_microsecond());
        let Some(made) = transaction.fetch_optional(query).await? else { return Ok(None) };
        let made = row::account(&made)?;
        self.note(transaction, &line("account.create", made.id, None, Some(plan.as_str()))).await?;
        Ok(Some(made))
    }

    async fn delete_and_commit(&self, mut transaction: Transaction, id: AccountId) -> Result<bool, StoreError> {
        if !self.delete_in(&mut transaction, id).await? {
            return Ok(false);
        }
        transaction.commit().await?;
        self.empty_log().await;
        Ok(true)
    }

    /// `false` = no such account: the transaction is not to be committed.
    async fn delete_in(&self, transaction: &mut Transaction, id: AccountId) -> Result<bool, StoreError> {
        // Changes nothing, but locks the row on PostgreSQL, before the rows that belong to it.
        transaction.execute(sqlx::query("UPDATE account SET status = status WHERE id = $1").bind(id.0)).await?;
        // First, because it has the account's address.
        self.note(transaction, &line("account.delete", id, None, None)).await?;
        transaction.delete(id).await
    }
}

impl Transaction {
    /// Changes one column and records the change for credential caches. Returns the value before.
    async fn change(&mut self, id: AccountId, column: &str, value: &str) -> Result<String, StoreError> {
        // Changes nothing, but locks the row on PostgreSQL.
        let statement = format!("UPDATE account SET {column} = {column} WHERE id = $1 RETURNING {column} AS found");
        let found = self.fetch_optional(sqlx::query(AssertSqlSafe(statement)).bind(id.0)).await?;
        let before = row::column(&found.ok_or(StoreError::new(StoreErrorKind::Missing))?, "found")?;
        let statement = format!("UPDATE account SET {column} = $1 WHERE id = $2");
        self.execute(sqlx::query(AssertSqlSafe(statement)).bind(value).bind(id.0)).await?;
        self.record_change(Change::Account(id)).await?;
        Ok(before)
    }

    async fn delete(&mut self, id: AccountId) -> Result<bool, StoreError> {
        self.end_sessions(id).await?;
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
        ] {
            self.execute(sqlx::query(statement).bind(id.0)).await?;
        }
        let query = sqlx::query("DELETE FROM account WHERE id = $1").bind(id.0);
        if self.execute(query).await? == 0 {
            return Ok(false);
        }
        self.record_change(Change::Account(id)).await?;
        Ok(true)
    }

    async fn rehash(&mut self, id: AccountId, from: &str, to: &str) -> Result<bool, StoreError> {
        let query = sqlx::query("UPDATE account SET password_hash = $1 WHERE id = $2 AND password_hash = $3")
            .bind(to)
            .bind(id.0)
            .bind(from);
        Ok(self.execute(query).await? > 0)
    }

    /// Ends the account's sessions, too.
    pub(super) async fn set_password(&mut self, id: AccountId, hash: &str) -> Result<(), StoreError> {
        let query = sqlx::query("UPDATE account SET password_hash = $1 WHERE id = $2").bind(hash).bind(id.0);
        if self.execute(query).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        self.end_sessions(id).await
    }

    /// Voids its codes, too.
    pub(super) async fn end_sessions(&mut self, id: AccountId) -> Result<(), StoreError> {
        self.execute(sqlx::query("DELETE FROM mail_code WHERE account = $1").bind(id.0)).await?;
        self.execute(sqlx::query("DELETE FROM session WHERE account = $1").bind(id.0)).await?;
        Ok(())
    }
}
