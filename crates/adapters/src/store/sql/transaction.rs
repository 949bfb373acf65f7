//! A transaction in either database.

use std::ops::{Deref, DerefMut};

use kuraka_ports::StoreError;

use super::audit::log;
use super::connection::{Connection, Transaction};

impl Transaction {
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        self.execute(sqlx::query("COMMIT")).await?;
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
