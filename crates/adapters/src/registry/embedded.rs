//! The embedded registry behind its port. It holds the current edition of a registry folder.
//!
//! The folder decides which edition is the current one. This module translates it into the port's types.

use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use kuraka_domain::{Ruc, TaxpayerSummary};
use kuraka_ports::{Edition, EditionOrigin, RegistrySnapshot, SourceError, SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::{EditionWatcher, Meta, OpenEdition, OpenError, Origin, SkippedEdition};

/// The source's name in logs and metrics.
const SOURCE: &str = "registry";

/// A registry folder that answers lookups.
pub struct EmbeddedRegistry {
    watcher: EditionWatcher,
    current: ArcSwapOption<Snapshot>,
}

/// An open edition, with its facts as the port's type.
struct Snapshot {
    open: OpenEdition,
    facts: Arc<Edition>,
}

impl EmbeddedRegistry {
    /// Opens the registry in `folder`. A folder without an edition, or that does not exist, is fine.
    ///
    /// Also returns the unusable editions that come before the opened one.
    ///
    /// # Errors
    /// [`OpenError`] if the folder cannot be read.
    pub fn open(folder: &Path) -> Result<(Self, Vec<SkippedEdition>), OpenError> {
        let (watcher, report) = EditionWatcher::open(folder)?;
        let current = ArcSwapOption::new(report.edition.map(Snapshot::of));
        Ok((Self { watcher, current }, report.skipped))
    }

    /// Makes the edition that was published since the current one; `false` = none was.
    ///
    /// Reads the whole new edition once, so do not call it on a thread that answers requests.
    ///
    /// # Errors
    /// [`OpenError`]; the current edition stays.
    pub fn refresh(&self) -> Result<bool, OpenError> {
        let published = self.watcher.open_new()?;
        let is_new = published.is_some();
        if let Some(open) = published {
            self.current.store(Some(Snapshot::of(open)));
        }
        Ok(is_new)
    }
}

impl TaxpayerRegistry for EmbeddedRegistry {
    fn snapshot(&self) -> Option<Arc<dyn RegistrySnapshot>> {
        Some(self.current.load_full()?)
    }
}

impl RegistrySnapshot for Snapshot {
    fn edition(&self) -> &Arc<Edition> {
        &self.facts
    }

    fn lookup(&self, ruc: Ruc) -> Result<Option<TaxpayerSummary>, SourceError> {
        let unreadable = |error| SourceError::new(SOURCE, SourceErrorKind::Unreadable).with_cause(error);
        self.open.lookup(ruc).map_err(unreadable)
    }
}

impl Snapshot {
    fn of(open: OpenEdition) -> Arc<Self> {
        let facts = Arc::new(facts(open.meta()));
        Arc::new(Self { open, facts })
    }
}

fn facts(meta: &Meta) -> Edition {
    Edition {
        label: meta.label.as_str().into(),
        date: meta.date,
        origin: match meta.origin {
            Origin::Published => EditionOrigin::Published,
            Origin::Sample => EditionOrigin::Sample,
        },
        rows: meta.rows,
        lists: meta.lists.keys().map(|list| list.code).collect(),
    }
}
