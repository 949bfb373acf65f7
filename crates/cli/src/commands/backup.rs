//! `kuraka backup` and `kuraka restore`: everything of this machine.

use std::path::Path;

use kuraka_adapters::backup::{back_up, restore as restore_from};
use kuraka_ports::NewAuditLine;
use kuraka_registry::run_at_idle_priority;
use kuraka_server::settings::{Settings, Values, absolute};

use super::owner;
use super::runtime::{Failure, block_on, now};
use super::store::print;
use super::store_access::add_line;
use crate::console::{self, second};

pub(crate) fn back_up_to(
    target: &Path,
    without_store: bool,
    file: Option<&Path>,
    settings: &Settings,
) -> Result<(), Failure> {
    owner::check(settings)?;
    let written = Values::load(file)?.written();
    let store = (!without_store).then_some(&settings.store);
    run_at_idle_priority(|| {
        block_on(async { Ok(back_up(target, store, &settings.datasets_dir(), &written, now()).await?) })
    })?;
    console::line(&format!("backed up to {}", absolute(target)));
    Ok(())
}

pub(crate) fn restore(source: &Path, settings: &Settings) -> Result<(), Failure> {
    owner::check(settings)?;
    let _locks = settings.store.lock(Some(&settings.data_dir))?;
    let restored = block_on(async {
        let restored = restore_from(source, &settings.store, &settings.data_dir, &settings.datasets_dir()).await?;
        if restored.contents.is_some() {
            let object = format!("backup of {}", second(restored.made));
            let line = NewAuditLine { action: "store.restore", object, ..NewAuditLine::default() };
            add_line(settings, &line).await?;
        }
        Ok(restored)
    })?;
    console::line(&format!("restored the backup of {}", second(restored.made)));
    if let Some(contents) = &restored.contents {
        print(contents);
    }
    if let Some(dump) = &restored.dump {
        console::note(&format!("the store is not restored: run pg_restore with {}", absolute(dump)));
    }
    match (&restored.contents, &restored.dump) {
        (None, None) => console::note("the backup has no store: the one that is there stays"),
        _ => console::note(
            "sessions end; tokens that were revoked since the backup live again in its store: revoke them again",
        ),
    }
    for kept in &restored.kept {
        console::note(&format!("what was there before is {}", absolute(kept)));
    }
    console::note(&format!("the settings of the backup, without secrets, are in {}", absolute(&restored.settings)));
    Ok(())
}
