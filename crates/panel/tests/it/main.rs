//! Tests of the panel through a browser, with fakes of the ports and a manual clock.

#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a test's helpers fail by panicking")]

mod browser;
mod certificates;
mod feed;
mod hasher;
mod taxpayers;
mod test_app;

mod access;
mod account_data;
mod assets;
mod brand;
mod confirmation;
mod csrf;
mod digest;
mod docs;
mod escaping;
mod exchange_rate;
mod extra_fields;
mod foreign_ids;
mod form_rate;
mod home;
mod list;
mod list_dni;
mod list_of_vouchers;
mod list_risk;
mod list_sheets;
mod mails;
mod meanings;
mod new_address;
mod new_password;
mod operations;
mod operator;
mod pages;
mod passwords;
mod places;
mod return_page;
mod search;
mod security_headers;
mod service;
mod sessions;
mod sheet;
mod sheet_history;
mod spanish;
mod status_of_datasets;
mod tokens;
mod usage;
mod vouchers;
mod watching;
mod webhooks;
