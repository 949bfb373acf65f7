//! Words that the page is known to use, with which a word in a wrong row and joined words are noticed. An unknown word
//! is no error.

use kuraka_domain::{DomicileCondition, TaxpayerStatus, TaxpayerType};

use super::label::Label;

/// How vouchers are issued and books kept; the page joins several with a slash.
const SYSTEMS: [&str; 3] = ["MANUAL", "COMPUTARIZADO", "MECANIZADO"];
/// Foreign trade; the page joins several with a slash.
const FOREIGN_TRADE: [&str; 3] = ["SIN ACTIVIDAD", "IMPORTADOR", "EXPORTADOR"];
/// A type of taxpayer that is not in SUNAT's table.
const LEGAL_PERSON: &str = "PERSONA JURIDICA";
const VOUCHERS: [&str; 18] = [
    "BOLETA DE VENTA",
    "BOLETO DE TRANSPORTE AEREO",
    "CARTA DE PORTE AEREO",
    "COMPROBANTE DE PERCEPCION",
    "COMPROBANTE DE PERCEPCION VENTA INTERNA",
    "COMPROBANTE DE RETENCION",
    "DOCUMENTO DE ATRIBUCION",
    "FACTURA",
    "GUIA DE REMISION - REMITENTE",
    "GUIA DE REMISION - TRANSPORTISTA",
    "GUIA DE REMISION REMITENTE",
    "GUIA DE REMISION TRANSPORTISTA",
    "LIQUIDACION DE COMPRA",
    "NOTA DE CREDITO",
    "NOTA DE DEBITO",
    "POLIZA DE ADJUDICACION",
    "RECIBO POR ARRENDAMIENTO",
    "RECIBO POR HONORARIOS",
];
/// Letters right after a known word that are more than another form of the word.
const GLUED: usize = 5;

/// Whether a text is a word of this row, or several joined with a slash where the page does so.
pub(super) fn is_word(label: Label, text: &str) -> bool {
    let joined = |words: &[&str]| text.split('/').all(|part| words.contains(&part.trim()));
    match label {
        Label::TaxpayerType => text == LEGAL_PERSON || TaxpayerType::ALL.iter().any(|known| known.text() == text),
        Label::Status => TaxpayerStatus::from_text(text).is_known(),
        Label::Condition => DomicileCondition::from_text(text).is_known(),
        Label::IssuingSystem | Label::AccountingSystem => joined(&SYSTEMS),
        Label::ForeignTrade => joined(&FOREIGN_TRADE),
        Label::AuthorisedVouchers => VOUCHERS.contains(&text),
        Label::Ruc
        | Label::Document
        | Label::TradeName
        | Label::Registered
        | Label::ActivitiesStarted
        | Label::Deregistered
        | Label::Address
        | Label::Activities
        | Label::ElectronicSystems
        | Label::ElectronicSince
        | Label::ElectronicVouchers
        | Label::BooksSince
        | Label::Padrones => false,
    }
}

/// Whether a text is, or begins with, joined names of vouchers.
pub(super) fn are_run_together(text: &str) -> bool {
    VOUCHERS.iter().filter_map(|word| text.strip_prefix(word)).any(|rest| {
        let next = rest.trim_start();
        let letters = rest.chars().take_while(|c| c.is_alphabetic()).count();
        VOUCHERS.contains(&next) || are_run_together(next) || letters >= GLUED
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_run_together_are_told_from_longer_words() {
        for text in
            ["FACTURABOLETA DE VENTA", "FACTURA NOTA DE CREDITO", "FACTURAFACTURANOTA DE DEBITO", "FACTURADOCUMENTO"]
        {
            assert!(are_run_together(text), "{text}");
        }
        for text in ["FACTURA", "FACTURAS", "FACTURA DE EXPORTACION", "GUIA DE REMISION - REMITENTE", "NOTA DE CREDITO"]
        {
            assert!(!are_run_together(text), "{text}");
        }
    }

    #[test]
    fn several_words_are_joined_with_a_slash() {
        assert!(is_word(Label::IssuingSystem, "MANUAL/COMPUTARIZADO"));
        assert!(is_word(Label::ForeignTrade, "IMPORTADOR/EXPORTADOR"));
        assert!(!is_word(Label::IssuingSystem, "MANUALCOMPUTARIZADO"));
        assert!(!is_word(Label::TradeName, "MANUAL"));
    }
}
