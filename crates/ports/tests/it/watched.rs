//! The RUCs that an account watches, and its codes for them.

use kuraka_domain::Ruc;
use kuraka_ports::{WatchCode, WatchCodeError, WatchedRuc, WatchedSet};

fn watched(ruc: &str, code: &str) -> WatchedRuc {
    WatchedRuc { ruc: Ruc::parse(ruc).unwrap(), code: WatchCode::parse(code).unwrap() }
}

#[test]
fn a_set_gives_each_ruc_its_code() {
    let all = [("20999990038", "P-0042"), ("20100119227", ""), ("20100070970", "ñandú")];
    let set: WatchedSet = all.map(|(ruc, code)| watched(ruc, code)).into_iter().collect();
    assert!(set.rucs().is_sorted());
    for (ruc, code) in all {
        assert_eq!(set.code(Ruc::parse(ruc).unwrap()), Some(code).filter(|code| !code.is_empty()));
    }
    assert_eq!(set.code(Ruc::parse("20999999990").unwrap()), None);
}

#[test]
fn a_code_has_at_most_40_characters() {
    assert_eq!(WatchCode::parse(&format!(" {} ", "ñ".repeat(40))).unwrap().unwrap().as_str(), "ñ".repeat(40));
    for bad in ["x".repeat(41), "a\tb".to_owned()] {
        assert_eq!(WatchCode::parse(&bad), Err(WatchCodeError));
    }
    assert_eq!(WatchCode::parse("  "), Ok(None));
}
