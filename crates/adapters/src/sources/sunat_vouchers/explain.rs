//! Explains to operators how a saved answer is read.

use kuraka_ports::chain;

use super::error::Failure;
use super::map::Statement;
use super::parse;

/// The result of reading an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// `found`, or the kind of failure in one word.
    pub class: &'static str,
    /// The reason, in a sentence.
    pub reason: String,
    /// What it says about the voucher, if it says anything.
    pub statement: Option<Statement>,
}

/// Reads a saved answer of the validation service in the same way as the source does.
#[must_use]
pub fn explain(body: &[u8], status: u16) -> Explanation {
    match parse::read(status, body, None) {
        Ok(said) => Explanation {
            class: "found",
            reason: "the answer says that it succeeded and has a status of the voucher".to_owned(),
            statement: Some(said.into()),
        },
        Err(failure) => Explanation { class: failure.kind().as_str(), reason: because(&failure), statement: None },
    }
}

fn because(failure: &Failure) -> String {
    match failure.reason() {
        Some(reason) => format!("{failure}: {reason}"),
        None => chain(failure),
    }
}
