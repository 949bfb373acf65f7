//! The statements on watched RUCs.

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{
    Actor, NewAuditLine, Origin, StoreError, StoreErrorKind, StoreResult, TokenKind, UnpaidRucsError, WatchCode,
    WatchEntry, WatchLimits, WatchListChange, WatchListId, WatchLists, WatchedRuc, WatchedSet,
};

use super::error::unreadable;
use super::{DbRow, Store, Transaction, row};
use crate::store::parameter::{Parameter, Parameters, all};

const AT_ONCE: usize = 500;
/// Rows of a whole list read at once.
const PAGE: u32 = 10_000;
const COUNT: &str = "SELECT count(*) AS total FROM watched WHERE account = $1 AND test = $2";

#[async_trait]
impl WatchLists for Store {
    async fn change(
        &self,
        list: WatchListId,
        add: &[WatchedRuc],
        remove: &[Ruc],
        limits: WatchLimits,
    ) -> StoreResult<Result<WatchListChange, UnpaidRucsError>> {
        let (account, test) = (list.account, test(list));
        let mut transaction = self.writer_transaction().await?;
        // PostgreSQL locks the row, so that changes of one list wait for each other.
        let statement =
            "UPDATE account SET watch_month = $2, watch_free = CASE watch_month WHEN $2 THEN watch_free ELSE 0 END
             WHERE id = $1 RETURNING watch_free";
        let parameters: Parameters<'_> = &[&account.0, &limits.month.to_string()];
        let free_used = transaction.find(statement, parameters, |row| row::count(row, "watch_free")).await?;
        let free_used = free_used.ok_or(StoreError::new(StoreErrorKind::Missing))?;
        let free_left = limits.free.saturating_sub(free_used);
        let before = transaction.watched_total(list).await?;
        let mut removed = 0;
        for part in remove.chunks(AT_ONCE) {
            let places: Vec<_> = (3..part.len() + 3).map(|at| format!("${at}")).collect();
            let places = places.join(", ");
            let statement = format!("DELETE FROM watched WHERE account = $1 AND test = $2 AND ruc IN ({places})");
            let mut parameters = vec![account.0, test];
            parameters.extend(part.iter().map(|ruc| number(*ruc)));
            removed += transaction.execute(&statement, &all(&parameters)).await?;
        }
        // PostgreSQL refuses to change a row twice in one statement: of equal RUCs, the last counts.
        let mut add: Vec<_> = add.iter().filter(|added| !remove.contains(&added.ruc)).collect();
        add.reverse();
        add.sort_by_key(|added| added.ruc);
        add.dedup_by_key(|added| added.ruc);
        for part in add.chunks(AT_ONCE) {
            let row = |at: usize| format!("($1, $2, $3, ${}, ${})", at * 2 + 4, at * 2 + 5);
            let statement = format!(
                "INSERT INTO watched (account, test, added, ruc, code) VALUES {}
                 ON CONFLICT (account, test, ruc) DO UPDATE SET code = coalesce(excluded.code, watched.code)",
                (0..part.len()).map(row).collect::<Vec<_>>().join(", ")
            );
            let mut parameters = vec![account.0.value(), test.value(), limits.now.value()];
            for WatchedRuc { ruc, code } in part {
                parameters.extend([number(*ruc).value(), code.as_ref().map(WatchCode::as_str).value()]);
            }
            transaction.execute(&statement, &all(&parameters)).await?;
        }
        let total = transaction.watched_total(list).await?;
        if total > limits.most && total > before {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let added = (total + removed).saturating_sub(before);
        let mut unpaid = 0;
        if list.kind == TokenKind::Live {
            let queries = added.saturating_sub(free_left);
            if queries > limits.paid {
                return Ok(Err(UnpaidRucsError { queries }));
            }
            unpaid = added.saturating_sub(limits.paid);
            let statement = "UPDATE account SET watch_free = watch_free + $2 WHERE id = $1";
            transaction.execute(statement, &[&account.0, &unpaid]).await?;
        }
        // Calls of the API are counted, not audited.
        if added + removed > 0 && Origin::current().actor != Actor::System {
            let (before, after) = (Some(before.to_string()), Some(format!("{total} (+{added} -{removed})")));
            let line = NewAuditLine::for_object("watch_list.change", account, "watch list");
            self.note(&mut transaction, &NewAuditLine { before, after, ..line }).await?;
        }
        transaction.commit().await?;
        Ok(Ok(WatchListChange { total, added, removed, free_left: free_left.saturating_sub(unpaid) }))
    }

    async fn watched(&self, list: WatchListId, after: Option<Ruc>, limit: u32) -> StoreResult<(Vec<WatchEntry>, u64)> {
        let page = self.watched_after(list, after, limit).await?;
        let total = self.reader().await?.one(COUNT, &[&list.account.0, &test(list)], row::total).await?;
        Ok((page, total))
    }

    async fn watched_set(&self, list: WatchListId) -> StoreResult<WatchedSet> {
        let (mut set, mut after) = (WatchedSet::default(), None);
        loop {
            let page = self.watched_after(list, after, PAGE).await?;
            page.iter().for_each(|entry| set.push(&entry.watched));
            after = page.last().map(|last| last.watched.ruc);
            if page.len() < PAGE as usize {
                return Ok(set);
            }
        }
    }
}

impl Store {
    async fn watched_after(&self, list: WatchListId, after: Option<Ruc>, limit: u32) -> StoreResult<Vec<WatchEntry>> {
        // One row with a line for each RUC, ten times as fast to read as a row each. No code has a line break.
        let statement =
            "SELECT coalesce(string_agg(ruc || ' ' || added || ' ' || coalesce(code, ''), '\n'), '') AS lines FROM (
                 SELECT ruc, added, code FROM watched WHERE account = $1 AND test = $2 AND ruc > $3
                 ORDER BY ruc LIMIT $4) AS page";
        let parameters: Parameters<'_> = &[&list.account.0, &test(list), &after.map_or(0, number), &limit];
        let entries = |page: &DbRow| row::column::<&str>(page, "lines")?.lines().map(entry).collect();
        let mut rucs: Vec<_> = self.reader().await?.one(statement, parameters, entries).await?;
        rucs.sort_by_key(|entry| entry.watched.ruc);
        Ok(rucs)
    }
}

impl Transaction {
    async fn watched_total(&mut self, list: WatchListId) -> StoreResult<u64> {
        self.one(COUNT, &[&list.account.0, &test(list)], row::total).await
    }
}

fn test(list: WatchListId) -> i64 {
    (list.kind == TokenKind::Test).into()
}

fn number(ruc: Ruc) -> i64 {
    i64::try_from(ruc.get()).unwrap_or(i64::MAX)
}

fn entry(line: &str) -> StoreResult<WatchEntry> {
    let (ruc, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (added, code) = rest.split_once(' ').unwrap_or((rest, ""));
    let ruc = Ruc::parse(ruc).map_err(unreadable)?;
    let watched = WatchedRuc { ruc, code: WatchCode::parse(code).map_err(unreadable)? };
    Ok(WatchEntry { watched, added: row::instant(added.parse().map_err(unreadable)?)? })
}
