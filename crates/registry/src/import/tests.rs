//! Promises that need to look inside: failing disks, and bytes that stay the same from edition to edition.

mod crashes;
mod dataset_crashes;
mod dataset_publications;
mod failing_disk;
mod key_order;
mod stable_bytes;
mod workspace;
