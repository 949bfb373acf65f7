//! The words of a name.

use kuraka_domain::name::{folded, words};

#[test]
fn case_accents_and_apostrophes_are_ignored() {
    for (name, expected) in [
        ("  Niño  Ñandú ", "NINO NANDU"),
        ("D'ONOFRIO S.A.", "DONOFRIO SA"),
        ("Nin\u{303}o", "NINO"),
        ("FRANÇOIS & CÍA.", "FRANCOIS CIA"),
        ("", ""),
        (" .-/' ", ""),
    ] {
        assert_eq!(folded(name), expected);
    }
}

#[test]
fn single_letters_joined_by_dots_are_one_word() {
    for (name, expected) in [
        ("S.A.C.", &["SAC"][..]),
        ("SAC", &["SAC"]),
        ("H.V.C.EXPORTACIONES", &["HVC", "EXPORTACIONES"]),
        ("B.BRAUN", &["B", "BRAUN"]),
        ("A. B.C", &["A", "BC"]),
        ("A..B", &["A", "B"]),
        ("3.5 S A", &["3", "5", "S", "A"]),
        ("GRUPO M.E.I.R.L.", &["GRUPO", "MEIRL"]),
        ("Ñ.Á.", &["NA"]),
    ] {
        assert_eq!(words(name), expected, "{name}");
    }
}
