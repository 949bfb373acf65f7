//! What [`TaxpayerRegistry`] and [`RegistrySnapshot`] promise.

use std::sync::Arc;

use kuraka_domain::{AnnexPremises, ListMembership, Ruc, TaxpayerProfile, TaxpayerSummary};
use tokio::task::JoinSet;

use crate::{DatasetError, RegistrySnapshot, TaxpayerRegistry};

/// The dataset of [`RegistrySnapshot::annexes`].
const ANNEXES: &str = "anexos";
/// The dataset of [`RegistrySnapshot::operating_incapacity`].
const INCAPACITY: &str = "ssco";

/// The dataset of [`RegistrySnapshot::open_data`].
const OPEN_DATA: &str = "datos_abiertos";

/// A registry with an edition, and the data that the suite needs about it.
pub struct Filled<R> {
    /// The registry.
    pub registry: Arc<R>,
    /// Taxpayers in its edition, at least one, each as the registry must answer it.
    pub known: Vec<TaxpayerSummary>,
    /// A RUC that its edition does not hold.
    pub absent: Ruc,
    /// Publishes another edition, with another label, that holds `absent` and none of `known`.
    pub publish_next: Box<dyn Fn(&R) + Send>,
    /// Publishes annex premises, a dataset that had no edition before.
    pub publish_annexes: Box<dyn Fn(&R) + Send>,
    /// The annex premises that it publishes, all of the first of `known`: at least two.
    pub annexes: Vec<AnnexPremises>,
}

/// Makes each promise of [`TaxpayerRegistry`] a test; takes the type and two expressions, one that gives
/// `(Filled<impl TaxpayerRegistry>, guard)` and one that gives `(Arc<impl TaxpayerRegistry>, guard)` without edition.
#[macro_export]
macro_rules! registry_contract {
    ($subject:ty, $filled:expr, $empty:expr) => {
        $crate::contract_tests! { registry, $subject, $filled, [
            a_known_ruc_is_answered_whole,
            an_absent_ruc_is_none_not_an_error,
            all_answers_of_a_snapshot_are_of_one_edition,
            snapshots_of_one_edition_share_its_facts,
            a_snapshot_outlives_the_next_publication,
            each_of_many_threads_gets_its_own_answers,
            a_dataset_without_an_edition_is_an_error_not_an_empty_answer,
            a_published_dataset_answers_in_later_snapshots_only,
            an_unknown_ruc_has_no_annexes,
            the_datasets_of_a_snapshot_agree,
        ] }
        $crate::contract_tests! { registry, $subject, $empty, [a_registry_without_an_edition_has_no_snapshot,] }
    };
}

fn snapshot(registry: &impl TaxpayerRegistry) -> Arc<dyn RegistrySnapshot> {
    registry.snapshot().expect("a registry with an edition")
}

/// The snapshot's answer, in an edition whose lookups do not fail.
fn answer(snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> Option<TaxpayerSummary> {
    snapshot.lookup(ruc).expect("a readable edition")
}

/// Every field, for every taxpayer.
pub async fn a_known_ruc_is_answered_whole<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert!(!subject.known.is_empty(), "the suite needs a taxpayer to look up");
    let snapshot = snapshot(&*subject.registry);
    for taxpayer in &subject.known {
        assert_eq!(answer(&*snapshot, taxpayer.ruc).as_ref(), Some(taxpayer));
    }
}

/// The edition states that the RUC does not exist.
pub async fn an_absent_ruc_is_none_not_an_error<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert_eq!(answer(&*snapshot(&*subject.registry), subject.absent), None);
}

/// The edition of a snapshot does not change between lookups.
pub async fn all_answers_of_a_snapshot_are_of_one_edition<R: TaxpayerRegistry>(subject: Filled<R>) {
    let snapshot = snapshot(&*subject.registry);
    let edition = Arc::clone(snapshot.edition());
    assert_eq!(subject.registry.edition().as_ref(), Some(&edition));
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    for (number, ruc) in known.chain([subject.absent]).enumerate() {
        if number == 1 {
            (subject.publish_next)(&subject.registry);
        }
        assert_eq!(answer(&*snapshot, ruc).is_none(), ruc == subject.absent);
        assert!(Arc::ptr_eq(&edition, snapshot.edition()));
    }
}

