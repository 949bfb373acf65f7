//! The published names of files, in which `{AAAAMM}` stands for a month.

use super::address::MONTH;

/// Whether a file's name is the published one, without regard to case.
pub(crate) fn is_named(published: &str, found: &str) -> bool {
    let Some((before, after)) = published.split_once(MONTH) else { return published.eq_ignore_ascii_case(found) };
    let Some((start, rest)) = found.split_at_checked(before.len()) else { return false };
    let Some((month, end)) = rest.split_at_checked(6) else { return false };
    let digits = month.bytes().all(|byte| byte.is_ascii_digit());
    digits && start.eq_ignore_ascii_case(before) && end.eq_ignore_ascii_case(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_any_six_digits() {
        assert!(is_named("PadronRUC_{AAAAMM}.csv", "padronruc_202609.CSV"));
        for other in ["PadronRUC_20260.csv", "PadronRUC_2026099.csv", "PadronRUC_2026ab.csv", "PadronRUC_", "ñ"] {
            assert!(!is_named("PadronRUC_{AAAAMM}.csv", other), "{other}");
        }
        assert!(is_named("AgenRet_TXT.txt", "AGENRET_TXT.TXT"));
        assert!(!is_named("AgenRet_TXT.txt", "AgenRet_TXT.csv"));
    }
}
