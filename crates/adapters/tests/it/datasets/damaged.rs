//! Editions of each kind of dataset whose files are damaged while they answer. The other datasets answer as always.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::SystemTime;

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_ports::{
    DatasetState, ProfileParts, RegistrySnapshot, SourceError, SourceErrorKind, TaxpayerRegistry, chain,
};
use kuraka_registry::dataset::{ANEXOS, BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION};
use kuraka_registry::rollback;
use tempfile::TempDir;

use super::files::{company, file_of, import_file};
use super::looks::Looks;
use super::{CASES, current, open, publish_lists, state};
use crate::imported::Files;

/// A registry of the first version of each dataset, one of which is damaged.
struct World {
    folder: TempDir,
    registry: Arc<EmbeddedRegistry>,
    dataset: &'static Dataset,
}

/// The companies in a version of a dataset's file. The padrón has all that the others have.
fn companies(dataset: &Dataset, version: u32) -> Range<u32> {
    0..version + if dataset.name == PADRON.name { 5 } else { 1 }
}

/// How many rows the snapshot has in a dataset.
fn rows(snapshot: &dyn RegistrySnapshot, dataset: &Dataset) -> Result<usize, SourceError> {
    let parts = match dataset.name {
        "padron" => ProfileParts::NONE,
        "anexos" => ProfileParts::ANNEXES,
        _ => ProfileParts::LISTS,
    };
    let rows = |n| {
        let Some(profile) = snapshot.profile(company(n), parts)? else { return Ok(0) };
        let lists = profile.lists.iter().flatten().filter(|list| list.dataset == dataset.name);
        Ok(if parts == ProfileParts::NONE {
            1
        } else {
            profile.annexes.map_or_else(|| lists.count(), |annexes| annexes.len())
        })
    };
    (0..9).map(rows).sum()
}

impl World {
    fn new(dataset: &'static Dataset) -> Self {
        static IMPORTED: LazyLock<Files> = LazyLock::new(|| {
            let folder = TempDir::new().unwrap();
            publish_lists(folder.path(), &[&BUENOS_CONTRIBUYENTES]);
            for dataset in CASES {
                import_file(folder.path(), dataset, &file_of(dataset, companies(dataset, 1)));
            }
            Files::read(folder.path())
        });
        let folder = TempDir::new().unwrap();
        IMPORTED.write(folder.path());
        Self { registry: open(&folder), folder, dataset }
    }

    fn publish(&self, version: u32) {
        import_file(self.folder.path(), self.dataset, &file_of(self.dataset, companies(self.dataset, version)));
    }

    /// The file of the dataset's current edition.
    fn file(&self) -> PathBuf {
        current(&self.folder, self.dataset)
    }

    fn state(&self) -> DatasetState {
        state(&self.registry, self.dataset).0
    }

    fn label(&self) -> Option<String> {
        state(&self.registry, self.dataset).1
    }

    fn snapshot(&self) -> Arc<dyn RegistrySnapshot> {
        self.registry.snapshot().unwrap()
    }

    /// The dataset answers from this version, and the others from their first.
    fn assert_answers(&self, version: u32) {
        for dataset in CASES {
            let version = if dataset.name == self.dataset.name { version } else { 1 };
            let found = rows(&*self.snapshot(), dataset).unwrap();
            assert_eq!(found, companies(dataset, version).len(), "{} beside {}", dataset.name, self.dataset.name);
        }
        self.assert_others_loaded();
    }

    fn assert_others_loaded(&self) {
        for dataset in CASES.iter().filter(|dataset| dataset.name != self.dataset.name) {
            assert_eq!(state(&self.registry, dataset).0, DatasetState::Loaded, "{}", dataset.name);
        }
    }

