//! Row ids: a RUC without its check digit as a number below 500 million, a hundred million for each of five prefixes.

use kuraka_domain::{Ruc, RucKind};

pub(crate) const PER_KIND: u32 = 100_000_000;
/// In row id order.
const KINDS: [RucKind; 5] =
    [RucKind::NaturalPerson, RucKind::Estate, RucKind::Special, RucKind::Foreigner, RucKind::LegalPerson];

pub(crate) const ROW_IDS: u32 = PER_KIND * KINDS.len() as u32;

/// The row id of a RUC, below 500,000,000 and its own.
#[inline]
pub fn row_id_of(ruc: Ruc) -> u32 {
    let class = match ruc.kind() {
        RucKind::NaturalPerson => 0,
        RucKind::Estate => 1,
        RucKind::Special => 2,
        RucKind::Foreigner => 3,
        RucKind::LegalPerson => 4,
    };
    class * PER_KIND + ruc.body()
}

pub(crate) const fn is_company(row_id: u32) -> bool {
    row_id / PER_KIND == KINDS.len() as u32 - 1
}

/// `None` past the last row id.
pub(crate) fn ruc_at(row_id: u32) -> Option<Ruc> {
    let kind = KINDS.get((row_id / PER_KIND) as usize)?;
    Ruc::from_parts(*kind, row_id % PER_KIND).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_id_gives_its_ruc_back() {
        for text in ["10000000014", "15000000016", "17000000019", "20100070970", "20999999999"] {
            let Ok(ruc) = Ruc::parse(text).or_else(|_| Ruc::from_parts(RucKind::Special, 7)) else {
                panic!("{text} is a RUC");
            };
            assert_eq!(ruc_at(row_id_of(ruc)), Some(ruc));
        }
    }

    #[test]
    fn there_is_no_ruc_past_the_last_row_id() {
        assert!(ruc_at(ROW_IDS - 1).is_some());
        assert_eq!(ruc_at(ROW_IDS), None);
    }
}
