//! Black-box tests of the API. Each test has its own server, or one that it shares, and talks HTTP to it. `app`,
//! `request`, `answer`, `wire` and `recorder` are the tools; every other file is named after what it tests.
//!
//! The tests make accounts, tokens and editions as the commands do, and read the ledger through its port.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test's own machinery stops at the first surprise"
)]

mod answer;
mod app;
mod cable;
mod cross_origin;
mod crowd;
mod datasets;
mod eventually;
#[path = "../imported.rs"]
mod imported;
mod load;
#[expect(dead_code, reason = "tests of the program use the rest")]
#[path = "../mailbox.rs"]
mod mailbox;
mod operator;
mod padron;
#[path = "../postgres.rs"]
mod postgres;
mod published;
mod recorder;
#[path = "../reliability.rs"]
mod reliability;
mod request;
mod sandbox;
mod shared;
mod test_data;
mod unreachable;
mod welch;
mod wire;

mod admin;
mod aliases;
mod authentication;
mod bad_input;
mod batch_input;
mod batch_quota;
mod black_hole;
mod cambios;
mod cancelled_calls;
mod charges;
mod check_order;
mod connections;
mod cpe;
mod cpe_bad_input;
mod cpe_fault_matrix;
mod cpe_multiple;
mod cpe_unreachable;
mod crowds;
mod dialect_rates;
mod dialects;
mod fault_matrix;
mod get_forms;
mod headers;
mod json_schema;
mod large_bodies;
mod legacy_answers;
mod legacy_requests;
mod log_in_timing;
mod login_flood;
mod mail;
mod mcp;
mod media_types;
mod missing_lists;
mod open_data;
mod openapi_coverage;
mod outages;
mod overload;
mod panel;
mod partitions;
mod places;
mod query_token;
mod quota;
mod replicas;
mod revocations;
mod routes;
mod ruc;
mod ruc_busqueda;
mod ruc_domicilio_fiscal;
mod ruc_ficha;
mod ruc_historial;
mod ruc_multiple;
mod ruc_official;
mod schemas;
mod seguimiento;
mod service;
mod session_flood;
mod slow_clients;
mod swaps;
mod tables;
mod test_tokens;
mod tipo_de_cambio;
mod token_timing;
mod ubigeos;
mod unknown_tokens;
mod usage;
mod webhooks;
