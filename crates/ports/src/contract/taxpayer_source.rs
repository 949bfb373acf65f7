//! What [`TaxpayerSource`] promises, for sources and for layers around them.

use std::iter::repeat_n;
use std::sync::Arc;

use kuraka_domain::{Ruc, TaxpayerDetail};

use super::{begin_and_drop, is_word, together};
use crate::{DetailOrigin, SourceErrorKind, TaxpayerSource};

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

/// Each time, with the kind of source that gave it.
pub async fn a_taxpayer_is_answered_whole_or_absent<S: TaxpayerSource>(subject: Working<S>) {
    assert!(!subject.known.is_empty(), "the suite needs a taxpayer to ask for");
    assert!(is_word(subject.source.name()), "{:?} is not a word", subject.source.name());
    for _ in 0..2 {
        assert_answers(&subject).await;
    }
}

/// It names the source in a word, and leaves the other RUCs.
pub async fn a_failure_is_an_error_never_an_absence<S: TaxpayerSource>(subject: Working<S>) {
    let (ruc, kind) = subject.failing;
    let failure = subject.source.detail(ruc).await.expect_err("a RUC that fails");
    assert_eq!(failure.kind, kind);
    assert!(is_word(&failure.source), "{:?} is not a word", failure.source);
    assert_answers(&subject).await;
}

pub async fn each_of_many_callers_gets_its_own_answer<S: TaxpayerSource>(subject: Working<S>) {
    let eight = repeat_n(&subject.known, 8).flatten().cloned();
    let ask = |source: Arc<S>, taxpayer: TaxpayerDetail| async move { (source.detail(taxpayer.ruc).await, taxpayer) };
    for (answer, asked) in together(&subject.source, eight, ask).await {
        assert_eq!(answer.expect("a source that works").taxpayer.as_deref(), Some(&asked));
    }
}

pub async fn cancelled_questions_hold_nothing<S: TaxpayerSource>(subject: Working<S>) {
    for _ in 0..64 {
        for taxpayer in &subject.known {
            begin_and_drop(subject.source.detail(taxpayer.ruc));
        }
    }
    assert_answers(&subject).await;
}

async fn assert_answers<S: TaxpayerSource>(subject: &Working<S>) {
    let known = subject.known.iter().map(|taxpayer| (taxpayer.ruc, Some(taxpayer)));
    for (ruc, expected) in known.chain([(subject.absent, None)]) {
        let answer = subject.source.detail(ruc).await.expect("a source that works");
        assert_eq!((answer.taxpayer.as_deref(), answer.origin), (expected, subject.origin));
    }
}
