//! One snapshot of all datasets, and the one way to read it.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerProfile};

use crate::{DatasetStatus, Edition, ExchangeRateRecord, NamePage, NameQuery, SourceError, TaxpayerHistory};

/// The names of the datasets that answers depend on.
pub mod dataset {
    pub const PADRON: &str = "padron";
    pub const ANNEXES: &str = "anexos";
    pub const OPEN_DATA: &str = "datos_abiertos";
    pub const OPERATING_CAPACITY: &str = "ssco";
    pub const SANCTIONS: &str = "sanciones";
    /// Agents that withhold VAT, a flag of the summary.
    pub const WITHHOLDING: &str = "retencion";
    /// Good taxpayers, a flag of the summary.
    pub const GOOD_TAXPAYERS: &str = "buenos_contribuyentes";
    /// Agents that collect VAT in advance on domestic sales.
    pub const SALES_PERCEPTION: &str = "percepcion_venta_interna";
    /// Agents that collect VAT in advance on fuel.
    pub const FUEL_PERCEPTION: &str = "percepcion_combustibles";
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotDataset {
    /// Such as `anexos`.
    pub name: &'static str,
    /// `None` = there is none.
    pub edition: Option<Arc<Edition>>,
    pub is_damaged: bool,
}

/// What a lookup reads besides the padrón. Each part costs a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfileParts(u8);

impl ProfileParts {
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
    /// The flags of [`TaxpayerProfile::summary`]; else `None`.
    pub const FLAGS: Self = Self(1 << 6);

    /// What a table has beyond the summary.
    pub const TABLE: Self =
        Self::FLAGS.and(Self::LISTS).and(Self::OPEN_DATA).and(Self::OPERATING_INCAPACITY).and(Self::SANCTIONS);

    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    #[must_use]
    pub const fn has(self, part: Self) -> bool {
        self.0 & part.0 != 0
    }
}

/// Each is read when it is taken.
pub type ProfileResults<'a> = Box<dyn Iterator<Item = Result<Option<TaxpayerProfile>, SourceError>> + 'a>;

/// One open edition of each dataset, kept while others are published. Its methods read memory and never block.
pub trait RegistrySnapshot: Send + Sync + 'static {
    fn edition(&self) -> &Arc<Edition>;

    /// The padrón first.
    fn datasets(&self) -> &[SnapshotDataset];

    /// `None` = no such dataset.
    fn dataset(&self, name: &str) -> Option<&SnapshotDataset> {
        self.datasets().iter().find(|dataset| dataset.name == name)
    }

    /// The first list of a flag that is enabled and has no usable edition. Without it no flag is answered.
    fn missing_list(&self) -> Option<&SnapshotDataset>;

    /// The requested parts; `None` = the RUC is not in the padrón. A part whose dataset has no edition is `None`; other
    /// datasets are not read.
    ///
    /// # Errors
    /// `Unreadable` if bytes fail their checksum, or if flags are requested and one of their lists is damaged.
    fn profile(&self, ruc: Ruc, parts: ProfileParts) -> Result<Option<TaxpayerProfile>, SourceError>;

    /// Whether the list has the taxpayer; `None` = it has no usable edition, or its bytes fail their checksum.
    fn is_listed(&self, ruc: Ruc, list: &str) -> Option<bool> {
        self.dataset(list)?.edition.as_ref()?;
        let lists = self.profile(ruc, ProfileParts::LISTS).ok()??.lists?;
        Some(lists.iter().any(|entry| entry.dataset == list))
    }

    /// A taxpayer in each recorded edition of all datasets; `None` = the history is behind the padrón's edition, until
    /// it is completed. A RUC that no edition has is an answer.
    ///
    /// # Errors
    /// `Unreadable` if bytes fail their checksum.
    fn history(&self, ruc: Ruc) -> Result<Option<TaxpayerHistory<'_>>, SourceError>;

    /// [`RegistrySnapshot::profile`] of each RUC, in order, at less cost.
    fn profiles<'a>(&'a self, rucs: &'a [Ruc], parts: ProfileParts) -> ProfileResults<'a> {
        Box::new(rucs.iter().map(move |ruc| self.profile(*ruc, parts)))
    }

    /// `None` = there is no index of names.
    ///
    /// # Errors
    /// `Unreadable` if the bytes read fail their checksum, or if a list of a flag is missing.
    fn search(&self, query: &NameQuery) -> Result<Option<NamePage>, SourceError>;
}

/// The current edition of each dataset.
pub trait TaxpayerRegistry: Send + Sync + 'static {
    /// `None` = no edition of the padrón is loaded.
    ///
    /// Costs one reference count. Lookups that must agree use the same snapshot.
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>>;

    /// The padrón's current edition; `None` = none is loaded.
    fn edition(&self) -> Option<Arc<Edition>> {
        self.snapshot().map(|snapshot| Arc::clone(snapshot.edition()))
    }
}

pub trait Datasets: Send + Sync + 'static {
    /// The padrón first. Never blocks.
    fn statuses(&self) -> Vec<DatasetStatus>;

    /// `None` = there are none. Never blocks.
    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>>;
}
