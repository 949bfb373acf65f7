//! The states of the datasets, as readiness, metrics and people read them.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::{DatasetStatuses, last_attempt, record_attempt};
use kuraka_domain::EditionOrigin;
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{
    AttemptOutcome, Clock, DatasetAttempt, DatasetProgress, DatasetState, DatasetStatus, Datasets, TaxpayerRegistry,
    dataset,
};
use kuraka_registry::dataset::{ALL, ANEXOS, DATOS_ABIERTOS, Dataset, PADRON, RETENCION, SSCO};
use tempfile::TempDir;

use super::files::{file_of, import_as, import_file};
use super::looks::Looks;
use super::{open, state};

/// Datasets of 20 November 2026 in a folder, on the next day. The padrón may be 7 days old, the annex premises 30.
struct World {
    folder: TempDir,
    clock: Arc<ManualClock>,
}

impl World {
    fn new(datasets: &[&'static Dataset], origin: EditionOrigin) -> Self {
        let folder = TempDir::new().unwrap();
        for dataset in datasets {
            import_as(folder.path(), dataset, &file_of(dataset, 0..2), origin);
        }
        Self { folder, clock: Arc::new(ManualClock::at("2026-11-21T15:00:00Z".parse().unwrap())) }
    }

    fn statuses(&self) -> DatasetStatuses {
        let limits = BTreeMap::from([(PADRON.name, 7), (ANEXOS.name, 30)]);
        DatasetStatuses::new(open(&self.folder), self.folder.path().to_owned(), self.clock.clone(), limits)
    }

    fn pass(&self, days: u64) {
        self.clock.advance(Duration::from_secs(days * 86_400));
    }
}

fn status(statuses: &DatasetStatuses, dataset: &Dataset) -> DatasetStatus {
    statuses.statuses().into_iter().find(|status| status.name == dataset.name).unwrap()
}

/// The age of each of these datasets in days, and whether it is too old.
fn ages<const N: usize>(statuses: &DatasetStatuses, datasets: [&Dataset; N]) -> [(Option<i32>, bool); N] {
    datasets.map(|dataset| status(statuses, dataset)).map(|status| (status.age_days, status.is_too_old))
}

#[test]
fn every_dataset_has_a_status_in_its_order() {
    let world = World::new(&[&PADRON, &ANEXOS], EditionOrigin::Published);
    let snapshot = open(&world.folder).snapshot().unwrap();
    for ((status, dataset), part) in world.statuses().statuses().into_iter().zip(ALL).zip(snapshot.datasets()) {
        assert_eq!((status.name, status.title), (dataset.name, dataset.title));
        assert_eq!((status.attribution, status.is_required), (dataset.attribution, dataset.is_required));
        assert_eq!((status.when_absent, status.when_too_old), (dataset.when_absent, dataset.when_too_old));
        let expected = if part.edition.is_some() { DatasetState::Loaded } else { DatasetState::NeverImported };
        assert_eq!((status.state, &status.edition), (expected, &part.edition), "{}", dataset.name);
        assert_eq!((status.last_attempt, status.progress), (None, None));
    }
    assert!(status(&world.statuses(), &PADRON).is_required);
}

#[test]
fn only_datasets_that_decide_alone_are_said_to_answer_503_when_too_old() {
    for dataset in ALL {
        let decides = [&PADRON, &ANEXOS, &SSCO].map(|known| known.name).contains(&dataset.name);
        assert_eq!(dataset.when_too_old.contains("503"), decides, "{}", dataset.name);
        assert_eq!(dataset.when_absent.is_empty(), !dataset.is_required, "{}", dataset.name);
    }
}

#[test]
fn the_names_that_answers_depend_on_are_names_of_descriptions() {
    let names = [dataset::PADRON, dataset::ANNEXES, dataset::OPEN_DATA, dataset::OPERATING_CAPACITY];
    assert_eq!(names, [PADRON, ANEXOS, DATOS_ABIERTOS, SSCO].map(|dataset| dataset.name));
}

#[test]
fn an_edition_is_too_old_past_the_limit_of_its_dataset() {
    let world = World::new(&[&PADRON, &RETENCION, &ANEXOS], EditionOrigin::Published);
    let statuses = world.statuses();
    let ages = || ages(&statuses, [&PADRON, &RETENCION, &ANEXOS, &SSCO]);
    let nothing = (None, false);
    world.pass(6);
    assert_eq!(ages(), [(Some(7), false), (Some(7), false), (Some(7), false), nothing]);
    world.pass(1);
    assert_eq!(ages(), [(Some(8), true), (Some(8), false), (Some(8), false), nothing]);
    world.pass(22);
    assert_eq!(ages(), [(Some(30), true), (Some(30), false), (Some(30), false), nothing]);
    world.pass(1);
    assert_eq!(ages(), [(Some(31), true), (Some(31), false), (Some(31), true), nothing]);
}

#[test]
fn a_sample_is_never_too_old() {
    let world = World::new(&[&PADRON, &ANEXOS], EditionOrigin::Sample);
    world.pass(5_000);
    assert_eq!(ages(&world.statuses(), [&PADRON, &ANEXOS]), [(Some(5_001), false); 2]);
}

#[test]
fn the_last_attempts_are_read_at_the_start_and_when_asked() {
    let world = World::new(&[], EditionOrigin::Published);
    let attempt = |outcome| DatasetAttempt { at: world.clock.now(), outcome };
    let (unchanged, failed) = (
        attempt(AttemptOutcome::Unchanged),
        AttemptOutcome::Failed {
            cause: "503".to_owned(),
            reason: String::new(),
            needs_operator: false,
            force_helps: false,
        },
    );
    record_attempt(world.folder.path(), &PADRON, &unchanged).unwrap();
    let statuses = world.statuses();
    let attempts = || [&PADRON, &ANEXOS].map(|dataset| status(&statuses, dataset).last_attempt);
    assert_eq!(attempts(), [Some(unchanged.clone()), None]);
    world.pass(1);
    let failed = attempt(failed);
    record_attempt(world.folder.path(), &ANEXOS, &failed).unwrap();
    assert_eq!(attempts(), [Some(unchanged.clone()), None], "no request reads a file");
    statuses.read_attempts();
    assert_eq!(attempts(), [Some(unchanged), Some(failed)]);
}

#[test]
fn an_attempt_whose_file_was_cut_is_none() {
    let world = World::new(&[], EditionOrigin::Published);
    let outcome = AttemptOutcome::Published { edition: "2026-11-20-00000000".to_owned() };
    let attempt = DatasetAttempt { at: world.clock.now(), outcome };
    record_attempt(world.folder.path(), &SSCO, &attempt).unwrap();
    assert_eq!(last_attempt(world.folder.path(), &SSCO), Some(attempt));
    let path = world.folder.path().join(SSCO.name).join("downloads").join("last_attempt");
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(last_attempt(world.folder.path(), &SSCO), None, "{length} bytes");
    }
}

