//! What [`TaxpayerRegistry`] and [`RegistrySnapshot`] promise.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerSummary};
use tokio::task::JoinSet;

use crate::{RegistrySnapshot, TaxpayerRegistry};

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

/// A registry that cannot answer never reports that a taxpayer does not exist.
pub async fn a_registry_without_an_edition_has_no_snapshot<R: TaxpayerRegistry>(registry: Arc<R>) {
    assert!(registry.snapshot().is_none());
    assert_eq!(registry.edition(), None);
}
