//! What becomes of a text in an answer.

use serde_json::json;

use super::made_up::read_field;

/// The text as it is kept, or the fault for which it is refused.
fn clean(text: &str) -> Result<String, String> {
    let read = read_field("trade_name", json!(text)).map(|record| record.trade_name);
    read.map_err(|reason| reason.replace("the field trade_name ", ""))
}

#[test]
fn blanks_are_folded_and_placeholders_emptied() {
    assert_eq!(clean("  AV.  LIMA\t 12\r\n").unwrap(), "AV. LIMA 12");
    for placeholder in ["", " ", "-", " - ", "----"] {
        assert_eq!(clean(placeholder).unwrap(), "", "{placeholder:?}");
    }
    assert_eq!(clean("LOTE - 4").unwrap(), "LOTE - 4");
}

#[test]
fn entities_are_resolved_once() {
    assert_eq!(clean("F &amp; C S.A. &quot;X&quot; &#39;Y&#x27;").unwrap(), "F & C S.A. \"X\" 'Y'");
    assert_eq!(clean("PU&Ntilde;O &amp;amp;").unwrap(), "PUÑO &amp;");
    assert_eq!(clean("A & B; C &unknown; &#xD800;").unwrap(), "A & B; C &unknown; &#xD800;");
    assert_eq!(clean("MIG&Uuml;EL G&Uuml;ISA &#209; &nbsp; 2").unwrap(), "MIGÜEL GÜISA Ñ 2");
    assert_eq!(clean("A&#0;B").unwrap(), "A&#0;B", "no entity stands for such a character");
    assert_eq!(clean("A&#145;B").unwrap_err(), "holds control characters");
}

#[test]
fn mojibake_is_refused() {
    for text in ["PUÃ‘A", "PUÃ\u{91}A", "LIMÃ“N", "ni\u{c3}\u{b1}o", "NÂ° 4", "A \u{fffd} B", "â€œX", "&Atilde;Ã±"]
    {
        assert_eq!(clean(text).unwrap_err(), "is mojibake", "{text}");
    }
}

#[test]
fn names_that_look_like_mojibake_are_accepted() {
    for text in ["SÃO PAULO", "PUÑO & CIA", "CHÂTEAU", "“EL SOL” – N° 4", "Ã"] {
        assert_eq!(clean(text).unwrap(), text);
    }
}

#[test]
fn a_text_has_a_bound() {
    assert_eq!(clean(&"Ñ".repeat(1_000)).unwrap().chars().count(), 1_000);
    assert_eq!(clean(&"Ñ".repeat(1_001)).unwrap_err(), "is longer than 1000 characters");
}
