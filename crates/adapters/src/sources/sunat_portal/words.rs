//! Words that the page is known to use. They are not all of its words, and an unknown one is no error. With these, a word
//! in a wrong row is noticed, and so are words that run together.

use kuraka_domain::{DomicileCondition, TaxpayerStatus};

use super::label::Label;

/// How vouchers are issued and books kept; the page joins several with a slash.
const SYSTEMS: [&str; 3] = ["MANUAL", "COMPUTARIZADO", "MECANIZADO"];
/// Foreign trade; the page joins several with a slash.
const FOREIGN_TRADE: [&str; 3] = ["SIN ACTIVIDAD", "IMPORTADOR", "EXPORTADOR"];
/// Types of taxpayer.
const TYPES: [&str; 48] = [
    "ACCIONARIADO DEL ESTADO",
    "ASOC. DE HECHO DE PROFESIONALES",
    "ASOCIACION",
    "ASOCIACION EN PARTICIPACION",
    "COLEGIOS PROFESIONALES",
    "COMITES INSCRITOS",
    "COMUNIDAD CAMPESINA, NATIVA, COMUNAL",
    "COMUNIDAD DE BIENES",
    "COMUNIDAD LABORAL",
    "CONTRATOS COLABORACION EMPRESARIAL",
    "COOPERATIVAS, SAIS, CAPS",
    "EMPRESA DE DERECHO PUBLICO",
    "EMPRESA DE ECONOMIA MIXTA",
    "EMPRESA DE PROPIEDAD SOCIAL",
    "EMPRESA ESTATAL DE DERECHO PRIVADO",
    "EMPRESA INDIVIDUAL DE RESP. LTDA",
    "ENT.INST.COOPERAC.TECNICA - ENIEX",
    "ENTIDADES DE AUXILIO MUTUO",
    "FONDOS MUTUOS DE INVERSION",
    "FUNDACION",
    "GOBIERNO CENTRAL",
    "GOBIERNO REGIONAL, LOCAL",
    "INSTITUCIONES PUBLICAS",
    "INSTITUCIONES RELIGIOSAS",
    "JUNTA DE PROPIETARIOS",
    "ORGANIZACIONES SOCIALES DE BASE",
    "PARTIDOS, MOVIM, ALIANZAS POLITICAS",
    "PERSONA JURIDICA",
    "PERSONA NATURAL CON NEGOCIO",
    "PERSONA NATURAL SIN NEGOCIO",
    "SINDICATOS Y FEDERACIONES",
    "SOC.COM.RESPONS. LTDA",
    "SOCIEDAD ANONIMA",
    "SOCIEDAD ANONIMA ABIERTA",
    "SOCIEDAD ANONIMA CERRADA",
    "SOCIEDAD CIVIL",
    "SOCIEDAD COLECTIVA",
    "SOCIEDAD CONYUGAL CON NEGOCIO",
    "SOCIEDAD CONYUGAL SIN NEGOCIO",
    "SOCIEDAD DE BENEFICENCIA",
    "SOCIEDAD EN COMANDITA POR ACCIONES",
    "SOCIEDAD EN COMANDITA SIMPLE",
    "SOCIEDAD IRREGULAR",
    "SOCIEDAD MINERA DE RESP. LIMITADA",
    "SUCESION INDIVISA CON NEGOCIO",
    "SUCESION INDIVISA SIN NEGOCIO",
    "SUCURSALES O AGENCIA DE EMP.EXTRANJ.",
    "UNIVERS. CENTROS EDUC. Y CULT.",
];
/// Printed vouchers.
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
/// Letters after a known word, without a blank between, that are more than another form of the word.
const GLUED: usize = 5;

/// Whether a text is a word of this row, or several joined with a slash where the page does so.
pub(super) fn is_word(label: Label, text: &str) -> bool {
    let joined = |words: &[&str]| text.split('/').all(|part| words.contains(&part.trim()));
    match label {
        Label::TaxpayerType => TYPES.contains(&text),
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

/// Whether a text consists of names of vouchers that run together, or begins so.
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
