//! The kept editions of a dataset.

use indicatif::HumanCount;
use kuraka_domain::{Date, EditionOrigin};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{KeptEdition, SourceMeta};
use kuraka_server::settings::Settings;
use serde::Serialize;

use crate::commands::runtime::{Failure, today};

#[derive(Serialize)]
pub(super) struct Kept {
    current: bool,
    rolled_back: bool,
    age_days: i32,
    file_bytes: u64,
    label: String,
    date: Date,
    origin: EditionOrigin,
    rows: u64,
    rejected: u64,
    source: SourceMeta,
    encoding: Option<String>,
    unknown_columns: Vec<String>,
    forced: Vec<String>,
}

impl Kept {
    /// The cells of a table with the heading [`Kept::HEADING`].
    pub(super) fn cells(&self) -> [String; 7] {
        let state = match (self.current, self.rolled_back, self.origin) {
            (true, _, EditionOrigin::Published) => "current",
            (true, _, EditionOrigin::Sample) => "current, sample",
            (false, true, _) => "rolled back from",
            (false, false, _) => "kept",
        };
        [
            self.label.clone(),
            state.to_owned(),
            format!("{} d", self.age_days),
            HumanCount(self.rows).to_string(),
            HumanCount(self.rejected).to_string(),
            HumanCount(self.file_bytes).to_string(),
            self.source.version.name.clone(),
        ]
    }

    pub(super) const HEADING: [&str; 7] = ["EDITION", "STATE", "AGE", "ROWS", "REJECTED", "BYTES", "SOURCE"];

    /// Remarks on the edition's file, a line each.
    pub(super) fn remarks(&self) -> Vec<String> {
        let label = &self.label;
        let encoding = self.encoding.iter().map(|encoding| format!("{label} was read as {encoding}"));
        let unknown = self.unknown_columns.iter().map(|column| format!("{label} has an unknown column: {column}"));
        let forced = self.forced.iter().map(|guard| format!("{label} was forced: {guard}"));
        encoding.chain(unknown).chain(forced).collect()
    }
}

/// Last published first. Creates no folder.
pub(super) fn kept(dataset: &'static Dataset, settings: &Settings) -> Result<Vec<Kept>, Failure> {
    Ok(kuraka_registry::editions(&settings.datasets_dir(), dataset)?.into_iter().map(described).collect())
}

fn described(kept: KeptEdition) -> Kept {
    let meta = kept.meta;
    Kept {
        current: kept.current,
        rolled_back: kept.rolled_back.is_some(),
        age_days: today().days_since_epoch() - meta.date.days_since_epoch(),
        file_bytes: kept.bytes,
        label: meta.label,
        date: meta.date,
        origin: meta.origin,
        rows: meta.rows,
        rejected: meta.rejected,
        source: meta.source,
        encoding: meta.encoding,
        unknown_columns: meta.unknown_columns,
        forced: meta.forced,
    }
}

/// The edition that the latest rollback left, if no later one was published.
pub(super) fn rolled_back_from(dataset: &'static Dataset, settings: &Settings) -> Result<Option<String>, Failure> {
    let kept = kuraka_registry::editions(&settings.datasets_dir(), dataset)?;
    let newer = kept.into_iter().take_while(|edition| !edition.current);
    let rolled_back = newer.filter_map(|edition| Some((edition.rolled_back?, edition.meta.label)));
    Ok(rolled_back.max_by_key(|(place, _)| *place).map(|(_, label)| label))
}
