//! `kuraka registry info`: shows the kept editions and the source of their rows.

use indicatif::HumanCount;
use kuraka_registry::{KeptEdition, List, Origin};
use kuraka_server::settings::Settings;
use serde::Serialize;

use crate::commands::runtime::{Failure, today};
use crate::console;

/// One edition in the output of `--json`.
#[derive(Serialize)]
struct EditionRecord<'a> {
    current: bool,
    rolled_back: bool,
    age_days: i32,
    file_bytes: u64,
    #[serde(flatten)]
    meta: &'a kuraka_registry::Meta,
}

pub(super) fn info(json: bool, settings: &Settings) -> Result<(), Failure> {
    let kept = kuraka_registry::editions(&settings.registry_dir())?;
    if json {
        let records: Vec<EditionRecord<'_>> = kept.iter().map(record).collect();
        console::line(&serde_json::to_string_pretty(&records)?);
        return Ok(());
    }
    if kept.is_empty() {
        console::line("no edition yet: kuraka registry update fetches the padrón, kuraka registry import reads a file");
        return Ok(());
    }
    let heading = ["EDITION", "STATE", "AGE", "ROWS", "REJECTED", "WITHHOLDING", "GOOD", "BYTES", "PADRON"];
    console::table(heading, &kept.iter().map(row).collect::<Vec<_>>());
    for (edition, guard) in kept.iter().flat_map(|kept| kept.meta.forced.iter().map(move |guard| (kept, guard))) {
        console::line(&format!("{} was forced: {guard}", edition.meta.label));
    }
    Ok(())
}

fn record(kept: &KeptEdition) -> EditionRecord<'_> {
    EditionRecord {
        current: kept.current,
        rolled_back: kept.rolled_back,
        age_days: age_days(kept),
        file_bytes: kept.bytes,
        meta: &kept.meta,
    }
}

fn row(kept: &KeptEdition) -> [String; 9] {
    let state = match (kept.current, kept.rolled_back, kept.meta.origin) {
        (true, _, Origin::Published) => "current",
        (true, _, Origin::Sample) => "current, sample",
        (false, true, _) => "rolled back from",
        (false, false, _) => "kept",
    };
    let list = |list| {
        let meta = kept.meta.lists.get(&list);
        meta.map_or_else(|| "never imported".to_owned(), |meta| HumanCount(meta.count).to_string())
    };
    [
        kept.meta.label.clone(),
        state.to_owned(),
        format!("{} d", age_days(kept)),
        HumanCount(kept.meta.rows).to_string(),
        HumanCount(kept.meta.rejected).to_string(),
        list(List::WITHHOLDING_AGENTS),
        list(List::GOOD_TAXPAYERS),
        HumanCount(kept.bytes).to_string(),
        kept.meta.padron.version.name.clone(),
    ]
}

fn age_days(kept: &KeptEdition) -> i32 {
    today().days_since_epoch() - kept.meta.date.days_since_epoch()
}
