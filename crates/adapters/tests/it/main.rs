//! What the adapters promise, with the outside world on this machine's loopback or in a temporary folder.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod address;
mod backup;
mod child_process;
mod clock;
mod dataset_answers;
mod datasets;
mod download;
mod faults;
mod http;
#[path = "../../../../tests/imported.rs"]
mod imported;
mod layers;
mod mail;
#[expect(clippy::indexing_slicing, dead_code, reason = "a test fails by panicking; tests of the program use the rest")]
#[path = "../../../../tests/mailbox.rs"]
mod mailbox;
#[path = "../../../../tests/own_process.rs"]
mod own_process;
mod passwords;
#[path = "../../../../tests/postgres.rs"]
mod postgres;
mod provider_api;
mod recorded;
#[path = "../../../../tests/reliability.rs"]
mod reliability;
mod retry_after;
mod sample_companies;
mod script;
mod store;
mod sunat_portal;
mod sunat_vouchers;
mod unchecked_tls;
mod webhooks;
