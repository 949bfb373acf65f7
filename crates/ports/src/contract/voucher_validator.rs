//! What [`VoucherValidator`] promises, for sources and for layers around them.

use std::iter::repeat_n;
use std::sync::Arc;

use kuraka_domain::{Voucher, VoucherStatus, VoucherValidation};

use super::{begin_and_drop, is_word, together};
use crate::{Freshness, SourceErrorKind, VoucherAnswer, VoucherValidator};

/// A validator under test, and what the suite needs of it.
#[derive(Debug)]
pub struct Working<S> {
    pub source: Arc<S>,
    /// At least two, each with the expected answer.
    pub known: Vec<(Voucher, VoucherValidation)>,
    pub unknown: Voucher,
    /// A voucher that fails, and how.
    pub failing: (Voucher, SourceErrorKind),
    /// A voucher with invalid data, and the reason given.
    pub rejected: (Voucher, &'static str),
}

/// A voucher that does not exist may be reported a minute later.
pub async fn nothing_is_answered_from_memory<S: VoucherValidator>(subject: Working<S>) {
    assert!(subject.known.len() >= 2, "the suite needs two vouchers to ask for");
    assert!(is_word(subject.source.name()), "{:?} is not a word", subject.source.name());
    for _ in 0..2 {
        assert_answers(&subject).await;
    }
}

/// It names the source in a word, a rejection says why, and other vouchers are answered.
pub async fn a_failure_is_an_error_never_a_status<S: VoucherValidator>(subject: Working<S>) {
    let failure = async |voucher| subject.source.validate(voucher).await.expect_err("a voucher that fails");
    let (failing, kind) = subject.failing;
    let failed = failure(failing).await;
    assert_eq!(failed.kind, kind);
    assert!(is_word(&failed.source), "{:?} is not a word", failed.source);
    let (rejected, reason) = subject.rejected;
    let rejected = failure(rejected).await;
    assert_eq!((rejected.kind, rejected.reason.as_deref()), (SourceErrorKind::Rejected, Some(reason)));
    assert_answers(&subject).await;
}

pub async fn each_of_many_callers_gets_its_own_answer<S: VoucherValidator>(subject: Working<S>) {
    let eight = repeat_n(&subject.known, 8).flatten().cloned();
    let ask = |source: Arc<S>, (voucher, validation)| async move { (source.validate(voucher).await, validation) };
    for (answer, expected) in together(&subject.source, eight, ask).await {
        assert_eq!(answer.expect("a source that works").validation, expected);
    }
}

pub async fn cancelled_questions_hold_nothing<S: VoucherValidator>(subject: Working<S>) {
    for _ in 0..64 {
        for (voucher, _) in &subject.known {
            begin_and_drop(subject.source.validate(*voucher));
        }
    }
    assert_answers(&subject).await;
}

/// Number and series are as in the request; a voucher that does not exist is an answer.
async fn assert_answers<S: VoucherValidator>(subject: &Working<S>) {
    let ask = async |voucher| subject.source.validate(voucher).await.expect("a source that works");
    for (voucher, validation) in &subject.known {
        let answer = ask(*voucher).await;
        assert_eq!(answer.validation, *validation);
        assert_ne!(answer.freshness, Freshness::Cached);
    }
    let VoucherAnswer { validation, freshness } = ask(subject.unknown).await;
    assert_eq!((validation.status, validation.issuer), (VoucherStatus::NotFound, subject.unknown.issuer));
    assert_eq!(validation.number, subject.unknown.number);
    assert_ne!(freshness, Freshness::Cached);
}
