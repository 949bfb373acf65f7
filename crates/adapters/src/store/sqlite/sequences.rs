//! Reads and writes SQLite's sequences of accounts and tokens.

use kuraka_ports::StoreError;

use super::{Transaction, row};
use crate::store::transfer::Sequences;

pub(super) async fn read(transaction: &mut Transaction) -> Result<Sequences, StoreError> {
    let query = sqlx::query(
        "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'account'), 0) AS account,
             coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'token'), 0) AS token",
    );
    let found = transaction.fetch_one(query).await?;
    Ok(Sequences { account: row::column(&found, "account")?, token: row::column(&found, "token")? })
}

pub(super) async fn write(transaction: &mut Transaction, sequences: Sequences) -> Result<(), StoreError> {
    for (table, latest) in [("account", sequences.account), ("token", sequences.token)] {
        transaction.execute(sqlx::query("DELETE FROM sqlite_sequence WHERE name = $1").bind(table)).await?;
        let query = sqlx::query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)").bind(table).bind(latest);
        transaction.execute(query).await?;
    }
    Ok(())
}
