//! Editions whose files are damaged while they answer.

use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;
use std::time::SystemTime;

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_ports::{SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::Origin;
use tempfile::TempDir;

use super::published::{CUSTOMS, MARKET, person, person_line};
use super::{open, publish, publish_lines, taxpayers};

/// The file of the current edition.
fn current(folder: &TempDir) -> PathBuf {
    let pointer = fs::read_to_string(folder.path().join("CURRENT")).unwrap();
    folder.path().join("editions").join(pointer.trim())
}

fn truncate(path: PathBuf) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
}

fn label(registry: &EmbeddedRegistry) -> Option<String> {
    registry.edition().map(|edition| edition.label.to_string())
}

#[test]
fn an_earlier_edition_answers_after_a_truncation_until_one_is_published() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    let first = label(&registry).unwrap();
    publish_lines(folder.path(), &[CUSTOMS, MARKET, &person_line(), CUSTOMS], Origin::Published, true);
    assert!(registry.refresh().unwrap());
    let second = label(&registry).unwrap();
    assert!(registry.replace_damaged().unwrap().is_none(), "it is intact");
    assert_eq!(registry.state(), RegistryState::Loaded);

    truncate(current(&folder));
    let old = registry.snapshot().unwrap();
    for taxpayer in taxpayers() {
        assert_eq!(old.lookup(taxpayer.ruc).unwrap_err().kind, SourceErrorKind::Unreadable);
    }
    assert_eq!(registry.state(), RegistryState::Unreadable);
    let replaced = registry.replace_damaged().unwrap().unwrap();
    assert_eq!((&*replaced.label, replaced.skipped.len()), (&*second, 1));
    assert_eq!((label(&registry), registry.state()), (Some(first.clone()), RegistryState::Fallback));
    for taxpayer in taxpayers() {
        assert_eq!(registry.snapshot().unwrap().lookup(taxpayer.ruc).unwrap(), Some(taxpayer));
    }
    assert!(old.lookup(person()).is_err(), "an earlier snapshot stays unreadable");
    assert!(registry.replace_damaged().unwrap().is_none());
    assert!(!registry.refresh().unwrap());
    assert_eq!(registry.state(), RegistryState::Fallback);

    publish_lines(folder.path(), &[CUSTOMS, MARKET, &person_line(), CUSTOMS], Origin::Published, true);
    assert!(registry.refresh().unwrap());
    assert_eq!((label(&registry), registry.state()), (Some(second), RegistryState::Loaded));
}

#[test]
fn without_an_earlier_edition_none_answers_after_a_truncation() {
    let folder = TempDir::new().unwrap();
    let registry = open(&folder);
    assert_eq!(registry.state(), RegistryState::NeverImported);
    publish(folder.path(), Origin::Published);
    assert!(registry.refresh().unwrap());
    truncate(current(&folder));
    assert!(registry.replace_damaged().unwrap().is_some());
    assert!(registry.snapshot().is_none());
    assert_eq!(registry.state(), RegistryState::Unusable);
    publish(folder.path(), Origin::Published);
    assert!(registry.refresh().unwrap());
    assert_eq!(registry.state(), RegistryState::Loaded);
}

#[test]
fn a_file_that_was_only_touched_is_opened_again() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    let first = label(&registry);
    File::options().append(true).open(current(&folder)).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    assert!(registry.replace_damaged().unwrap().unwrap().skipped.is_empty());
    assert_eq!((label(&registry), registry.state()), (first, RegistryState::Loaded));
    assert!(registry.replace_damaged().unwrap().is_none());
}

#[test]
fn a_rollback_to_the_edition_that_answers_ends_the_fallback() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    publish_lines(folder.path(), &[CUSTOMS], Origin::Published, true);
    truncate(current(&folder));
    assert!(registry.refresh().is_err());
    assert_eq!(registry.state(), RegistryState::Fallback);
    kuraka_registry::rollback(folder.path()).unwrap();
    assert!(!registry.refresh().unwrap());
    assert_eq!(registry.state(), RegistryState::Loaded);
}
