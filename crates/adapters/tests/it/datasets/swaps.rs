//! Publications of one dataset while a registry answers, and datasets that it does not use.

use std::fs;
use std::time::Duration;

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_domain::{ListMembership, Ruc};
use kuraka_ports::{DatasetState, EditionOrigin, ProfileParts, RegistrySnapshot, TaxpayerRegistry};
use kuraka_registry::dataset::{ALL, ANEXOS, BUENOS_CONTRIBUYENTES, PADRON, RETENCION};
use kuraka_registry::rollback;
use tempfile::TempDir;
use tokio::time::{interval, timeout};

use super::files::{CUSTOMS, MARKET, company, day_of_files, file_of, import_as, import_file, list_of, person, ruc};
use super::looks::Looks;
use super::{CASES, current, empty, filled, flags, open, profile, publish, state};

/// A list with one taxpayer.
fn list_with(line: &str) -> Vec<u8> {
    list_of(&[format!("{}|EMPRESA|01/06/2026|RS 1|", ruc(line))], "\r")
}

/// Whether the taxpayer is a withholding agent, and what the profile says about its lists.
fn withholding(snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> (Option<bool>, Vec<String>) {
    let profile = profile(snapshot, ruc);
    let summary = snapshot.profile(ruc, ProfileParts::FLAGS).unwrap().unwrap().summary;
    assert_eq!(profile.summary, summary);
    let entry = |entry: &ListMembership| {
        let since = entry.since.map_or_else(|| "-".to_owned(), |date| date.to_string());
        format!("{} {since} {}", entry.dataset, entry.resolution)
    };
    (summary.withholding_agent, profile.lists.iter().flatten().map(entry).collect())
}

#[test]
fn a_published_edition_answers_after_a_refresh() {
    let (registry, folder) = empty();
    for dataset in ALL {
        assert_eq!(state(&registry, dataset), (DatasetState::NeverImported, None));
        let report = import_as(folder.path(), dataset, &file_of(dataset, 0..3), EditionOrigin::Sample);
        assert_eq!(state(&registry, dataset).1, None, "nothing changes under a caller's feet");
        assert!(registry.look().unwrap());
        assert_eq!(state(&registry, dataset), (DatasetState::Loaded, Some(report.label)));
        assert!(!registry.look().unwrap());
    }
    let snapshot = registry.snapshot().unwrap();
    for (state, dataset) in snapshot.datasets().iter().zip(ALL) {
        let edition = state.edition.as_ref().unwrap();
        assert_eq!((state.name, edition.rows, edition.date), (dataset.name, 3, day_of_files()));
        assert_eq!(edition.origin, EditionOrigin::Sample);
    }
}

#[tokio::test]
async fn a_replaced_edition_is_closed_beside_the_calls() {
    for dataset in CASES {
        let (subject, folder) = filled();
        let registry = subject.registry;
        import_file(folder.path(), dataset, &file_of(dataset, 0..3));
        assert!(registry.look().unwrap());
        let (snapshot, file) = (registry.snapshot().unwrap(), current(&folder, dataset));
        let is_mapped = || fs::read_to_string("/proc/self/maps").unwrap().contains(file.to_str().unwrap());
        import_file(folder.path(), dataset, &file_of(dataset, 0..2));
        assert!(registry.look().unwrap() && !registry.look().unwrap());
        drop(snapshot);
        assert!(is_mapped(), "the call that had it last has closed it");
        assert!(!registry.look().unwrap());
        let mut ticks = interval(Duration::from_millis(1));
        let closing = async {
            while is_mapped() {
                ticks.tick().await;
            }
        };
        timeout(Duration::from_secs(20), closing).await.expect("the edition is never closed");
    }
}

#[test]
fn a_rollback_takes_effect() {
    for dataset in CASES {
        let folder = TempDir::new().unwrap();
        let first = import_file(folder.path(), dataset, &file_of(dataset, 0..2)).label;
        let second = import_file(folder.path(), dataset, &file_of(dataset, 0..3)).label;
        let registry = open(&folder);
        assert_eq!(state(&registry, dataset), (DatasetState::Loaded, Some(second)));
        rollback(folder.path(), dataset).unwrap();
        assert!(registry.look().unwrap());
        assert_eq!(state(&registry, dataset), (DatasetState::Loaded, Some(first)));
    }
}

#[test]
fn a_list_published_alone_changes_the_lookup_and_the_profile() {
    let folder = TempDir::new().unwrap();
    publish(folder.path());
    let registry = open(&folder);
    let (without, customs, market) = (registry.snapshot().unwrap(), ruc(CUSTOMS), ruc(MARKET));
    let mut before = without;
    for (line, expected) in [(MARKET, [false, true]), (CUSTOMS, [true, false])] {
        import_file(folder.path(), &RETENCION, &list_with(line));
        assert!(registry.look().unwrap());
        let after = registry.snapshot().unwrap();
        assert_eq!(after.edition().label, before.edition().label, "the padrón is the same");
        for (ruc, expected) in [customs, market].into_iter().zip(expected) {
            let lists = if expected { vec!["retencion 2026-06-01 RS 1".to_owned()] } else { vec![] };
            assert_eq!(withholding(&*after, ruc), (Some(expected), lists));
        }
        assert_eq!(withholding(&*after, person()), (Some(false), vec![]));
        assert_eq!(withholding(&*before, ruc(line)).0, Some(false), "a snapshot keeps its editions");
        before = after;
    }
    let is_good = |snapshot: &dyn RegistrySnapshot| {
        snapshot.profile(market, ProfileParts::FLAGS).unwrap().unwrap().summary.good_taxpayer
    };
    assert_eq!(is_good(&*before), Some(false));
    import_file(folder.path(), &BUENOS_CONTRIBUYENTES, &list_of(&[format!("{market}|ADUANAS|-|-|")], "\n"));
    assert!(registry.look().unwrap());
    let last = registry.snapshot().unwrap();
    assert_eq!(withholding(&*last, market), (Some(false), vec!["buenos_contribuyentes - ".to_owned()]));
    assert_eq!(is_good(&*last), Some(true));
}

#[test]
fn a_sample_beside_a_published_padron_counts_as_never_imported() {
    for dataset in [&RETENCION, &BUENOS_CONTRIBUYENTES, &ANEXOS] {
        let folder = TempDir::new().unwrap();
        import_file(folder.path(), &PADRON, &file_of(&PADRON, 0..3));
        import_as(folder.path(), dataset, &file_of(dataset, 0..2), EditionOrigin::Sample);
        let registry = open(&folder);
        assert_eq!(state(&registry, dataset), (DatasetState::NeverImported, None));
        let snapshot = registry.snapshot().unwrap();
        let part = snapshot.dataset(dataset.name).unwrap();
        assert!(part.edition.is_none() && !part.is_damaged);
        // An empty list would say that no taxpayer has annex premises, or that none is on a list.
        let without_flags = ProfileParts::LISTS.and(ProfileParts::ANNEXES);
        let found = snapshot.profile(company(0), without_flags).unwrap().unwrap();
        assert_eq!((found.lists, found.annexes), (None, None));
        assert!(snapshot.missing_list().is_some() && snapshot.profile(company(0), ProfileParts::FLAGS).is_err());
    }
}

#[test]
fn a_dataset_that_is_not_enabled_counts_as_one_without_an_edition() {
    let folder = TempDir::new().unwrap();
    publish(folder.path());
    let (registry, _) = EmbeddedRegistry::open_with(folder.path(), &[&PADRON, &RETENCION]).unwrap();
    import_file(folder.path(), &ANEXOS, &file_of(&ANEXOS, 0..2));
    assert!(!registry.look().unwrap());
    let snapshot = registry.snapshot().unwrap();
    let found = profile(&*snapshot, ruc(CUSTOMS));
    assert_eq!((found.annexes, flags(&found.summary)), (None, [Some(true), None]));
    for (dataset, state, edition) in registry.states() {
        let is_enabled = [PADRON.name, RETENCION.name].contains(&dataset.name);
        let expected = if is_enabled { DatasetState::Loaded } else { DatasetState::NotEnabled };
        assert_eq!((state, edition.is_some()), (expected, is_enabled), "{}", dataset.name);
    }
}