    /// The snapshot has no answer from the dataset, which is not an absence. The others answer unless the padrón is the
    /// damaged one.
    fn assert_unreadable(&self, snapshot: &dyn RegistrySnapshot) {
        let error = rows(snapshot, self.dataset).unwrap_err();
        assert_eq!(error.kind, SourceErrorKind::Unreadable);
        if self.dataset.name != PADRON.name {
            assert!(chain(&error).contains(self.dataset.name), "{error:?}");
            for other in CASES.iter().filter(|other| other.name != self.dataset.name) {
                assert_eq!(rows(snapshot, other).unwrap(), companies(other, 1).len(), "{}", other.name);
            }
        }
        self.assert_others_loaded();
    }
}

fn truncate(path: PathBuf) {
    OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
}

/// Writes into the file itself: an open edition maps it, not its name.
fn overwrite(path: &Path, bytes: &[u8]) {
    OpenOptions::new().write(true).open(path).unwrap().write_all(bytes).unwrap();
}

fn touch(path: &Path) {
    File::options().append(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
}

/// Changes a byte in the middle of a file, or changes it back. Length and time of modification stay, as if the disk had
/// returned zeros for a while.
fn flip(path: &Path) {
    let modified = fs::metadata(path).unwrap().modified().unwrap();
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    *bytes.get_mut(middle).unwrap() ^= 0xff;
    fs::write(path, bytes).unwrap();
    File::options().append(true).open(path).unwrap().set_modified(modified).unwrap();
}

#[test]
fn an_earlier_edition_answers_after_a_truncation_until_one_is_published() {
    for world in CASES.map(World::new) {
        let (registry, first) = (&world.registry, world.label().unwrap());
        world.publish(2);
        assert!(registry.look().unwrap());
        let second = world.label().unwrap();
        assert!(registry.replace().unwrap().is_none(), "it is intact");
        world.assert_answers(2);

        truncate(world.file());
        let old = world.snapshot();
        world.assert_unreadable(&*old);
        assert_eq!(world.state(), DatasetState::Unreadable);
        let replaced = registry.replace().unwrap().unwrap();
        assert_eq!(&*replaced.label, &*second);
        assert_eq!(replaced.skipped.len(), 1);
        for _ in 0..2 {
            assert_eq!((world.label().unwrap(), world.state()), (first.clone(), DatasetState::Fallback));
            world.assert_answers(1);
            assert!(registry.replace().unwrap().is_none() && !registry.look().unwrap());
        }
        world.assert_unreadable(&*old);

        world.publish(2);
        assert!(registry.look().unwrap());
        assert_eq!((world.label().unwrap(), world.state()), (second, DatasetState::Loaded));
        world.assert_answers(2);
    }
}

#[test]
fn without_an_earlier_edition_none_answers_after_a_truncation() {
    for world in CASES.map(World::new) {
        truncate(world.file());
        assert!(world.registry.replace().unwrap().is_some());
        assert_eq!((world.state(), world.label()), (DatasetState::Unusable, None));
        if world.dataset.name == PADRON.name {
            assert!(world.registry.snapshot().is_none());
        } else {
            let snapshot = world.snapshot();
            let part = snapshot.dataset(world.dataset.name).unwrap();
            assert!(part.is_damaged && part.edition.is_none());
        }
        world.assert_others_loaded();
        world.publish(1);
        assert!(world.registry.look().unwrap());
        assert_eq!(world.state(), DatasetState::Loaded);
        world.assert_answers(1);
    }
}

#[test]
fn a_file_that_was_only_touched_is_opened_again() {
    for world in CASES.map(World::new) {
        let first = world.label();
        touch(&world.file());
        assert!(world.registry.replace().unwrap().unwrap().skipped.is_empty());
        assert_eq!((world.label(), world.state()), (first, DatasetState::Loaded));
        assert!(world.registry.replace().unwrap().is_none());
        world.assert_answers(1);
    }
}

#[test]
fn changed_bytes_of_an_open_edition_are_unreadable() {
    for world in CASES.map(World::new) {
        let damaged: Vec<u8> = fs::read(world.file()).unwrap().iter().map(|byte| !byte).collect();
        overwrite(&world.file(), &damaged);
        world.assert_unreadable(&*world.snapshot());
    }
}

#[test]
fn a_damaged_list_is_an_error_never_a_no() {
    let world = World::new(&RETENCION);
    let is_agent = |snapshot: Arc<dyn RegistrySnapshot>| {
        let profile = snapshot.profile(company(0), ProfileParts::FLAGS).map_err(|error| error.kind)?;
        Ok(profile.unwrap().summary.withholding_agent)
    };
    let before = world.snapshot();
    truncate(world.file());
    assert_eq!(is_agent(before), Ok(Some(true)), "the members are in memory");
    assert!(world.registry.replace().unwrap().is_some());
    assert_eq!(world.state(), DatasetState::Unusable);
    let unreadable = world.snapshot();
    assert_eq!(is_agent(world.snapshot()), Err(SourceErrorKind::Unreadable));
    world.publish(1);
    assert!(world.registry.look().unwrap());
    assert_eq!(is_agent(world.snapshot()), Ok(Some(true)));
    assert_eq!(is_agent(unreadable), Err(SourceErrorKind::Unreadable), "a snapshot stays as it is");
    // The disk returns other bytes for a file that did not change, and another publication makes a new snapshot.
    let (path, before) = (world.file(), world.snapshot());
    let (bytes, modified) = (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap());
    overwrite(&path, &bytes.iter().map(|byte| !byte).collect::<Vec<_>>());
    File::options().append(true).open(&path).unwrap().set_modified(modified).unwrap();
    import_file(world.folder.path(), &ANEXOS, &file_of(&ANEXOS, 0..3));
    let is_new = |(_, is_new): &(_, Result<bool, _>)| matches!(is_new, Ok(true));
    assert_eq!(world.registry.refresh().iter().filter(|looked| is_new(looked)).count(), 1);
    assert!(!Arc::ptr_eq(&before, &world.snapshot()));
    assert_eq!(is_agent(world.snapshot()), Ok(Some(true)), "the members were read when the edition was verified");
}

#[test]
fn a_damaged_list_stops_no_lookup_that_asks_for_no_flag() {
    let world = World::new(&RETENCION);
    truncate(world.file());
    assert!(world.registry.replace().unwrap().is_some());
    let snapshot = world.snapshot();
    for parts in [ProfileParts::NONE, ProfileParts::ANNEXES, ProfileParts::OPEN_DATA] {
        assert!(snapshot.profile(company(0), parts).unwrap().is_some());
        let error = snapshot.profile(company(0), parts.and(ProfileParts::FLAGS)).unwrap_err();
        assert_eq!((error.kind, chain(&error).contains("a list is missing")), (SourceErrorKind::Unreadable, true));
        assert_eq!(snapshot.missing_list().map(|list| (list.name, list.is_damaged)), Some((RETENCION.name, true)));
        assert_eq!(snapshot.profile(company(9), parts.and(ProfileParts::FLAGS)).unwrap(), None, "by the padrón alone");
    }
}

#[test]
fn a_rollback_to_the_edition_that_answers_ends_the_fallback() {
    for world in CASES.map(World::new) {
        world.publish(2);
        truncate(world.file());
        assert!(world.registry.look().is_err());
        assert_eq!(world.state(), DatasetState::Fallback);
        rollback(world.folder.path(), world.dataset).unwrap();
        assert!(!world.registry.look().unwrap());
        assert_eq!(world.state(), DatasetState::Loaded);
        world.assert_answers(1);
    }
}

#[test]
fn a_damaged_new_edition_leaves_the_old_one_answering_until_it_is_readable() {
    for world in CASES.map(World::new) {
        let (registry, first) = (&world.registry, world.label());
        world.publish(2);
        let path = world.file();
        flip(&path);
        assert!(registry.look().is_err());
        for _ in 0..2 {
            assert!(!registry.look().unwrap() && !registry.retry().unwrap(), "reported once");
            assert_eq!((world.label(), world.state()), (first.clone(), DatasetState::Fallback));
            world.assert_answers(1);
        }
        flip(&path);
        assert!(!registry.look().unwrap(), "files are not verified at every look at the folder");
        assert_eq!(world.state(), DatasetState::Fallback);
        assert!(registry.retry().unwrap());
        assert_eq!(world.state(), DatasetState::Loaded);
        world.assert_answers(2);
        assert!(!registry.look().unwrap() && !registry.retry().unwrap());

        world.publish(1);
        fs::write(world.file(), b"not an edition").unwrap();
        assert!(registry.look().is_err());
        world.assert_answers(2);
    }
}

#[test]
fn an_only_edition_that_becomes_readable_again_is_served() {
    for dataset in CASES {
        for without_pointer in [false, true] {
            let folder = TempDir::new().unwrap();
            let early = open(&folder);
            import_file(folder.path(), dataset, &file_of(dataset, 0..2));
            let path = current(&folder, dataset);
            flip(&path);
            assert!(early.look().is_err());
            if without_pointer {
                fs::remove_file(folder.path().join(dataset.name).join("CURRENT")).unwrap();
            }
            let late = open(&folder);
            for registry in [&early, &late] {
                assert!(!registry.retry().unwrap());
                assert_eq!(state(registry, dataset).0, DatasetState::Unusable);
            }
            flip(&path);
            for registry in [&early, &late] {
                assert!(registry.retry().unwrap());
                assert_eq!(state(registry, dataset).0, DatasetState::Loaded);
            }
        }
    }
}

#[test]
fn an_intact_edition_goes_on_answering_when_nothing_can_replace_it() {
    for world in CASES.map(World::new) {
        let (registry, path, aside) = (&world.registry, world.file(), world.folder.path().join("aside"));
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
            assert_eq!(world.state(), DatasetState::Fallback);
            world.assert_answers(1);
        }
        fs::remove_dir(&path).unwrap();
        fs::rename(&aside, &path).unwrap();
        assert!(registry.retry().unwrap());
        assert_eq!(world.state(), DatasetState::Loaded);
        assert!(registry.replace().unwrap().is_none());

        // What was overwritten is not kept, before or after.
        let bytes = fs::read(&path).unwrap();
        let zeros = vec![0; bytes.len()];
        fs::write(&path, &zeros).unwrap();
        assert!(registry.replace().unwrap().is_some());
        assert_eq!(world.state(), DatasetState::Unusable);
        fs::write(&path, bytes).unwrap();
        assert!(registry.look().unwrap() || registry.retry().unwrap());
        take_away();
        touch(&aside);
        assert!(registry.replace().unwrap().is_some());
        fs::write(&aside, zeros).unwrap();
        assert!(!registry.retry().unwrap());
        assert!(!matches!(world.state(), DatasetState::Fallback | DatasetState::Loaded));
    }
}

#[test]
fn a_folder_that_cannot_be_read_concerns_its_dataset_only() {
    for dataset in CASES {
        let world = World::new(dataset);
        let (pointer, aside) =
            (world.folder.path().join(dataset.name).join("CURRENT"), world.folder.path().join("aside"));
        fs::rename(&pointer, &aside).unwrap();
        fs::create_dir(&pointer).unwrap();
        if dataset.name == PADRON.name {
            assert!(EmbeddedRegistry::open(world.folder.path()).is_err());
            continue;
        }
        let world = World { registry: open(&world.folder), ..world };
        for _ in 0..2 {
            let mut refreshed = world.registry.refresh();
            refreshed.retain(|(_, is_new)| !matches!(is_new, Ok(false)));
            let failed: Vec<_> = refreshed.iter().map(|(failed, is_new)| (failed.name, is_new.is_err())).collect();
            assert_eq!(failed, [(dataset.name, true)]);
            assert_eq!(world.state(), DatasetState::Unusable);
            world.assert_others_loaded();
        }
        fs::remove_dir(&pointer).unwrap();
        fs::rename(&aside, &pointer).unwrap();
        assert!(world.registry.look().unwrap());
        world.assert_answers(1);
    }
}
