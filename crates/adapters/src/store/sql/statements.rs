//! The ports of a store. Each store compiles them with what it has under these names.

mod accounts;
mod audit;
mod certificates;
mod changes;
mod daily_usage;
mod digests;
mod kept_lists;
mod mail_codes;
mod measured_hours;
mod outbox;
mod sessions;
mod sweep;
mod tokens;
mod transaction;
mod transfer;
mod usage;
mod watch;
mod webhooks;

use super::connection::{self, Transaction};
use super::{
    BEGIN, Db, DbRow, EXPIRE_LINES, NOW, SKIP_LOCKED, Store, continue_after, error, latest_number, leases, row,
};
