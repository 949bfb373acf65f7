//! The `kuraka` binary.
fn main() {}
