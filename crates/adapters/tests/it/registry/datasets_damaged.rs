//! Damage of one dataset's files while the others answer.

use std::fs::{self, OpenOptions};
use std::path::PathBuf;

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_domain::Ruc;
use kuraka_ports::{DatasetError, RegistrySnapshot, SourceError, SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::Origin;
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset, RETENCION};
use tempfile::TempDir;

use super::dataset_files::{annexes_of, import_file, list_of, open_data_of};
use super::looks::Looks;
use super::published::{CUSTOMS, MARKET};
use super::{as_of_the_version_before, open, publish, taxpayers};

const FIRST: [&str; 2] = ["150101|AV.|DOS|-|-|2|-|-|-|-|-", "070101|JR.|TRES|-|-|3|-|-|-|-|-"];
const SECOND: [&str; 3] = [FIRST[0], FIRST[1], "070101|JR.|CUATRO|-|-|4|-|-|-|-|-"];

fn customs() -> Ruc {
    Ruc::parse(&CUSTOMS[..11]).unwrap()
}

/// The file of a dataset's current edition.
fn current(folder: &TempDir, dataset: &Dataset) -> PathBuf {
    let folder = folder.path().join("datasets").join(dataset.name);
    let pointer = fs::read_to_string(folder.join("CURRENT")).unwrap();
    folder.join("editions").join(pointer.trim())
}

fn truncate(path: PathBuf) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
}

fn state(registry: &EmbeddedRegistry, dataset: &Dataset) -> RegistryState {
    registry.dataset_states().into_iter().find(|state| state.dataset.name == dataset.name).unwrap().state
}

/// The padrón answers as always.
fn assert_padron_answers(registry: &EmbeddedRegistry) {
    assert_eq!(registry.state(), RegistryState::Loaded);
    for taxpayer in taxpayers() {
        assert_eq!(registry.snapshot().unwrap().lookup(taxpayer.ruc).unwrap(), Some(taxpayer));
    }
}

/// The dataset's rows cannot be read, which is another answer than that there are none.
fn assert_unreadable(snapshot: &dyn RegistrySnapshot) {
    let answer = snapshot.annexes(customs());
    let is_unreadable = |error: &SourceError| {
        let names_it = error.cause.as_ref().is_some_and(|cause| cause.to_string().contains("anexos"));
        names_it && error.kind == SourceErrorKind::Unreadable
    };
    assert!(matches!(&answer, Err(DatasetError::Source(error)) if is_unreadable(error)), "{answer:?}");
}

#[test]
fn a_truncated_dataset_is_an_error_until_an_earlier_edition_answers() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &FIRST));
    assert!(registry.look().unwrap());
    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &SECOND));
    assert!(registry.look().unwrap());
    let old = registry.snapshot().unwrap();
    assert_eq!(old.annexes(customs()).unwrap().len(), 3);

    truncate(current(&folder, &ANEXOS));
    assert_unreadable(&*old);
    assert_eq!(old.profile(customs()).unwrap_err().kind, SourceErrorKind::Unreadable);
    assert_eq!(state(&registry, &ANEXOS), RegistryState::Unreadable);
    assert_padron_answers(&registry);
    let replaced = registry.replace().unwrap().unwrap();
    assert_eq!((replaced.dataset.name, replaced.skipped.len()), ("anexos", 1));
    assert_eq!(state(&registry, &ANEXOS), RegistryState::Fallback);
    assert_eq!(registry.snapshot().unwrap().annexes(customs()).unwrap().len(), 2);
    assert_padron_answers(&registry);
    assert!(registry.replace().unwrap().is_none() && !registry.look().unwrap());

    truncate(folder.path().join("datasets/anexos/editions").join(format!("{}.kuraka", label(&registry))));
    assert!(registry.replace().unwrap().is_some());
    assert_eq!(state(&registry, &ANEXOS), RegistryState::Unusable);
    let without = registry.snapshot().unwrap();
    assert_unreadable(&*without);
    let profile = without.profile(customs()).unwrap().unwrap();
    assert_eq!((profile.annexes, without.missing_datasets().contains(&"anexos")), (None, true));
    assert_padron_answers(&registry);

    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &SECOND));
    assert!(registry.look().unwrap());
    assert_eq!(state(&registry, &ANEXOS), RegistryState::Loaded);
    assert_eq!(registry.snapshot().unwrap().annexes(customs()).unwrap().len(), 3);
}

