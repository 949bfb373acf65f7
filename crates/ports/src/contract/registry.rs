//! What [`TaxpayerRegistry`] promises.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerSummary};
use tokio::task::JoinSet;

use crate::{SourceErrorKind, TaxpayerRegistry};

/// A registry with an edition, and what the suite needs to know about it.
#[derive(Debug)]
pub struct Filled<R> {
    /// The registry.
    pub registry: Arc<R>,
    /// Taxpayers in its edition, at least one, each as the registry must answer it.
    pub known: Vec<TaxpayerSummary>,
    /// A RUC that its edition does not hold.
    pub absent: Ruc,
}

/// Makes each promise of [`TaxpayerRegistry`] a test; takes the type and two expressions, one that gives
/// `(Filled<impl TaxpayerRegistry>, guard)` and one that gives `(Arc<impl TaxpayerRegistry>, guard)` without edition.
#[macro_export]
macro_rules! registry_contract {
    ($subject:ty, $filled:expr, $empty:expr) => {
        $crate::contract_tests!(
            registry,
            $subject,
            $filled,
            [
                a_known_ruc_is_answered_whole,
                an_absent_ruc_is_absent_not_an_error,
                an_answer_names_the_edition_that_gave_it,
                the_edition_is_shared_between_answers,
                many_callers_get_each_their_own_answer,
            ]
        );
        $crate::contract_tests!(registry, $subject, $empty, [a_registry_without_an_edition_is_unavailable,]);
    };
}

/// Every field, for every taxpayer.
pub async fn a_known_ruc_is_answered_whole<R: TaxpayerRegistry>(subject: Filled<R>) {
    assert!(!subject.known.is_empty(), "the suite needs a taxpayer to ask for");
    for taxpayer in &subject.known {
        let answer = subject.registry.summary(taxpayer.ruc).await.expect("a registry with an edition");
        assert_eq!(answer.taxpayer.as_ref(), Some(taxpayer));
    }
}

/// Not found is what the edition positively says.
pub async fn an_absent_ruc_is_absent_not_an_error<R: TaxpayerRegistry>(subject: Filled<R>) {
    let answer = subject.registry.summary(subject.absent).await.expect("a registry with an edition");
    assert_eq!(answer.taxpayer, None);
}

/// Found or not.
pub async fn an_answer_names_the_edition_that_gave_it<R: TaxpayerRegistry>(subject: Filled<R>) {
    let edition = subject.registry.edition().expect("a registry with an edition");
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    for ruc in known.chain([subject.absent]) {
        let answer = subject.registry.summary(ruc).await.expect("a registry with an edition");
        assert_eq!(answer.edition, edition);
    }
}

/// An answer must not pay for its provenance.
pub async fn the_edition_is_shared_between_answers<R: TaxpayerRegistry>(subject: Filled<R>) {
    let edition = subject.registry.edition().expect("a registry with an edition");
    let answer = subject.registry.summary(subject.absent).await.expect("a registry with an edition");
    assert!(Arc::ptr_eq(&edition, &answer.edition));
}

/// Nobody gets another's record.
pub async fn many_callers_get_each_their_own_answer<R: TaxpayerRegistry>(subject: Filled<R>) {
    let mut callers = JoinSet::new();
    for _ in 0..32 {
        for taxpayer in subject.known.clone() {
            let registry = Arc::clone(&subject.registry);
            callers.spawn(async move { (registry.summary(taxpayer.ruc).await, taxpayer) });
        }
    }
    for (answer, asked) in callers.join_all().await {
        assert_eq!(answer.expect("a registry with an edition").taxpayer, Some(asked));
    }
}

/// "We could not find out" is never "there is no such taxpayer".
pub async fn a_registry_without_an_edition_is_unavailable<R: TaxpayerRegistry>(registry: Arc<R>) {
    assert_eq!(registry.edition(), None);
    let ruc = Ruc::parse("20131312955").expect("a valid RUC");
    let refusal = registry.summary(ruc).await.expect_err("nothing to ask");
    assert_eq!(refusal.kind, SourceErrorKind::Unavailable);
}
