//! The detailed record of a taxpayer, as SUNAT's page gives it.
//!
//! SUNAT publishes no list of issuing systems, printed vouchers and padrones, so these are strings and not enums.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::{Date, DomicileCondition, Ruc, TaxpayerStatus};

/// The detailed record of one taxpayer. A source that knows less leaves the other fields empty.
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
    /// Type of taxpayer, such as `SOCIEDAD ANONIMA CERRADA`.
    pub taxpayer_type: String,
    /// Day of registration (fecha de inscripción).
    pub registered: Option<Date>,
    /// Economic activities in the page's order, the principal one first.
    pub activities: Vec<EconomicActivity>,
    /// Trade name (nombre comercial).
    pub trade_name: String,
    /// Day on which activities began (fecha de inicio de actividades).
    pub activities_started: Option<Date>,
    /// Day of deregistration (fecha de baja), for deregistered taxpayers.
    pub deregistered: Option<Date>,
    /// How the taxpayer issues vouchers (sistema de emisión), such as `MANUAL/COMPUTARIZADO`.
    pub issuing_system: String,
    /// Foreign trade (actividad de comercio exterior), such as `IMPORTADOR`.
    pub foreign_trade: String,
    /// How the taxpayer keeps its books (sistema de contabilidad).
    pub accounting_system: String,
    /// Kinds of vouchers that the taxpayer may print.
    pub authorised_vouchers: Vec<String>,
    /// Electronic vouchers and books.
    pub electronic_issuing: ElectronicIssuing,
    /// Padrones (official lists) that the taxpayer is or was on, as the page writes them.
    pub padrones: Vec<String>,
}

/// One economic activity of a taxpayer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EconomicActivity {
    /// Whether it is the principal activity.
    pub rank: ActivityRank,
    /// The CIIU code as printed: four digits in revision 4, five in SUNAT's older numbering.
    pub ciiu: String,
    /// The activity's name, as the page writes it.
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
    /// Systems of electronic issuing, as the page writes them.
    pub systems: Vec<String>,
    /// Day since which the taxpayer issues electronically.
    pub since: Option<Date>,
    /// Kinds of electronic vouchers, as the page writes them.
    pub vouchers: Vec<String>,
    /// Day since which the taxpayer keeps electronic books (PLE).
    pub electronic_books_since: Option<Date>,
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

impl fmt::Display for ActivityRank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
