//! Taxpayer status and domicile condition: the published tables, truncated texts, unknown texts.

use kuraka_domain::status::CUT;
use kuraka_domain::{DomicileCondition, TaxpayerStatus};

/// A text as the registry truncates it.
fn cut(text: &str) -> String {
    text.chars().take(CUT).collect()
}

fn full_texts() -> (Vec<&'static str>, Vec<&'static str>) {
    (
        TaxpayerStatus::KNOWN.iter().map(TaxpayerStatus::as_str).collect(),
        DomicileCondition::KNOWN.iter().map(DomicileCondition::as_str).collect(),
    )
}

#[test]
fn a_known_text_is_read_in_full_truncated_and_with_blanks() {
    let forms = |text: &str| [text.to_owned(), cut(text), cut(text).trim_end().to_owned(), format!("  {text} ")];
    for known in TaxpayerStatus::KNOWN {
        assert!(forms(known.as_str()).iter().all(|form| TaxpayerStatus::from_text(form) == *known), "{known}");
        assert!(known.is_known());
    }
    for known in DomicileCondition::KNOWN {
        assert!(forms(known.as_str()).iter().all(|form| DomicileCondition::from_text(form) == *known), "{known}");
    }
}

#[test]
fn a_text_truncated_elsewhere_is_unknown() {
    let (statuses, conditions) = full_texts();
    for text in statuses {
        for length in (1..text.len()).filter(|length| *length != CUT) {
            let read = TaxpayerStatus::from_text(&text[..length]);
            let whole_or_cut =
                read.as_str() == text[..length].trim() || cut(read.as_str()).trim() == text[..length].trim();
            assert!(whole_or_cut, "{:?} reads as {read:?}", &text[..length]);
            assert_ne!(read.as_str(), text);
        }
    }
    // `NO HALLADO NO EXISTE DOMICILIO` begins with `NO HALLADO`, which is another condition.
    assert!(conditions.contains(&"NO HALLADO"));
    assert_eq!(DomicileCondition::from_text("NO HALLADO "), DomicileCondition::NotFound);
    assert_eq!(
        DomicileCondition::from_text("NO HALLADO NO EXIST"),
        DomicileCondition::Other("NO HALLADO NO EXIST".into())
    );
}

#[test]
fn an_unpublished_text_is_kept() {
    for text in ["PENDIENTE DE INI. DE", "BAJA NO ACTIV. SISEV", "activo", "A-B"] {
        let read = TaxpayerStatus::from_text(text);
        assert_eq!(read, TaxpayerStatus::Other(text.into()));
        assert!(!read.is_known());
        assert_eq!(read.as_str(), text);
    }
}

#[test]
fn the_codes_are_those_of_sunats_forms() {
    let codes: Vec<&str> = TaxpayerStatus::KNOWN.iter().map(TaxpayerStatus::code).collect();
    assert_eq!(codes, ["00", "01", "02", "03", "04", "10", "11", "12", "20", "21", "22", "30", "31"]);
    let codes: Vec<&str> = DomicileCondition::KNOWN.iter().map(DomicileCondition::code).collect();
    let first: Vec<String> = (0..=12).map(|code| format!("{code:02}")).collect();
    assert_eq!(codes[..13], first);
    assert_eq!(codes[13..], ["20", "21", "22", "23", "24", "25", "40"]);
    assert_eq!(TaxpayerStatus::from_text("PENDIENTE DE INI. DE").code(), "");
}

#[test]
fn a_placeholder_is_the_empty_text() {
    for text in ["", " ", "-", "----", " - "] {
        assert_eq!(TaxpayerStatus::from_text(text).as_str(), "", "{text:?}");
        assert_eq!(DomicileCondition::from_text(text).as_str(), "", "{text:?}");
    }
}
