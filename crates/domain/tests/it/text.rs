//! Texts without what varies from file to file.

use kuraka_domain::text::{folded, without_accents};

#[test]
fn a_text_without_accents_keeps_its_punctuation() {
    assert_eq!(without_accents("Soc. Com. de Resp. Ltda., año/núñez"), "SOC. COM. DE RESP. LTDA., ANO/NUNEZ");
}

#[test]
fn case_accents_and_punctuation_are_ignored() {
    for (text, expected) in [
        (" RUC", "RUC"),
        ("Código de\nZona ", "CODIGO DE ZONA"),
        ("Nombre/Razon", "NOMBRE RAZON"),
        ("SOC.COM.RESPONS. LTDA", "SOC COM RESPONS LTDA"),
        ("Año", "ANO"),
        ("|--|", ""),
    ] {
        assert_eq!(folded(text), expected);
    }
}
