//! Tells what is wrong with a RUC, as a form would: `cargo run --example check_ruc 20131312950`.
#![allow(clippy::print_stdout, reason = "an example prints its result")]

use kuraka_domain::{Ruc, RucError};

fn verdict(text: &str) -> String {
    match Ruc::parse(text) {
        Ok(ruc) => match ruc.dni() {
            Some(dni) => format!("the RUC of the natural person with the DNI {dni}"),
            None => format!("a RUC with the prefix {}", ruc.prefix()),
        },
        Err(RucError::CheckDigit { expected, .. }) => format!("a digit is wrong; the last one would be {expected}"),
        Err(error) => error.to_string(),
    }
}

fn main() {
    assert_eq!(verdict("20131312955"), "a RUC with the prefix 20");
    assert_eq!(verdict("10123456781"), "the RUC of the natural person with the DNI 12345678");
    assert_eq!(verdict("20131312950"), "a digit is wrong; the last one would be 5");
    assert_eq!(verdict("2013131295"), "a RUC has 11 digits, this has 10 characters");
    for text in std::env::args().skip(1) {
        println!("{text}: {}", verdict(&text));
    }
}
