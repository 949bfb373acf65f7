//! Reads and writes PostgreSQL's sequences of accounts and tokens.

use kuraka_ports::StoreError;

use super::{Transaction, row};
use crate::store::transfer::Sequences;

pub(super) async fn read(transaction: &mut Transaction) -> Result<Sequences, StoreError> {
    let query = sqlx::query(
        "SELECT (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM account_id_seq) AS account,
             (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM token_id_seq) AS token",
    );
    let found = transaction.fetch_one(query).await?;
    Ok(Sequences { account: row::column(&found, "account")?, token: row::column(&found, "token")? })
}

pub(super) async fn write(transaction: &mut Transaction, sequences: Sequences) -> Result<(), StoreError> {
    // The next number is the latest plus 1; an unused sequence begins at 1.
    for (sequence, latest) in [("account_id_seq", sequences.account), ("token_id_seq", sequences.token)] {
        let query = sqlx::query("SELECT setval(CAST($1 AS regclass), $2, FALSE)").bind(sequence).bind(latest + 1);
        transaction.fetch_one(query).await?;
    }
    Ok(())
}