/// Taking a snapshot does not copy the facts.
pub async fn snapshots_of_one_edition_share_its_facts<R: TaxpayerRegistry>(subject: Filled<R>) {
    let (first, second) = (snapshot(&*subject.registry), snapshot(&*subject.registry));
    assert!(Arc::ptr_eq(first.edition(), second.edition()));
}

/// An old snapshot keeps its edition; later snapshots are of the new one.
pub async fn a_snapshot_outlives_the_next_publication<R: TaxpayerRegistry>(subject: Filled<R>) {
    let old = snapshot(&*subject.registry);
    (subject.publish_next)(&subject.registry);
    let new = snapshot(&*subject.registry);
    assert_ne!(old.edition().label, new.edition().label);
    for taxpayer in &subject.known {
        assert_eq!(answer(&*old, taxpayer.ruc).as_ref(), Some(taxpayer));
        assert_eq!(answer(&*new, taxpayer.ruc), None);
    }
    assert_eq!(answer(&*old, subject.absent), None);
    assert_eq!(answer(&*new, subject.absent).map(|taxpayer| taxpayer.ruc), Some(subject.absent));
}

/// No thread gets another's record.
pub async fn each_of_many_threads_gets_its_own_answers<R: TaxpayerRegistry>(subject: Filled<R>) {
    let mut callers = JoinSet::new();
    let snapshot = snapshot(&*subject.registry);
    for _ in 0..32 {
        for taxpayer in subject.known.clone() {
            let snapshot = Arc::clone(&snapshot);
            callers.spawn(async move { (answer(&*snapshot, taxpayer.ruc), taxpayer) });
        }
    }
    for (answer, asked) in callers.join_all().await {
        assert_eq!(answer, Some(asked));
    }
}

/// The snapshot's profile of a taxpayer, in editions whose lookups do not fail.
fn profile(snapshot: &dyn RegistrySnapshot, ruc: Ruc) -> Option<TaxpayerProfile> {
    snapshot.profile(ruc).expect("readable editions")
}

/// Whether the snapshot answers that the dataset has no edition.
fn is_missing<T>(answer: &Result<T, DatasetError>, name: &str) -> bool {
    matches!(answer, Err(DatasetError::NoEdition { dataset }) if *dataset == name)
}

/// That nothing is known never looks like "there is none".
pub async fn a_dataset_without_an_edition_is_an_error_not_an_empty_answer<R: TaxpayerRegistry>(subject: Filled<R>) {
    let snapshot = snapshot(&*subject.registry);
    assert!(snapshot.missing_datasets().contains(&ANNEXES));
    for taxpayer in &subject.known {
        assert!(is_missing(&snapshot.annexes(taxpayer.ruc), ANNEXES));
        assert_eq!(profile(&*snapshot, taxpayer.ruc).and_then(|profile| profile.annexes), None);
    }
    assert!(is_missing(&snapshot.annexes(subject.absent), ANNEXES), "for unknown taxpayers too");
}

