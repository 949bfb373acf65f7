//! An error and its causes in one line.

use std::io;

use kuraka_ports::chain;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct OuterError(String, #[source] io::Error);

#[test]
fn a_cause_that_the_error_repeats_is_written_once() {
    let refused = || io::Error::other("refused");
    assert_eq!(chain(&OuterError("no connection: refused".to_owned(), refused())), "no connection: refused");
    assert_eq!(chain(&OuterError("no connection".to_owned(), refused())), "no connection: refused");
}
