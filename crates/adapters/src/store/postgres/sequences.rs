//! Reads and writes PostgreSQL's sequences of numbered rows.

use kuraka_ports::StoreError;

use super::{Transaction, row};
use crate::store::transfer::{NUMBERED, Sequences};

pub(super) async fn read(transaction: &mut Transaction) -> Result<Sequences, StoreError> {
    let mut latest = Sequences::default();
    for (table, latest) in NUMBERED.into_iter().zip(&mut latest) {
        let statement =
            format!("SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END AS latest FROM {table}_id_seq");
        *latest = transaction.one(&statement, &[], |row| row::column(row, "latest")).await?;
    }
    Ok(latest)
}

pub(super) async fn write(transaction: &mut Transaction, sequences: Sequences) -> Result<(), StoreError> {
    for (table, latest) in NUMBERED.into_iter().zip(sequences) {
        // The next number is the latest plus 1; an unused sequence begins at 1.
        let statement = "SELECT setval(CAST($1 AS regclass), $2, FALSE)";
        transaction.execute(statement, &[&format!("{table}_id_seq"), &(latest + 1)]).await?;
    }
    Ok(())
}