/// An old snapshot keeps the state of every dataset, and the padrón's edition stays as it is.
pub async fn a_published_dataset_answers_in_later_snapshots_only<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert!(subject.annexes.len() > 1, "the suite needs annex premises");
    let old = snapshot(&*subject.registry);
    (subject.publish_annexes)(&subject.registry);
    let new = snapshot(&*subject.registry);
    assert_eq!(old.edition().label, new.edition().label);
    let first = subject.known.first().expect("a taxpayer").ruc;
    assert!(is_missing(&old.annexes(first), ANNEXES));
    assert_eq!(new.annexes(first).expect("an edition"), subject.annexes);
    assert_eq!(profile(&*old, first).and_then(|profile| profile.annexes), None);
    assert_eq!(profile(&*new, first).and_then(|profile| profile.annexes), Some(subject.annexes.len()));
    let names = |snapshot: &dyn RegistrySnapshot| -> Vec<_> {
        snapshot.datasets().iter().map(|dataset| dataset.name).collect()
    };
    assert!(!names(&*old).contains(&ANNEXES) && old.missing_datasets().contains(&ANNEXES));
    assert!(names(&*new).contains(&ANNEXES) && !new.missing_datasets().contains(&ANNEXES));
    (subject.publish_next)(&subject.registry);
    assert_eq!(new.annexes(first).expect("an edition"), subject.annexes, "the padrón's publication changes nothing");
}

/// With an edition, a RUC without rows has none, whether the padrón knows it or not.
pub async fn an_unknown_ruc_has_no_annexes<R: TaxpayerRegistry>(subject: Filled<R>) {
    (subject.publish_annexes)(&subject.registry);
    let snapshot = snapshot(&*subject.registry);
    for ruc in subject.known.iter().skip(1).map(|taxpayer| taxpayer.ruc).chain([subject.absent]) {
        assert_eq!(snapshot.annexes(ruc).expect("an edition"), []);
    }
    assert_eq!(profile(&*snapshot, subject.absent), None);
}

/// The methods of a snapshot say the same, before and after a dataset's publication.
pub async fn the_datasets_of_a_snapshot_agree<R: TaxpayerRegistry>(subject: Filled<R>) {
    let before = snapshot(&*subject.registry);
    (subject.publish_annexes)(&subject.registry);
    for snapshot in [before, snapshot(&*subject.registry)] {
        let missing = snapshot.missing_datasets();
        assert!(snapshot.datasets().iter().all(|dataset| !missing.contains(&dataset.name)), "{missing:?}");
        for name in [ANNEXES, OPEN_DATA, INCAPACITY] {
            let has_edition = snapshot.datasets().iter().any(|dataset| dataset.name == name);
            assert!(has_edition || missing.contains(&name), "{name}");
        }
        for ruc in subject.known.iter().map(|taxpayer| taxpayer.ruc).chain([subject.absent]) {
            let (annexes, incapacity) = (snapshot.annexes(ruc), snapshot.operating_incapacity(ruc));
            let open_data = snapshot.open_data(ruc);
            assert_eq!(is_missing(&annexes, ANNEXES), missing.contains(&ANNEXES), "{ruc}");
            assert_eq!(is_missing(&incapacity, INCAPACITY), missing.contains(&INCAPACITY), "{ruc}");
            assert_eq!(is_missing(&open_data, OPEN_DATA), missing.contains(&OPEN_DATA), "{ruc}");
            let profile = profile(&*snapshot, ruc);
            assert_eq!(profile.as_ref().map(|profile| &profile.summary), answer(&*snapshot, ruc).as_ref());
            let Some(profile) = profile else { continue };
            assert_eq!(profile.annexes, annexes.ok().map(|annexes| annexes.len()), "{ruc}");
            assert_eq!(profile.operating_incapacity, incapacity.ok(), "{ruc}");
            assert_eq!(profile.open_data, open_data.ok(), "{ruc}");
            for (list, flag) in [
                ("retencion", profile.summary.withholding_agent),
                ("buenos_contribuyentes", profile.summary.good_taxpayer),
            ] {
                let is_on = |lists: &Vec<ListMembership>| lists.iter().any(|entry| entry.dataset == list);
                let is_known = !missing.contains(&list);
                assert_eq!(is_known && flag, profile.lists.as_ref().is_some_and(is_on), "{ruc} {list}");
            }
        }
    }
}

/// A registry that cannot answer never reports that a taxpayer does not exist.
pub async fn a_registry_without_an_edition_has_no_snapshot<R: TaxpayerRegistry>(registry: Arc<R>) {
    assert!(registry.snapshot().is_none());
    assert_eq!(registry.edition(), None);
}
