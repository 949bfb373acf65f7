//! The API's contract as data: the JSON records of requests and answers, and a description of every operation, from
//! which the OpenAPI document and the text for language models are written.
//!
//! One file per operation holds its records and its [`Operation`]. This crate knows JSON and OpenAPI; it knows no HTTP
//! server and no HTTP status of a code: the server passes those in as [`CodeDescription`]s.

pub mod cpe;
pub mod llms_txt;
pub mod openapi;
pub mod operation;
pub mod ruc;
pub mod ruc_official;
pub mod usage;

pub use cpe::{VoucherRecord, VoucherRequest};
pub use operation::{Body, CodeDescription, Method, Operation, Playground, Sample, Schema};
pub use ruc::{RucRequest, SummaryRecord};
pub use ruc_official::{ActivityRecord, DetailRecord, ElectronicRecord};
pub use usage::{PeriodRecord, QueriesRecord, UsageRecord};
