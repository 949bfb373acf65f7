//! The published registry of taxpayers: one snapshot of all datasets, and the one way to read it.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerProfile};

use crate::{DatasetStatus, Edition, ExchangeRateRecord, NamePage, NameQuery, SourceError, TaxpayerHistory};

/// The names of the datasets that answers depend on.
pub mod dataset {
    /// Every taxpayer, with name, status, condition and address.
    pub const PADRON: &str = "padron";
    /// The annex premises.
    pub const ANNEXES: &str = "anexos";
    /// The monthly open data.
    pub const OPEN_DATA: &str = "datos_abiertos";
    /// The taxpayers without operating capacity.
    pub const OPERATING_CAPACITY: &str = "ssco";
    /// The sanctions of the procurement authority.
    pub const SANCTIONS: &str = "sanciones";
    /// The agents that withhold VAT, a flag of the summary.
    pub const WITHHOLDING: &str = "retencion";
    /// The good taxpayers, a flag of the summary.
    pub const GOOD_TAXPAYERS: &str = "buenos_contribuyentes";
    /// The agents that collect VAT in advance on domestic sales.
    pub const SALES_PERCEPTION: &str = "percepcion_venta_interna";
    /// The agents that collect VAT in advance on fuel.
    pub const FUEL_PERCEPTION: &str = "percepcion_combustibles";
}

/// One dataset in a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotDataset {
    /// The dataset's name, such as `anexos`.
    pub name: &'static str,
    /// The active edition; `None` = the dataset has none.
    pub edition: Option<Arc<Edition>>,
    /// Whether every edition is damaged.
    pub is_damaged: bool,
}

/// The parts of a [`TaxpayerProfile`] that a lookup reads, besides the padrón's fields. Each part costs a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileParts(u8);

impl ProfileParts {
    /// No part.
    pub const NONE: Self = Self(0);
    /// [`TaxpayerProfile::lists`].
    pub const LISTS: Self = Self(1);
    /// [`TaxpayerProfile::annex_count`].
    pub const ANNEX_COUNT: Self = Self(1 << 1);
    /// [`TaxpayerProfile::annexes`].
    pub const ANNEXES: Self = Self(1 << 2);
    /// [`TaxpayerProfile::open_data`].
    pub const OPEN_DATA: Self = Self(1 << 3);
    /// [`TaxpayerProfile::operating_incapacity`].
    pub const OPERATING_INCAPACITY: Self = Self(1 << 4);
    /// [`TaxpayerProfile::sanctions`].
    pub const SANCTIONS: Self = Self(1 << 5);
    /// The two flags of [`TaxpayerProfile::summary`]; `false` unless requested.
    pub const FLAGS: Self = Self(1 << 6);

    /// What the columns of a table have beyond the summary.
    pub const TABLE: Self =
        Self::FLAGS.and(Self::LISTS).and(Self::OPEN_DATA).and(Self::OPERATING_INCAPACITY).and(Self::SANCTIONS);

    /// These parts and `others`.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Whether `part` is among them.
    #[must_use]
    pub const fn has(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }
}

/// The answers about several RUCs, each read when it is taken.
pub type ProfileResults<'a> = Box<dyn Iterator<Item = Result<Option<TaxpayerProfile>, SourceError>> + 'a>;

/// One edition of each dataset, open for lookups. A snapshot keeps its editions after others are published.
pub trait RegistrySnapshot: Send + Sync + 'static {
    /// The edition of the padrón, as in [`RegistrySnapshot::datasets`].
    fn edition(&self) -> &Arc<Edition>;

    /// Every dataset, the padrón first.
    fn datasets(&self) -> &[SnapshotDataset];

    /// The dataset with this name; `None` = no such dataset.
    fn dataset(&self, name: &str) -> Option<&SnapshotDataset> {
        self.datasets().iter().find(|dataset| dataset.name == name)
    }

    /// The requested parts about a taxpayer of the padrón; `None` = the RUC is not in the padrón. A part whose dataset
    /// has no edition is `None`. Datasets of no requested part are not read.
    ///
    /// Reads memory and never blocks, so asynchronous code may call it at any rate.
    ///
    /// # Errors
    /// `Unreadable` if the bytes read fail their checksum, or if flags are requested and one of their lists is damaged.
    fn profile(&self, ruc: Ruc, parts: ProfileParts) -> Result<Option<TaxpayerProfile>, SourceError>;

    /// A taxpayer in each recorded edition of all datasets of this snapshot; `None` = the history is behind the
    /// padrón's edition, until the next publication. A RUC that no edition has is an answer.
    ///
    /// Reads memory and never blocks.
    ///
    /// # Errors
    /// `Unreadable` if the bytes read fail their checksum.
    fn history(&self, ruc: Ruc) -> Result<Option<TaxpayerHistory<'_>>, SourceError>;

    /// [`RegistrySnapshot::profile`] of each of these RUCs, in their order, at less cost than a call for each.
    fn profiles<'a>(&'a self, rucs: &'a [Ruc], parts: ProfileParts) -> ProfileResults<'a> {
        Box::new(rucs.iter().map(move |ruc| self.profile(*ruc, parts)))
    }

    /// The companies that a query finds; `None` = this snapshot has no index of names.
    ///
    /// Reads memory and never blocks.
    ///
    /// # Errors
    /// `Unreadable` if the bytes read fail their checksum.
    fn search(&self, query: &NameQuery) -> Result<Option<NamePage>, SourceError>;
}

/// The current edition of each dataset.
pub trait TaxpayerRegistry: Send + Sync + 'static {
    /// A snapshot of the current editions; `None` = no edition of the padrón has been loaded.
    ///
    /// Costs one reference count. Lookups that must agree with each other use the same snapshot.
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>>;

    /// The facts of the padrón's current edition; `None` = none has been loaded.
    fn edition(&self) -> Option<Arc<Edition>> {
        self.snapshot().map(|snapshot| Arc::clone(snapshot.edition()))
    }
}

/// Tells the state of the datasets.
pub trait Datasets: Send + Sync + 'static {
    /// The state of every dataset, the padrón first. Never blocks.
    fn statuses(&self) -> Vec<DatasetStatus>;

    /// The exchange rates; `None` = there are none here. Never blocks.
    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>>;
}
