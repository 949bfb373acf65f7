//! Accounts in memory. Passwords are not kept: no port reads them.

use async_trait::async_trait;
use jiff::Timestamp;

use super::MemoryStore;
use crate::{Account, AccountId, AccountStatus, Accounts, Email, PlanName, StoreError, StoreErrorKind};

#[async_trait]
impl Accounts for MemoryStore {
    async fn create(&self, email: &Email, plan: &PlanName, now: Timestamp) -> Result<Account, StoreError> {
        let mut rows = self.call()?;
        if rows.accounts.iter().any(|account| account.email == *email) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        let account = Account {
            id: AccountId(rows.accounts.len() as i64 + 1),
            email: email.clone(),
            plan: plan.clone(),
            status: AccountStatus::Active,
            created: now,
        };
        rows.accounts.push(account.clone());
        Ok(account)
    }

    async fn find(&self, email: &Email) -> Result<Option<Account>, StoreError> {
        Ok(self.call()?.accounts.iter().find(|account| account.email == *email).cloned())
    }

    async fn set_password_hash(&self, id: AccountId, _hash: &str) -> Result<(), StoreError> {
        self.call()?.change(id, |_| {})
    }
}
