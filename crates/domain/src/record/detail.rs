//! The detailed record of SUNAT's page. SUNAT publishes no list of issuing systems, printed vouchers and padrones, so
//! these are strings.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{Date, DomicileCondition, Ruc, TaxpayerStatus};

/// A source that knows less leaves fields empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerDetail {
    /// The taxpayer's number.
    pub ruc: Ruc,
    /// Name of the person or company.
    pub name: String,
    /// Status of the registration.
    pub status: TaxpayerStatus,
    /// Condition of the domicile.
    pub condition: DomicileCondition,
    /// Address, district, province and department, joined by ` - `; empty for natural persons.
    pub full_address: String,
    /// Such as `SOCIEDAD ANONIMA CERRADA`.
    pub taxpayer_type: String,
    /// Fecha de inscripción.
    pub registered: Option<Date>,
    /// In the page's order, the principal one first.
    pub activities: Vec<EconomicActivity>,
    /// Nombre comercial.
    pub trade_name: String,
    /// Fecha de inicio de actividades.
    pub activities_started: Option<Date>,
    /// Fecha de baja.
    pub deregistered: Option<Date>,
    /// Sistema de emisión, such as `MANUAL/COMPUTARIZADO`.
    pub issuing_system: String,
    /// Actividad de comercio exterior, such as `IMPORTADOR`.
    pub foreign_trade: String,
    /// Sistema de contabilidad.
    pub accounting_system: String,
    /// Kinds of vouchers that it may print.
    pub authorised_vouchers: Vec<String>,
    /// Electronic vouchers and books.
    pub electronic_issuing: ElectronicIssuing,
    /// Official lists that it is or was on, as the page writes them.
    pub padrones: Vec<String>,
}

/// One economic activity of a taxpayer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EconomicActivity {
    /// Whether it is the principal activity.
    pub rank: ActivityRank,
    /// The CIIU code as printed: four digits in revision 4, five in SUNAT's older numbering.
    pub ciiu: String,
    /// As the page writes it.
    pub description: String,
}

/// Whether an activity is a taxpayer's principal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActivityRank {
    /// `PRINCIPAL`.
    Principal,
    /// `SECUNDARIA`.
    Secondary,
}

/// What a taxpayer issues and keeps electronically.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ElectronicIssuing {
    /// As the page writes them.
    pub systems: Vec<String>,
    /// Since when it issues electronically.
    pub since: Option<Date>,
    /// Kinds of vouchers, as the page writes them.
    pub vouchers: Vec<String>,
    /// Since when it keeps electronic books (PLE).
    pub electronic_books_since: Option<Date>,
}

impl TaxpayerDetail {
    /// Without texts, to be filled.
    #[must_use]
    pub fn empty(ruc: Ruc) -> Self {
        Self {
            ruc,
            name: String::new(),
            status: TaxpayerStatus::from_text(""),
            condition: DomicileCondition::from_text(""),
            full_address: String::new(),
            taxpayer_type: String::new(),
            registered: None,
            activities: Vec::new(),
            trade_name: String::new(),
            activities_started: None,
            deregistered: None,
            issuing_system: String::new(),
            foreign_trade: String::new(),
            accounting_system: String::new(),
            authorised_vouchers: Vec::new(),
            electronic_issuing: ElectronicIssuing::default(),
            padrones: Vec::new(),
        }
    }
}

impl ActivityRank {
    /// The Spanish word, upper case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Principal => "PRINCIPAL",
            Self::Secondary => "SECUNDARIA",
        }
    }
}
