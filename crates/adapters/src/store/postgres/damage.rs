//! PostgreSQL's error codes for damaged (class XX00) or foreign tables and for refused writes.

pub(super) fn is_damage(code: &str) -> bool {
    matches!(code, "XX001" | "XX002" | "42P01" | "42703" | "42804")
}

/// Whether PostgreSQL refused the statement because it is read-only or its disk is full.
pub(super) fn is_unwritable(code: &str) -> bool {
    matches!(code, "25006" | "53100")
}
