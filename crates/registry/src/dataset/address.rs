//! Addresses and names of published files. `{AAAAMM}` stands for a month.

use kuraka_domain::Date;

const MONTH: &str = "{AAAAMM}";
/// Months tried, the current one included: a month's file is published about a month later.
const TRIED: i32 = 6;

/// The addresses to try, in order: this one, or one for the current month and each before it.
pub fn addresses(address: &str, today: Date) -> Vec<String> {
    if !address.contains(MONTH) {
        return vec![address.to_owned()];
    }
    let this_month = i32::from(today.year()) * 12 + i32::from(today.month()) - 1;
    let months = (0..TRIED).map(|back| this_month - back);
    months.map(|month| address.replace(MONTH, &format!("{:04}{:02}", month / 12, month % 12 + 1))).collect()
}

/// The address of a month, `AAAAMM`; `None` = it has no placeholder.
pub fn with_month(address: &str, month: &str) -> Option<String> {
    address.contains(MONTH).then(|| address.replace(MONTH, month))
}

/// Compares without case.
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
    use crate::dataset::{DATOS_ABIERTOS, RETENCION};

    #[test]
    fn months_are_tried_backwards() {
        let found = addresses(DATOS_ABIERTOS.address, Date::new(2026, 2, 3).unwrap());
        let months: Vec<_> = found.iter().map(|it| it.rsplit_once('_').unwrap().1).collect();
        assert_eq!(months, ["202602.zip", "202601.zip", "202512.zip", "202511.zip", "202510.zip", "202509.zip"]);
        assert_eq!(addresses(RETENCION.address, Date::new(2026, 2, 3).unwrap()), [RETENCION.address]);
    }

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
