//! Reads an answer and explains the result to operators. Pure.

use std::time::Duration;

use kuraka_ports::chain;

use super::error::AnswerError;
use super::map::{Statement, map};
use super::parse::parse;
use crate::sources::Explanation;

pub(super) fn read(status: u16, body: &[u8], retry_after: Option<Duration>) -> Result<Statement, AnswerError> {
    parse(status, body, retry_after).map(map)
}

/// Reads a saved answer as the source does, and explains the result.
pub fn explain(body: &[u8], status: u16) -> Explanation<Statement> {
    match read(status, body, None) {
        Ok(statement) => {
            let reason = "the answer says that it succeeded and has a status of the voucher";
            Explanation::found(statement, reason)
        }
        Err(error) => {
            let reason = error.reason().map_or_else(|| chain(&error), |reason| format!("{error}: {reason}"));
            Explanation::failed(error.kind(), reason)
        }
    }
}
