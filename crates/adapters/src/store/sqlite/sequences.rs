//! Reads and writes SQLite's sequences of numbered rows.

use kuraka_ports::StoreError;

use super::{Transaction, row};
use crate::store::transfer::{NUMBERED, Sequences};

pub(super) async fn read(transaction: &mut Transaction) -> Result<Sequences, StoreError> {
    let mut latest = Sequences::default();
    for (table, latest) in NUMBERED.into_iter().zip(&mut latest) {
        let statement = "SELECT coalesce(max(seq), 0) AS latest FROM sqlite_sequence WHERE name = $1";
        *latest = transaction.one(statement, &[&table], |row| row::column(row, "latest")).await?;
    }
    Ok(latest)
}

pub(super) async fn write(transaction: &mut Transaction, sequences: Sequences) -> Result<(), StoreError> {
    for (table, latest) in NUMBERED.into_iter().zip(sequences) {
        transaction.execute("DELETE FROM sqlite_sequence WHERE name = $1", &[&table]).await?;
        transaction.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", &[&table, &latest]).await?;
    }
    Ok(())
}