fn label(registry: &EmbeddedRegistry) -> String {
    let states = registry.dataset_states();
    let annexes = states.iter().find(|state| state.dataset.name == "anexos").unwrap();
    annexes.edition.as_ref().unwrap().label.to_string()
}

#[test]
fn changed_bytes_of_a_dataset_are_unreadable() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &FIRST));
    let line = format!("{},ACTIVO,HABIDO,SOCIEDAD ANONIMA,,,,7,,,,150101,LIMA,LIMA,LIMA,202609", customs());
    import_file(folder.path(), &DATOS_ABIERTOS, &open_data_of(&[line]));
    let registry = open(&folder);
    assert_eq!(registry.snapshot().unwrap().open_data(customs()).unwrap().unwrap().workers, Some(7));
    let damaged: Vec<u8> = fs::read(current(&folder, &ANEXOS)).unwrap().iter().map(|byte| !byte).collect();
    // In place: the open edition maps this file, not its name.
    let mut file = OpenOptions::new().write(true).open(current(&folder, &ANEXOS)).unwrap();
    std::io::Write::write_all(&mut file, &damaged).unwrap();
    assert_unreadable(&*registry.snapshot().unwrap());
    assert_padron_answers(&registry);
    let other = registry.snapshot().unwrap().open_data(customs()).unwrap().unwrap();
    assert_eq!(other.workers, Some(7), "another dataset answers");
}

#[test]
fn a_damaged_list_leaves_the_flags_of_the_lookup() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    as_of_the_version_before(folder.path());
    // The padrón's records have the flag, the list's own edition does not.
    let market = Ruc::parse(&MARKET[..11]).unwrap();
    import_file(folder.path(), &RETENCION, &list_of(&[format!("{market}|MERCADOS|-|-|")], "\r"));
    let registry = open(&folder);
    let flag = || registry.snapshot().unwrap().lookup(customs()).unwrap().unwrap().withholding_agent;
    assert!(!flag());
    truncate(current(&folder, &RETENCION));
    assert!(!flag(), "the members are in memory");
    assert_eq!(registry.snapshot().unwrap().profile(market).unwrap_err().kind, SourceErrorKind::Unreadable);
    assert!(registry.replace().unwrap().is_some());
    assert!(flag(), "without a usable edition the padrón's records answer");
    let lists = registry.snapshot().unwrap().profile(customs()).unwrap().unwrap().lists.unwrap();
    assert_eq!(lists.len(), 1, "the profile agrees");
}

#[test]
fn a_damaged_new_edition_of_a_dataset_leaves_the_old_one_answering() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &FIRST));
    let registry = open(&folder);
    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &SECOND));
    let bytes = fs::read(current(&folder, &ANEXOS)).unwrap();
    fs::write(current(&folder, &ANEXOS), b"not an edition").unwrap();
    assert!(registry.look().is_err());
    assert!(!registry.look().unwrap(), "reported once");
    assert_eq!(state(&registry, &ANEXOS), RegistryState::Fallback);
    assert_eq!(registry.snapshot().unwrap().annexes(customs()).unwrap().len(), 2);
    assert_padron_answers(&registry);
    fs::write(current(&folder, &ANEXOS), bytes).unwrap();
    assert!(registry.retry().unwrap());
    assert_eq!(state(&registry, &ANEXOS), RegistryState::Loaded);
    assert_eq!(registry.snapshot().unwrap().annexes(customs()).unwrap().len(), 3);
}

#[test]
fn a_folder_that_cannot_be_read_concerns_its_dataset_only() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    import_file(folder.path(), &ANEXOS, &annexes_of(customs(), &FIRST));
    let pointer = folder.path().join("datasets/anexos/CURRENT");
    let aside = folder.path().join("aside");
    fs::rename(&pointer, &aside).unwrap();
    fs::create_dir(&pointer).unwrap();
    let registry = open(&folder);
    for _ in 0..2 {
        let refreshed = registry.refresh();
        let failed: Vec<_> = refreshed.failed.iter().map(|failed| failed.dataset.name).collect();
        assert_eq!((failed, refreshed.served.len()), (vec!["anexos"], 0));
        assert_eq!(state(&registry, &ANEXOS), RegistryState::Unusable);
        assert_unreadable(&*registry.snapshot().unwrap());
        assert_padron_answers(&registry);
    }
    fs::remove_dir(&pointer).unwrap();
    fs::rename(&aside, &pointer).unwrap();
    assert!(registry.look().unwrap());
    assert_eq!(registry.snapshot().unwrap().annexes(customs()).unwrap().len(), 2);
}
