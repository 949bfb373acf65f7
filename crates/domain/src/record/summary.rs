//! What the published registry says about one taxpayer, once read.

use crate::{DomicileCondition, Ruc, TaxpayerStatus};

/// What the published registry says about one taxpayer.
///
/// Texts that the source leaves empty are empty, never absent; runs of blanks are folded to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxpayerSummary {
    /// The taxpayer's number.
    pub ruc: Ruc,
    /// Name of a person or of a company.
    pub name: String,
    /// Status of the registration.
    pub status: TaxpayerStatus,
    /// Condition of the domicile.
    pub condition: DomicileCondition,
    /// The address in one line, composed in the order the tax authority prints it; empty for natural persons.
    pub address: String,
    /// The region's name by the INEI ubigeo; empty where the registry withholds it.
    pub department: &'static str,
    /// Whether the taxpayer is on the list of withholding agents.
    pub withholding_agent: bool,
    /// Whether the taxpayer is on the list of good taxpayers.
    pub good_taxpayer: bool,
}
