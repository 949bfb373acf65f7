//! Known words of the page, to notice words in a wrong row and joined words. An unknown word is no error.

use kuraka_domain::{DomicileCondition, TaxpayerStatus, TaxpayerType};

use super::label::Label;

/// Issuing and accounting; several are joined with a slash.
const SYSTEMS: [&str; 3] = ["MANUAL", "COMPUTARIZADO", "MECANIZADO"];
/// Foreign trade; several are joined with a slash.
const FOREIGN_TRADE: [&str; 3] = ["SIN ACTIVIDAD", "IMPORTADOR", "EXPORTADOR"];
/// A type missing in SUNAT's table.
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
/// Letters after a known word that are more than an inflection.
const GLUED: usize = 5;

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

/// Whether a text begins with joined names of vouchers.
pub(super) fn are_run_together(text: &str) -> bool {
    VOUCHERS.iter().filter_map(|word| text.strip_prefix(word)).any(|rest| {
        let next = rest.trim_start();
        let letters = rest.chars().take_while(|c| c.is_alphabetic()).count();
        VOUCHERS.contains(&next) || are_run_together(next) || letters >= GLUED
    })
}
