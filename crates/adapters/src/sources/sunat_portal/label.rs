//! The rows of a result, by their labels in all known spellings; only letters and digits are compared.

use std::fmt;
use std::sync::LazyLock;

use kuraka_domain::text::without_accents;

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

/// Each label as it is printed, then other spellings.
const PRINTED: [(Label, &str); 27] = [
    (Label::Ruc, "Número de RUC"),
    (Label::TaxpayerType, "Tipo Contribuyente"),
    (Label::Document, "Tipo de Documento"),
    (Label::TradeName, "Nombre Comercial"),
    (Label::Registered, "Fecha de Inscripción"),
    (Label::ActivitiesStarted, "Fecha de Inicio de Actividades"),
    (Label::Status, "Estado del Contribuyente"),
    (Label::Deregistered, "Fecha de Baja"),
    (Label::Condition, "Condición del Contribuyente"),
    (Label::Address, "Domicilio Fiscal"),
    (Label::IssuingSystem, "Sistema Emisión de Comprobante"),
    (Label::ForeignTrade, "Actividad Comercio Exterior"),
    (Label::AccountingSystem, "Sistema Contabilidad"),
    (Label::Activities, "Actividad(es) Económica(s)"),
    (Label::AuthorisedVouchers, "Comprobantes de Pago c/aut. de impresión (F. 806 u 816)"),
    (Label::ElectronicSystems, "Sistema de Emisión Electrónica"),
    (Label::ElectronicSince, "Emisor electrónico desde"),
    (Label::ElectronicVouchers, "Comprobantes Electrónicos"),
    (Label::BooksSince, "Afiliado al PLE desde"),
    (Label::Padrones, "Padrones"),
    (Label::TaxpayerType, "Tipo de Contribuyente"),
    (Label::ActivitiesStarted, "Fecha Inicio de Actividades"),
    (Label::Address, "Dirección del Domicilio Fiscal"),
    (Label::IssuingSystem, "Sistema de Emisión de Comprobante"),
    (Label::ForeignTrade, "Actividad de Comercio Exterior"),
    (Label::AccountingSystem, "Sistema Contabilidiad"),
    (Label::AccountingSystem, "Sistema de Contabilidad"),
];

/// The [`letters`] of all spellings of rows.
static SPELLINGS: LazyLock<Vec<(Label, String)>> = LazyLock::new(|| {
    let rows = PRINTED.into_iter().filter(|(label, _)| *label != Label::Deregistered);
    rows.map(|(label, printed)| (label, letters(printed))).collect()
});

/// Rows that some pages do not have.
pub(super) const OPTIONAL: [Label; 2] = [Label::AccountingSystem, Label::BooksSince];

impl Label {
    /// The rows that every result has. Only persons have a document; the day of deregistration has no row.
    pub(super) fn mandatory() -> impl Iterator<Item = Self> {
        let is_mandatory =
            |label: &Self| !OPTIONAL.contains(label) && !matches!(label, Self::Document | Self::Deregistered);
        PRINTED.into_iter().map(|(label, _)| label).filter(is_mandatory)
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        let text = letters(text);
        SPELLINGS.iter().find(|(_, spelling)| *spelling == text).map(|(label, _)| *label)
    }

    /// As [`letters`].
    pub(super) fn spellings(self) -> impl Iterator<Item = &'static str> {
        SPELLINGS.iter().filter(move |(label, _)| *label == self).map(|(_, spelling)| spelling.as_str())
    }

    pub(super) const fn is_list(self) -> bool {
        matches!(self, Self::Activities | Self::AuthorisedVouchers | Self::ElectronicSystems | Self::Padrones)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printed = PRINTED.iter().find(|(label, _)| label == self).map_or("", |(_, printed)| printed);
        write!(f, "{printed:?}")
    }
}

/// The letters and digits of a text, lower case, without accents. Other letters are kept, so that garbled text matches
/// no label.
pub(super) fn letters(text: &str) -> String {
    let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
    without_accents(&letters).to_lowercase()
}

/// [`letters`] of HTML source with entities (`&oacute;`).
pub(super) fn letters_of_source(source: &str) -> String {
    letters(&html_escape::decode_html_entities(source))
}
