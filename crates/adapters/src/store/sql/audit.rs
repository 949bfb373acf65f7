//! The statements on the audit log.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, Actor, Audit, AuditFilter, AuditLine, NewAuditLine, Origin, StoreResult};

use super::error::unreadable;
use super::{DbRow, EXPIRE_LINES, NOW, Store, Transaction, row};
use crate::store::parameter::Parameters;

const MICROSECONDS_PER_DAY: i64 = 86_400_000_000;

#[async_trait]
impl Audit for Store {
    fn keep_lines(&self, days: u32) {
        self.kept_days.store(days, Ordering::Relaxed);
    }

    async fn add_line(&self, line: &NewAuditLine, origin: &Origin) -> StoreResult<()> {
        let mut transaction = self.pages_transaction().await?;
        self.note_from(&mut transaction, line, origin).await?;
        transaction.commit().await
    }

    async fn lines(&self, filter: &AuditFilter<'_>, limit: u32) -> StoreResult<Vec<AuditLine>> {
        // Not `$3 IS NULL OR …`, so that the index of accounts is used.
        let of_account = if filter.account.is_some() { "account = $3" } else { "$3 IS NULL" };
        let order = if filter.newest { "DESC" } else { "ASC" };
        let statement = format!(
            "SELECT id, account, email, time, action, actor, actor_name, address, agent, object, value_before,
                 value_after, request_id
             FROM audit WHERE id > $1 AND time >= $2 AND {of_account} AND ($4 IS NULL OR email = $4)
                 AND ($5 IS NULL OR action = $5) AND ($6 IS NULL OR substr(object, 1, length($6)) = $6) AND id < $8
             ORDER BY id {order} LIMIT $7"
        );
        let AuditFilter { account, email, action, object, since, after, before, .. } = filter;
        let (account, since) = (account.map(|account| account.0), since.unwrap_or(Timestamp::MIN));
        let before = before.unwrap_or(i64::MAX);
        let parameters: Parameters<'_> = &[after, &since, &account, email, action, object, &limit, &before];
        let mut lines = self.reader().await?.list(&statement, parameters, line).await?;
        if filter.newest {
            lines.reverse();
        }
        Ok(lines)
    }

    async fn expire_lines(&self) -> StoreResult<()> {
        while self.ledger().await?.any(EXPIRE_LINES, &[]).await? {}
        Ok(())
    }
}

impl Store {
    /// Adds the line of a change to the change's transaction.
    pub(super) async fn note(&self, transaction: &mut Transaction, line: &NewAuditLine) -> StoreResult<()> {
        self.note_from(transaction, line, &Origin::current()).await
    }

    async fn note_from(&self, transaction: &mut Transaction, line: &NewAuditLine, origin: &Origin) -> StoreResult<()> {
        let name = match &origin.actor {
            Actor::Operator(name) | Actor::Command(name) => Some(name.as_str()),
            Actor::Account | Actor::System => None,
        };
        let kept = i64::from(self.kept_days.load(Ordering::Relaxed)).saturating_mul(MICROSECONDS_PER_DAY);
        let NewAuditLine { action, account, object, before, after } = line;
        let Origin { actor, address, agent, request_id, .. } = origin;
        let (account, kind) = (account.map_or(0, |account| account.0), actor.kind());
        let address = address.map(|address| address.to_string());
        let statement = format!(
            "INSERT INTO audit (account, email, time, expires, action, actor, actor_name, address, agent, object,
                 value_before, value_after, request_id)
             VALUES ($1, (SELECT email FROM account WHERE id = $1), {NOW}, {NOW} + $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        );
        let parameters: Parameters<'_> =
            &[&account, &kept, action, &kind, &name, &address, agent, object, before, after, request_id];
        transaction.execute(&statement, parameters).await?;
        transaction.1.push((line.clone(), origin.clone()));
        Ok(())
    }
}

/// The line's copy in the server's log, without e-mail addresses.
pub(super) fn log((line, origin): &(NewAuditLine, Origin)) {
    let NewAuditLine { action, account, object, .. } = line;
    let (actor, account) = (origin.actor.kind(), account.map(|account| account.0));
    let (address, request_id) = (origin.address.map(|address| address.to_string()), origin.request_id.as_deref());
    let operator = origin.operator.map(|operator| operator.0);
    tracing::info!(target: "audit", action, actor, operator, account, object, address, request_id, "audited");
}

fn line(found: &DbRow) -> StoreResult<AuditLine> {
    let name = row::column::<Option<_>>(found, "actor_name")?.unwrap_or_default();
    let actor = match row::column(found, "actor")? {
        "account" => Actor::Account,
        "operator" => Actor::Operator(name),
        "command" => Actor::Command(name),
        "system" => Actor::System,
        other => return Err(unreadable(format!("a line's actor is {other:?}"))),
    };
    let (address, account): (Option<&str>, i64) = (row::column(found, "address")?, row::column(found, "account")?);
    let origin = Origin {
        actor,
        address: address.map(str::parse).transpose().map_err(unreadable)?,
        agent: row::column(found, "agent")?,
        request_id: row::column(found, "request_id")?,
        ..Origin::default()
    };
    Ok(AuditLine {
        id: row::column(found, "id")?,
        time: row::instant(row::column(found, "time")?)?,
        action: row::column(found, "action")?,
        origin,
        account: (account > 0).then_some(AccountId(account)),
        email: row::column(found, "email")?,
        object: row::column(found, "object")?,
        before: row::column(found, "value_before")?,
        after: row::column(found, "value_after")?,
    })
}
