//! The tax authority's page: recorded and invented answers, damaged ones, and the exchange over loopback.
#![expect(clippy::panic, clippy::expect_used, clippy::indexing_slicing, reason = "a test that cannot go on stops")]

mod charset;
mod config;
mod contract;
mod damage;
mod mutation;
mod pace;
mod pages;
mod ranges;
mod sandbox;
mod shape;
mod wire;
