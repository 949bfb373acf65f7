//! The RUC that an answer is read for: the first valid one in it, so that answers about it are reached.

use kuraka_domain::Ruc;

/// The first RUC in these bytes, or a fixed one.
pub fn asked(bytes: &[u8]) -> Ruc {
    let found = bytes.windows(11).find_map(|window| Ruc::from_ascii(window).ok());
    found.unwrap_or_else(|| Ruc::parse("20100119227").expect("a RUC"))
}

/// A RUC that differs from this one.
pub fn another(ruc: Ruc) -> Ruc {
    let other = Ruc::parse("20131312955").expect("a RUC");
    if ruc == other { Ruc::parse("20100119227").expect("a RUC") } else { other }
}
