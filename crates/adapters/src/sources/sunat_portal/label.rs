//! The rows of a result, by their labels in all known spellings; only letters and digits are compared.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Number and name.
    Ruc,
    TaxpayerType,
    /// A natural person's document; its value is not kept.
    Document,
    TradeName,
    Registered,
    /// Day on which activities began.
    ActivitiesStarted,
    Status,
    /// It has no row: it follows the status.
    Deregistered,
    Condition,
    Address,
    IssuingSystem,
    ForeignTrade,
    AccountingSystem,
    Activities,
    /// Printed vouchers.
    AuthorisedVouchers,
    /// Systems of electronic issuing.
    ElectronicSystems,
    /// Day since which vouchers are issued electronically.
    ElectronicSince,
    /// Electronic vouchers.
    ElectronicVouchers,
    /// Day since which electronic books are kept.
    BooksSince,
    /// Official lists.
    Padrones,
}

/// Each label as printed; then all spellings, letters only.
const SPELLINGS: [(Label, &str, &[&str]); 20] = [
    (Label::Ruc, "Número de RUC", &["numeroderuc"]),
    (Label::TaxpayerType, "Tipo Contribuyente", &["tipocontribuyente", "tipodecontribuyente"]),
    (Label::Document, "Tipo de Documento", &["tipodedocumento"]),
    (Label::TradeName, "Nombre Comercial", &["nombrecomercial"]),
    (Label::Registered, "Fecha de Inscripción", &["fechadeinscripcion"]),
    (
        Label::ActivitiesStarted,
        "Fecha de Inicio de Actividades",
        &["fechadeiniciodeactividades", "fechainiciodeactividades"],
    ),
    (Label::Status, "Estado del Contribuyente", &["estadodelcontribuyente"]),
    (Label::Deregistered, "Fecha de Baja", &[]),
    (Label::Condition, "Condición del Contribuyente", &["condiciondelcontribuyente"]),
    (Label::Address, "Domicilio Fiscal", &["domiciliofiscal", "direcciondeldomiciliofiscal"]),
    (
        Label::IssuingSystem,
        "Sistema Emisión de Comprobante",
        &["sistemaemisiondecomprobante", "sistemadeemisiondecomprobante"],
    ),
    (Label::ForeignTrade, "Actividad Comercio Exterior", &["actividadcomercioexterior", "actividaddecomercioexterior"]),
    (
        Label::AccountingSystem,
        "Sistema Contabilidad",
        &["sistemacontabilidad", "sistemacontabilidiad", "sistemadecontabilidad"],
    ),
    (Label::Activities, "Actividad(es) Económica(s)", &["actividadeseconomicas"]),
    (
        Label::AuthorisedVouchers,
        "Comprobantes de Pago c/aut. de impresión (F. 806 u 816)",
        &["comprobantesdepagocautdeimpresionf806u816"],
    ),
    (Label::ElectronicSystems, "Sistema de Emisión Electrónica", &["sistemadeemisionelectronica"]),
    (Label::ElectronicSince, "Emisor electrónico desde", &["emisorelectronicodesde"]),
    (Label::ElectronicVouchers, "Comprobantes Electrónicos", &["comprobanteselectronicos"]),
    (Label::BooksSince, "Afiliado al PLE desde", &["afiliadoalpledesde"]),
    (Label::Padrones, "Padrones", &["padrones"]),
];

/// Rows that some pages do not have.
pub(super) const OPTIONAL: [Label; 2] = [Label::AccountingSystem, Label::BooksSince];

impl Label {
    /// The rows that every result has. Only persons have a document; the day of deregistration has no row.
    pub(super) fn mandatory() -> impl Iterator<Item = Self> {
        let is_mandatory =
            |label: &Self| !OPTIONAL.contains(label) && !matches!(label, Self::Document | Self::Deregistered);
        SPELLINGS.iter().map(|&(label, ..)| label).filter(is_mandatory)
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        let letters = letters(text);
        SPELLINGS.iter().find(|(.., spellings)| spellings.contains(&letters.as_str())).map(|&(label, ..)| label)
    }

    pub(super) fn spellings(self) -> &'static [&'static str] {
        SPELLINGS.iter().find(|&&(label, ..)| label == self).map_or(&[], |&(.., spellings)| spellings)
    }

    pub(super) const fn is_list(self) -> bool {
        matches!(self, Self::Activities | Self::AuthorisedVouchers | Self::ElectronicSystems | Self::Padrones)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printed = SPELLINGS.iter().find(|(label, ..)| label == self).map_or("", |&(_, printed, _)| printed);
        write!(f, "{printed:?}")
    }
}

/// The letters and digits of a text, lower case, without Spanish accents. Other letters are kept, so that garbled text
/// matches no label.
pub(super) fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'á' => 'a',
            'é' => 'e',
            'í' => 'i',
            'ó' => 'o',
            'ú' | 'ü' => 'u',
            'ñ' => 'n',
            other => other,
        })
        .collect()
}

/// [`letters`] of HTML source with entities (`&oacute;`).
pub(super) fn letters_of_source(source: &str) -> String {
    letters(&html_escape::decode_html_entities(source))
}
