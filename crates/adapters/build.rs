//! Rebuilds when a migration is added: the compiler only watches those it has already embedded.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
