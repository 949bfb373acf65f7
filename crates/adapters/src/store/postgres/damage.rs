//! Which of PostgreSQL's failures say that its tables are damaged (class XX00) or not ours; see the appendix on error
//! codes of its manual.

/// Whether an SQLSTATE says so.
pub(super) fn is_damage(code: &str) -> bool {
    matches!(code, "XX001" | "XX002" | "42P01" | "42703" | "42804")
}
