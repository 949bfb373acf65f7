//! Statements on a connection, alone or in a transaction, in either database.

use std::ops::{Deref, DerefMut};

use kuraka_ports::{StoreResult, StoredValue};
use sqlx::AssertSqlSafe;

use super::audit::log;
use super::connection::{Connection, Query, Transaction};
use super::error::store_error;
use super::{BEGIN, DbRow, Store};
use crate::store::parameter::Parameters;

impl Store {
    pub(in super::super) async fn writer_transaction(&self) -> StoreResult<Transaction> {
        Transaction::begin(self.writer().await?, BEGIN).await
    }

    pub(in super::super) async fn pages_transaction(&self) -> StoreResult<Transaction> {
        Transaction::begin(self.pages().await?, BEGIN).await
    }

    pub(in super::super) async fn ledger_transaction(&self) -> StoreResult<Transaction> {
        Transaction::begin(self.ledger().await?, BEGIN).await
    }
}

impl Connection {
    /// Returns the number of changed rows.
    pub(in super::super) async fn execute(&mut self, statement: &str, parameters: Parameters<'_>) -> StoreResult<u64> {
        self.changed_rows(query(statement, parameters)).await
    }

    /// Whether there is a row.
    pub(in super::super) async fn any(&mut self, statement: &str, parameters: Parameters<'_>) -> StoreResult<bool> {
        Ok(!self.rows(query(statement, parameters)).await?.is_empty())
    }

    pub(in super::super) async fn list<T>(
        &mut self,
        statement: &str,
        parameters: Parameters<'_>,
        read: impl Fn(&DbRow) -> StoreResult<T>,
    ) -> StoreResult<Vec<T>> {
        self.rows(query(statement, parameters)).await?.iter().map(read).collect()
    }

    /// The first row, if any.
    pub(in super::super) async fn find<T>(
        &mut self,
        statement: &str,
        parameters: Parameters<'_>,
        read: impl Fn(&DbRow) -> StoreResult<T>,
    ) -> StoreResult<Option<T>> {
        self.rows(query(statement, parameters)).await?.first().map(read).transpose()
    }

    /// The row of a statement that always has one.
    pub(in super::super) async fn one<T>(
        &mut self,
        statement: &str,
        parameters: Parameters<'_>,
        read: impl Fn(&DbRow) -> StoreResult<T>,
    ) -> StoreResult<T> {
        self.find(statement, parameters, read).await?.ok_or_else(|| store_error(sqlx::Error::RowNotFound))
    }
}

pub(in super::super) fn query(statement: &str, parameters: Parameters<'_>) -> Query {
    let query = sqlx::query(AssertSqlSafe(statement));
    parameters.iter().fold(query, |query, parameter| match parameter.value() {
        StoredValue::Integer(number) => query.bind(number),
        StoredValue::Text(text) => query.bind(text),
        StoredValue::Bytes(bytes) => query.bind(bytes),
    })
}

impl Transaction {
    pub(in super::super) async fn commit(mut self) -> StoreResult<()> {
        self.execute("COMMIT", &[]).await?;
        self.in_transaction = false;
        self.1.iter().for_each(log);
        Ok(())
    }
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}
