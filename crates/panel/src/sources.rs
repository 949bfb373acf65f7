//! What the panel asks about the sources behind the API: who they are and whether they are asked just now. It refuses
//! to know their names and addresses, which are the operator's business.

/// A source as a caller may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// What it is for.
    pub role: Role,
    /// Whether it is asked.
    pub condition: Condition,
}

/// What a source is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The tax authority's page about one taxpayer.
    OfficialPage,
    /// A provider behind it.
    Provider,
    /// The tax authority's validation of vouchers.
    Vouchers,
}

/// Whether a source is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// It is.
    Answering,
    /// One question is on its way to see whether it is back.
    Probing,
    /// It is left in peace for the time being.
    Resting,
}

/// Tells of the sources. Never blocks.
pub trait Sources: Send + Sync + 'static {
    /// Every source, in the order in which it is asked.
    fn sources(&self) -> Vec<Source>;
}
