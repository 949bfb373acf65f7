//! What [`TaxpayerSource`] promises, for sources and for layers around them.

use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerDetail};
use tokio::task::JoinSet;

use super::{begin_and_drop, is_word};
use crate::{DetailAnswer, DetailOrigin, SourceErrorKind, TaxpayerSource};

/// A source under test, and what the suite needs of it.
#[derive(Debug)]
pub struct Working<S> {
    pub source: Arc<S>,
    /// At least one, each with the expected answer.
    pub known: Vec<TaxpayerDetail>,
    pub absent: Ruc,
    /// A RUC that fails, and how.
    pub failing: (Ruc, SourceErrorKind),
    /// The kind of source that it reports.
    pub origin: DetailOrigin,
}

pub async fn a_known_taxpayer_is_answered_whole<S: TaxpayerSource>(subject: Working<S>) {
    assert!(!subject.known.is_empty(), "the suite needs a taxpayer to ask for");
    for taxpayer in &subject.known {
        assert_eq!(ask(&subject, taxpayer.ruc).await.taxpayer.as_deref(), Some(taxpayer));
    }
}

pub async fn an_absent_ruc_is_absent_not_an_error<S: TaxpayerSource>(subject: Working<S>) {
    assert_eq!(ask(&subject, subject.absent).await.taxpayer, None);
}

pub async fn a_failure_is_an_error_never_an_absence<S: TaxpayerSource>(subject: Working<S>) {
    let (ruc, kind) = subject.failing;
    let failure = subject.source.detail(ruc).await.expect_err("a RUC that fails");
    assert_eq!(failure.kind, kind);
}

pub async fn a_failure_names_the_source_in_a_word<S: TaxpayerSource>(subject: Working<S>) {
    let failure = subject.source.detail(subject.failing.0).await.expect_err("a RUC that fails");
    assert!(is_word(&failure.source), "{:?} is not a word", failure.source);
}

pub async fn a_failure_for_one_ruc_leaves_the_others<S: TaxpayerSource>(subject: Working<S>) {
    subject.source.detail(subject.failing.0).await.expect_err("a RUC that fails");
    a_known_taxpayer_is_answered_whole(subject).await;
}

/// Found or not.
pub async fn an_answer_says_which_kind_of_source_gave_it<S: TaxpayerSource>(subject: Working<S>) {
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    for ruc in known.chain([subject.absent]) {
        assert_eq!(ask(&subject, ruc).await.origin, subject.origin);
    }
}

/// Found or not.
pub async fn asking_twice_is_answered_twice<S: TaxpayerSource>(subject: Working<S>) {
    let known = subject.known.iter().map(|taxpayer| taxpayer.ruc);
    for ruc in known.chain([subject.absent]) {
        let first = ask(&subject, ruc).await;
        let second = ask(&subject, ruc).await;
        assert_eq!((first.taxpayer, first.origin), (second.taxpayer, second.origin));
    }
}

pub async fn each_of_many_callers_gets_its_own_answer<S: TaxpayerSource>(subject: Working<S>) {
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

pub async fn cancelled_questions_hold_nothing<S: TaxpayerSource>(subject: Working<S>) {
    for _ in 0..64 {
        for taxpayer in &subject.known {
            begin_and_drop(subject.source.detail(taxpayer.ruc));
        }
    }
    a_known_taxpayer_is_answered_whole(subject).await;
}

pub async fn the_name_is_a_word_for_logs<S: TaxpayerSource>(subject: Working<S>) {
    let name = subject.source.name();
    assert!(is_word(name), "{name:?} is not a word");
}

async fn ask<S: TaxpayerSource>(subject: &Working<S>, ruc: Ruc) -> DetailAnswer {
    subject.source.detail(ruc).await.expect("a source that works")
}
