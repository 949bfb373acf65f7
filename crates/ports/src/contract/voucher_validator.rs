//! What [`VoucherValidator`] promises, for sources and for layers around them.

use std::sync::Arc;

use kuraka_domain::{Voucher, VoucherStatus, VoucherValidation};
use tokio::task::JoinSet;

use super::{begin_and_drop, is_word};
use crate::{Freshness, SourceError, SourceErrorKind, VoucherAnswer, VoucherValidator};

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

/// Number and series are as in the request.
pub async fn a_known_voucher_is_answered_whole<S: VoucherValidator>(subject: Working<S>) {
    assert!(subject.known.len() >= 2, "the suite needs two vouchers to ask for");
    for (voucher, validation) in &subject.known {
        assert_eq!(ask(&subject, *voucher).await.validation, *validation);
    }
}

pub async fn a_voucher_that_does_not_exist_is_an_answer<S: VoucherValidator>(subject: Working<S>) {
    let validation = ask(&subject, subject.unknown).await.validation;
    assert_eq!(validation.status, VoucherStatus::NotFound);
    assert_eq!((validation.issuer, validation.number), (subject.unknown.issuer, subject.unknown.number));
}

pub async fn a_failure_is_an_error_never_a_status<S: VoucherValidator>(subject: Working<S>) {
    let (voucher, kind) = subject.failing;
    assert_eq!(failure(&subject, voucher).await.kind, kind);
}

pub async fn a_rejection_says_why<S: VoucherValidator>(subject: Working<S>) {
    let (voucher, reason) = subject.rejected;
    let rejected = failure(&subject, voucher).await;
    assert_eq!((rejected.kind, rejected.reason.as_deref()), (SourceErrorKind::Rejected, Some(reason)));
}

pub async fn a_failure_names_the_source_in_a_word<S: VoucherValidator>(subject: Working<S>) {
    let failure = failure(&subject, subject.failing.0).await;
    assert!(is_word(&failure.source), "{:?} is not a word", failure.source);
}

pub async fn a_failure_for_one_voucher_leaves_the_others<S: VoucherValidator>(subject: Working<S>) {
    failure(&subject, subject.failing.0).await;
    failure(&subject, subject.rejected.0).await;
    a_known_voucher_is_answered_whole(subject).await;
}

/// A voucher that does not exist may be reported a minute later.
pub async fn nothing_is_answered_from_memory<S: VoucherValidator>(subject: Working<S>) {
    let known = subject.known.iter().map(|(voucher, _)| *voucher);
    for voucher in known.chain([subject.unknown]) {
        for _ in 0..2 {
            assert_ne!(ask(&subject, voucher).await.freshness, Freshness::Cached);
        }
    }
}

pub async fn each_of_many_callers_gets_its_own_answer<S: VoucherValidator>(subject: Working<S>) {
    let mut callers = JoinSet::new();
    for _ in 0..8 {
        for (voucher, validation) in subject.known.clone() {
            let source = Arc::clone(&subject.source);
            callers.spawn(async move { (source.validate(voucher).await, validation) });
        }
    }
    for (answer, expected) in callers.join_all().await {
        assert_eq!(answer.expect("a source that works").validation, expected);
    }
}

pub async fn cancelled_questions_hold_nothing<S: VoucherValidator>(subject: Working<S>) {
    for _ in 0..64 {
        for (voucher, _) in &subject.known {
            begin_and_drop(subject.source.validate(*voucher));
        }
    }
    a_known_voucher_is_answered_whole(subject).await;
}

pub async fn the_name_is_a_word_for_logs<S: VoucherValidator>(subject: Working<S>) {
    let name = subject.source.name();
    assert!(is_word(name), "{name:?} is not a word");
}

async fn ask<S: VoucherValidator>(subject: &Working<S>, voucher: Voucher) -> VoucherAnswer {
    subject.source.validate(voucher).await.expect("a source that works")
}

async fn failure<S: VoucherValidator>(subject: &Working<S>, voucher: Voucher) -> SourceError {
    subject.source.validate(voucher).await.expect_err("a voucher that fails")
}
