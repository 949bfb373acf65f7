//! Promises that need to look inside: failing disks, and bytes that stay the same from edition to edition.

mod crashes;
mod forged_lists;
mod key_order;
#[path = "../../tests/it/published.rs"]
mod published;
mod stable_bytes;
mod workspace;

use crate as registry;
