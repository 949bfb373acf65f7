//! Taxpayer status and domicile condition: the published tables, every cut, what passes through.

use std::collections::HashSet;

use kuraka_domain::status::CUT;
use kuraka_domain::{DomicileCondition, TaxpayerStatus};

/// What the registry keeps of a text.
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
fn every_known_text_reads_back_whole_cut_and_between_blanks() {
    for known in TaxpayerStatus::KNOWN {
        let text = known.as_str();
        for form in [text.to_owned(), cut(text), cut(text).trim_end().to_owned(), format!("  {text} ")] {
            assert_eq!(&TaxpayerStatus::from_text(&form), known, "{form:?}");
        }
        assert!(known.is_known());
        assert_eq!(known.to_string(), text);
    }
    for known in DomicileCondition::KNOWN {
        let text = known.as_str();
        for form in [text.to_owned(), cut(text), cut(text).trim_end().to_owned(), format!("  {text} ")] {
            assert_eq!(&DomicileCondition::from_text(&form), known, "{form:?}");
        }
    }
}

#[test]
fn no_two_texts_of_a_table_share_a_cut() {
    let (statuses, conditions) = full_texts();
    for texts in [statuses, conditions] {
        let cuts: HashSet<String> = texts.iter().map(|text| cut(text).trim_end().to_owned()).collect();
        assert_eq!(cuts.len(), texts.len());
        assert!(texts.iter().all(|text| text.is_ascii() && *text == text.to_ascii_uppercase()));
    }
}

#[test]
fn a_text_cut_elsewhere_is_another_text() {
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
    // `NO HALLADO NO EXISTE DOMICILIO` begins with `NO HALLADO`, which is a condition of its own.
    assert!(conditions.contains(&"NO HALLADO"));
    assert_eq!(DomicileCondition::from_text("NO HALLADO "), DomicileCondition::NotFound);
    assert_eq!(
        DomicileCondition::from_text("NO HALLADO NO EXIST"),
        DomicileCondition::Other("NO HALLADO NO EXIST".into())
    );
}

#[test]
fn the_words_of_the_registry_are_completed() {
    for (cut, full) in [
        ("ACTIVO", "ACTIVO"),
        ("BAJA DE OFICIO", "BAJA DE OFICIO"),
        ("BAJA MULT.INSCR. Y O", "BAJA MULT.INSCR. Y OTROS"),
        ("BAJA PROV. POR OFICI", "BAJA PROV. POR OFICIO"),
        ("ANULACION - ERROR SU", "ANULACION - ERROR SUNAT"),
        ("INHABILITADO-VENT.UN", "INHABILITADO-VENT.UNICA"),
        ("NUM. INTERNO IDENTIF", "NUM. INTERNO IDENTIF."),
    ] {
        assert_eq!(TaxpayerStatus::from_text(cut).as_str(), full);
    }
    for (cut, full) in [
        ("HABIDO", "HABIDO"),
        ("NO HABIDO", "NO HABIDO"),
        ("NO HALLADO SE MUDO D", "NO HALLADO SE MUDO DE DOMICILIO"),
        ("NO HALLADO NO EXISTE", "NO HALLADO NO EXISTE DOMICILIO"),
        ("NO HALLADO FALLECIO", "NO HALLADO FALLECIO"),
        ("NO HALLADO OTROS MOT", "NO HALLADO OTROS MOTIVOS"),
        ("NO HALLADO NRO.PUERT", "NO HALLADO NRO.PUERTA NO EXISTE"),
        ("NO HALLADO DESTINATA", "NO HALLADO DESTINATARIO DESCONOCIDO"),
        ("AUSENCIA DE PERSONA", "AUSENCIA DE PERSONA CAPAZ"),
    ] {
        assert_eq!(DomicileCondition::from_text(cut).as_str(), full);
    }
}

#[test]
fn words_whose_full_text_nobody_published_pass_through() {
    for text in ["PENDIENTE DE INI. DE", "ANUL.PROVI.-ACTO ILI", "ANULACION - ACTO ILI", "activo", "A-B"] {
        let read = TaxpayerStatus::from_text(text);
        assert_eq!(read, TaxpayerStatus::Other(text.into()));
        assert!(!read.is_known());
        assert_eq!(read.as_str(), text);
    }
}

#[test]
fn placeholders_read_as_the_empty_text() {
    for text in ["", " ", "-", "----", " - "] {
        assert_eq!(TaxpayerStatus::from_text(text).as_str(), "", "{text:?}");
        assert_eq!(DomicileCondition::from_text(text).as_str(), "", "{text:?}");
    }
}
