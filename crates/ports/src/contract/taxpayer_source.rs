//! What [`TaxpayerSource`] promises, for sources and for layers around them.

use std::sync::Arc;
use std::task::{Context, Waker};

use kuraka_domain::{Ruc, TaxpayerDetail};
use tokio::task::JoinSet;

use crate::{DetailAnswer, DetailOrigin, SourceErrorKind, TaxpayerSource};

/// A source under test, and what the suite needs to know about it.
#[derive(Debug)]
pub struct Working<S> {
    /// The source.
    pub source: Arc<S>,
    /// Taxpayers it knows, at least one, each as the source must answer it.
    pub known: Vec<TaxpayerDetail>,
    /// A RUC about which it says that it does not exist.
    pub absent: Ruc,
    /// A RUC for which it fails, and how.
    pub failing: (Ruc, SourceErrorKind),
    /// The kind of source that it says it is.
    pub origin: DetailOrigin,
}

/// Makes each promise of [`TaxpayerSource`] a test; takes the type and an expression that gives
/// `(Working<impl TaxpayerSource>, guard)`.
#[macro_export]
macro_rules! taxpayer_source_contract {
    ($subject:ty, $working:expr) => {
        $crate::contract_tests!(
            taxpayer_source,
            $subject,
            $working,
            [
                a_known_taxpayer_is_answered_whole,
                an_absent_ruc_is_absent_not_an_error,
                a_failure_is_an_error_never_an_absence,
                a_failure_names_the_source_in_a_word,
                a_failure_for_one_ruc_leaves_the_others,
                an_answer_says_which_kind_of_source_gave_it,
                asking_twice_is_answered_twice,
                many_callers_get_each_their_own_answer,
                dropped_questions_give_back_what_they_held,
                the_name_is_a_word_for_logs,
            ]
        );
    };
}

/// Every field, for every taxpayer.
pub async fn a_known_taxpayer_is_answered_whole<S: TaxpayerSource>(subject: Working<S>) {
    assert!(!subject.known.is_empty(), "the suite needs a taxpayer to ask for");
    for taxpayer in &subject.known {
        assert_eq!(ask(&subject, taxpayer.ruc).await.taxpayer.as_deref(), Some(taxpayer));
    }
}

/// "Not found" is a statement of the source.
pub async fn an_absent_ruc_is_absent_not_an_error<S: TaxpayerSource>(subject: Working<S>) {
    assert_eq!(ask(&subject, subject.absent).await.taxpayer, None);
}

/// "We could not find out" is never "there is no such taxpayer".
pub async fn a_failure_is_an_error_never_an_absence<S: TaxpayerSource>(subject: Working<S>) {
    let (ruc, kind) = subject.failing;
    let failure = subject.source.detail(ruc).await.expect_err("a RUC that fails");
    assert_eq!(failure.kind, kind);
}

/// The operator must know which source to look at.
pub async fn a_failure_names_the_source_in_a_word<S: TaxpayerSource>(subject: Working<S>) {
    let failure = subject.source.detail(subject.failing.0).await.expect_err("a RUC that fails");
    assert!(is_word(&failure.source), "{:?} is not a word", failure.source);
}

/// One bad page is not a bad source.
pub async fn a_failure_for_one_ruc_leaves_the_others<S: TaxpayerSource>(subject: Working<S>) {
    subject.source.detail(subject.failing.0).await.expect_err("a RUC that fails");
    a_known_taxpayer_is_answered_whole(subject).await;
}

/// Both for a taxpayer that is found and for one that is not.
pub async fn an_answer_says_which_kind_of_source_gave_it<S: TaxpayerSource>(subject: Working<S>) {
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    for ruc in known.chain([subject.absent]) {
        assert_eq!(ask(&subject, ruc).await.origin, subject.origin);
    }
}

/// Both for a taxpayer that is found and for one that is not.
pub async fn asking_twice_is_answered_twice<S: TaxpayerSource>(subject: Working<S>) {
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    for ruc in known.chain([subject.absent]) {
        let first = ask(&subject, ruc).await;
        let second = ask(&subject, ruc).await;
        assert_eq!((first.taxpayer, first.origin), (second.taxpayer, second.origin));
    }
}

/// No caller gets the record of another taxpayer.
pub async fn many_callers_get_each_their_own_answer<S: TaxpayerSource>(subject: Working<S>) {
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        for taxpayer in subject.known.clone() {
            let source = Arc::clone(&subject.source);
            callers.spawn(async move { (source.detail(taxpayer.ruc).await, taxpayer) });
        }
    }
    for (answer, asked) in callers.join_all().await {
        assert_eq!(answer.expect("a source that works").taxpayer.as_deref(), Some(&asked));
    }
}

/// Callers go away in the middle; later callers are answered as if the earlier calls had never been made.
pub async fn dropped_questions_give_back_what_they_held<S: TaxpayerSource>(subject: Working<S>) {
    for _ in 0..64 {
        for taxpayer in &subject.known {
            let mut question = subject.source.detail(taxpayer.ruc);
            // Whether it is ready does not matter: a call that has begun is dropped.
            let _ = question.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        }
    }
    a_known_taxpayer_is_answered_whole(subject).await;
}

/// Logs and metrics carry the name as it is.
pub async fn the_name_is_a_word_for_logs<S: TaxpayerSource>(subject: Working<S>) {
    let name = subject.source.name();
    assert!(is_word(name), "{name:?} is not a word");
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

async fn ask<S: TaxpayerSource>(subject: &Working<S>, ruc: Ruc) -> DetailAnswer {
    subject.source.detail(ruc).await.expect("a source that works")
}
