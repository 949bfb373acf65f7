//! What is asked of an open edition, whatever its rows are.

use kuraka_domain::Date;
use kuraka_ports::EditionOrigin;
use kuraka_registry::{DatasetEdition, DatasetMeta, EditionFile, Meta, OpenEdition, Origin};

use super::state::ServedEdition;

/// An open edition of the padrón or of another dataset.
pub(super) trait Answers: EditionFile + Sync {
    /// Its label.
    fn label(&self) -> &str;

    /// Its facts.
    fn facts(&self) -> ServedEdition;

    /// Whether every lookup is an error.
    fn is_unreadable(&self) -> bool;

    /// Whether its file was changed since it was opened.
    fn has_changed(&self) -> bool;

    /// Whether everything that was read from its file is unchanged. Reads all of it.
    fn is_intact(&self) -> bool;
}

impl Answers for OpenEdition {
    fn label(&self) -> &str {
        self.label()
    }

    fn facts(&self) -> ServedEdition {
        let Meta { label, date, origin, rows, .. } = self.meta();
        facts(label, *date, *origin, *rows)
    }

    fn is_unreadable(&self) -> bool {
        self.is_unreadable()
    }

    fn has_changed(&self) -> bool {
        self.has_changed()
    }

    fn is_intact(&self) -> bool {
        self.is_intact()
    }
}

impl Answers for DatasetEdition {
    fn label(&self) -> &str {
        self.label()
    }

    fn facts(&self) -> ServedEdition {
        let DatasetMeta { label, date, origin, rows, .. } = self.meta();
        facts(label, *date, *origin, *rows)
    }

    fn is_unreadable(&self) -> bool {
        self.is_unreadable()
    }

    fn has_changed(&self) -> bool {
        self.has_changed()
    }

    fn is_intact(&self) -> bool {
        self.is_intact()
    }
}

fn facts(label: &str, date: Date, origin: Origin, rows: u64) -> ServedEdition {
    let origin = match origin {
        Origin::Published => EditionOrigin::Published,
        Origin::Sample => EditionOrigin::Sample,
    };
    ServedEdition { label: label.into(), date, origin, rows }
}