#[test]
fn progress_is_shown_until_the_update_ends() {
    let world = World::new(&[], EditionOrigin::Published);
    let statuses = world.statuses();
    let progress = || [&PADRON, &ANEXOS].map(|dataset| status(&statuses, dataset).progress);
    let [download, index] =
        [("download", Some(40)), ("index", None)].map(|(stage, percent)| Some(DatasetProgress { stage, percent }));
    statuses.set_progress(&PADRON, download);
    statuses.set_progress(&ANEXOS, index);
    assert_eq!(progress(), [download, index]);
    statuses.set_progress(&PADRON, index);
    statuses.set_progress(&ANEXOS, None);
    assert_eq!(progress(), [index, None]);
}

#[test]
fn a_folder_that_can_be_read_again_and_has_no_edition_was_never_imported() {
    for dataset in [&RETENCION, &ANEXOS] {
        let folder = TempDir::new().unwrap();
        import_file(folder.path(), &PADRON, &file_of(&PADRON, 0..2));
        let pointer = folder.path().join(dataset.name).join("CURRENT");
        fs::create_dir_all(&pointer).unwrap();
        let registry = open(&folder);
        assert!(registry.retry().is_err());
        assert_eq!(state(&registry, dataset).0, DatasetState::Unusable);
        fs::remove_dir(&pointer).unwrap();
        assert!(!registry.retry().unwrap());
        assert_eq!(state(&registry, dataset).0, DatasetState::NeverImported);
        let snapshot = registry.snapshot().unwrap();
        assert!(!snapshot.missing_list().unwrap().is_damaged && !snapshot.dataset(dataset.name).unwrap().is_damaged);
    }
}
