//! Whether a new edition of a dataset is plausible after the current one.

use kuraka_domain::Date;

use crate::dataset::Dataset;
use crate::edition::evenly;
use crate::folder::RolledBack;
use crate::publish::guards::{self, Comparison, Guards, Refusal, SAMPLED};
use crate::row_id::row_id_of;
use crate::{DatasetEdition, Origin};

/// Taxpayers of the edition before that a new one must have, in ten-thousandths. Fewer: it is another list under the
/// name of this one.
const KEYS_KEPT: u16 = 5_000;
/// Taxpayers whose absence is never suspicious, because the edition before was small.
const GONE_FREE: u64 = 20;

/// A new edition, as far as the guards look at it.
pub(super) struct Candidate<'a> {
    pub(super) label: &'a str,
    /// The published file's checksum.
    pub(super) sha256: &'a str,
    pub(super) date: Date,
    pub(super) origin: Origin,
    pub(super) rows: u64,
    /// The sampled taxpayers of the current edition that it has.
    pub(super) present: u64,
}

/// Evenly spaced row ids of the current edition, if a new one of this origin has anything in common with it.
pub(super) fn sample(current: Option<&DatasetEdition>, origin: Origin) -> Vec<u32> {
    let Some(current) = current.filter(|current| current.meta().origin == origin) else { return Vec::new() };
    let rows = evenly(current.rucs(), SAMPLED).filter_map(|ordinal| current.at(ordinal).ok().flatten());
    rows.map(|(ruc, _)| row_id_of(ruc)).collect()
}

/// Objects to an edition that is implausible after the current one. `sampled` row ids of that were looked for.
pub(super) fn judge(
    dataset: &Dataset,
    new: &Candidate<'_>,
    current: Option<&DatasetEdition>,
    sampled: usize,
    rolled_back: &RolledBack,
    guards: &mut Guards,
) -> Result<(), Refusal> {
    guards.object(guards::no_rows(new.rows))?;
    let made_from = current.map(|current| current.meta().source.sha256.as_str());
    guards.object(guards::rolled_back(new.label, new.sha256, made_from, rolled_back))?;
    let Some(current) = current else { return Ok(()) };
    let old = current.meta();
    if new.origin != old.origin {
        return guards.object(guards::sample_over_published(new.origin, current.label()));
    }
    guards.object(guards::older(new.date, old.date))?;
    guards.object(guards::shrunk(dataset.guards, new.rows, current.rows()))?;
    let found = Comparison { sampled: sampled as u64, present: new.present, changed: 0 };
    let are_few = found.sampled - found.present.min(found.sampled) <= GONE_FREE;
    guards.object(guards::keys_gone(found, KEYS_KEPT).filter(|_| !are_few))
}
