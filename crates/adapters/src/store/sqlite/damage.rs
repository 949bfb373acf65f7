//! [SQLite's result codes](https://www.sqlite.org/rescode.html) for a damaged file and refused writes.

const CORRUPT: u32 = 11;
const NOT_A_DATABASE: u32 = 26;

const BUSY: u32 = 5;
const READ_ONLY: u32 = 8;
const FULL: u32 = 13;

pub(super) fn is_damage(code: &str) -> bool {
    matches!(primary(code), Some(CORRUPT | NOT_A_DATABASE))
}

/// Whether SQLite refused the statement and rolled it back.
pub(super) fn is_unwritable(code: &str) -> bool {
    matches!(primary(code), Some(BUSY | READ_ONLY | FULL))
}

/// The low byte of the extended code.
fn primary(code: &str) -> Option<u32> {
    code.parse::<u32>().ok().map(|code| code & 0xff)
}
