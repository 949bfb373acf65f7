//! Editions whose files are damaged while they answer.

use std::fs::{self, File, OpenOptions};
use std::path::PathBuf;
use std::time::SystemTime;

use kuraka_adapters::registry::{EmbeddedRegistry, RegistryState};
use kuraka_ports::{SourceErrorKind, TaxpayerRegistry};
use kuraka_registry::Origin;
use tempfile::TempDir;

use super::looks::Looks;
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
    assert!(registry.look().unwrap());
    let second = label(&registry).unwrap();
    assert!(registry.replace().unwrap().is_none(), "it is intact");
    assert_eq!(registry.state(), RegistryState::Loaded);

    truncate(current(&folder));
    let old = registry.snapshot().unwrap();
    for taxpayer in taxpayers() {
        assert_eq!(old.lookup(taxpayer.ruc).unwrap_err().kind, SourceErrorKind::Unreadable);
    }
    assert_eq!(registry.state(), RegistryState::Unreadable);
    let replaced = registry.replace().unwrap().unwrap();
    assert_eq!((&*replaced.label, replaced.skipped.len()), (&*second, 1));
    assert_eq!((label(&registry), registry.state()), (Some(first.clone()), RegistryState::Fallback));
    for taxpayer in taxpayers() {
        assert_eq!(registry.snapshot().unwrap().lookup(taxpayer.ruc).unwrap(), Some(taxpayer));
    }
    assert!(old.lookup(person()).is_err(), "an earlier snapshot stays unreadable");
    assert!(registry.replace().unwrap().is_none());
    assert!(!registry.look().unwrap());
    assert_eq!(registry.state(), RegistryState::Fallback);

    publish_lines(folder.path(), &[CUSTOMS, MARKET, &person_line(), CUSTOMS], Origin::Published, true);
    assert!(registry.look().unwrap());
    assert_eq!((label(&registry), registry.state()), (Some(second), RegistryState::Loaded));
}

#[test]
fn without_an_earlier_edition_none_answers_after_a_truncation() {
    let folder = TempDir::new().unwrap();
    let registry = open(&folder);
    assert_eq!(registry.state(), RegistryState::NeverImported);
    publish(folder.path(), Origin::Published);
    assert!(registry.look().unwrap());
    truncate(current(&folder));
    assert!(registry.replace().unwrap().is_some());
    assert!(registry.snapshot().is_none());
    assert_eq!(registry.state(), RegistryState::Unusable);
    publish(folder.path(), Origin::Published);
    assert!(registry.look().unwrap());
    assert_eq!(registry.state(), RegistryState::Loaded);
}

#[test]
fn a_file_that_was_only_touched_is_opened_again() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    let first = label(&registry);
    File::options().append(true).open(current(&folder)).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    assert!(registry.replace().unwrap().unwrap().skipped.is_empty());
    assert_eq!((label(&registry), registry.state()), (first, RegistryState::Loaded));
    assert!(registry.replace().unwrap().is_none());
}

#[test]
fn a_rollback_to_the_edition_that_answers_ends_the_fallback() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    publish_lines(folder.path(), &[CUSTOMS], Origin::Published, true);
    truncate(current(&folder));
    assert!(registry.look().is_err());
    assert_eq!(registry.state(), RegistryState::Fallback);
    kuraka_registry::rollback(folder.path()).unwrap();
    assert!(!registry.look().unwrap());
    assert_eq!(registry.state(), RegistryState::Loaded);
}

/// Changes a byte in the middle of a file, or changes it back. Length and time of modification stay, as if the disk had
/// returned zeros for a while.
fn flip(path: &PathBuf) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    *bytes.get_mut(middle).unwrap() ^= 0xff;
    fs::write(path, bytes).unwrap();
    File::options().append(true).open(path).unwrap().set_modified(modified).unwrap();
}

#[test]
fn an_edition_that_becomes_readable_again_is_served_without_an_import() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let registry = open(&folder);
    let first = label(&registry);
    publish_lines(folder.path(), &[CUSTOMS, MARKET, &person_line(), CUSTOMS], Origin::Published, true);
    let path = current(&folder);
    flip(&path);
    assert!(registry.look().is_err());
    for _ in 0..2 {
        assert!(!registry.look().unwrap() && !registry.retry().unwrap());
        assert_eq!((label(&registry), registry.state()), (first.clone(), RegistryState::Fallback));
    }
    flip(&path);
    assert!(!registry.look().unwrap(), "files are not verified at every look at the folder");
    assert_eq!(registry.state(), RegistryState::Fallback);
    assert!(registry.retry().unwrap());
    assert_eq!(registry.state(), RegistryState::Loaded);
    assert_ne!(label(&registry), first);
    assert!(!registry.look().unwrap() && !registry.retry().unwrap());
}

#[test]
fn an_only_edition_that_becomes_readable_again_is_served() {
    for without_pointer in [false, true] {
        let folder = TempDir::new().unwrap();
        let early = open(&folder);
        publish(folder.path(), Origin::Published);
        let path = current(&folder);
        flip(&path);
        assert!(early.look().is_err());
        if without_pointer {
            fs::remove_file(folder.path().join("CURRENT")).unwrap();
        }
        let late = open(&folder);
        for registry in [&early, &late] {
            assert!(!registry.retry().unwrap());
            assert_eq!(registry.state(), RegistryState::Unusable);
        }
        flip(&path);
        for registry in [&early, &late] {
            assert!(registry.retry().unwrap());
            assert_eq!(registry.state(), RegistryState::Loaded);
        }
    }
}

#[test]
fn an_intact_edition_goes_on_answering_when_nothing_can_replace_it() {
    let folder = TempDir::new().unwrap();
    publish(folder.path(), Origin::Published);
    let (registry, path) = (open(&folder), current(&folder));
    let aside = folder.path().join("aside");
    let touch = |path| File::options().append(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    let take_away = || {
        fs::rename(&path, &aside).unwrap();
        fs::create_dir(&path).unwrap();
    };
    take_away();
    assert!(registry.replace().unwrap().is_none(), "the open file has not changed");
    touch(&aside);
    assert_eq!(registry.replace().unwrap().unwrap().skipped.len(), 1);
    for _ in 0..2 {
        assert!(registry.replace().unwrap().is_none(), "it is reported once");
        assert!(!registry.look().unwrap() && !registry.retry().unwrap());
        assert_eq!(registry.state(), RegistryState::Fallback);
        for taxpayer in taxpayers() {
            assert_eq!(registry.snapshot().unwrap().lookup(taxpayer.ruc).unwrap(), Some(taxpayer));
        }
    }
    fs::remove_dir(&path).unwrap();
    fs::rename(&aside, &path).unwrap();
    assert!(registry.retry().unwrap());
    assert_eq!(registry.state(), RegistryState::Loaded);
    assert!(registry.replace().unwrap().is_none());

    // What was overwritten is not kept, before or after.
    let zeros = vec![0; fs::metadata(&path).unwrap().len() as usize];
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &zeros).unwrap();
    assert!(registry.replace().unwrap().is_some());
    assert_eq!(registry.state(), RegistryState::Unusable);
    fs::write(&path, bytes).unwrap();
    assert!(registry.look().unwrap() || registry.retry().unwrap());
    take_away();
    touch(&aside);
    assert!(registry.replace().unwrap().is_some());
    fs::write(&aside, zeros).unwrap();
    assert!(!registry.retry().unwrap());
    assert!(!matches!(registry.state(), RegistryState::Fallback | RegistryState::Loaded));
}
