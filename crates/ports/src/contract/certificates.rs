//! What [`Certificates`] promises.

use std::sync::Arc;

use super::samples::{LATER, NOW, account};
use crate::{
    AccountId, Accounts, Audit, AuditFilter, Certificate, CertificateCode, Certificates, OldRows, Retention,
    StoreErrorKind,
};

const MAX_BYTES: u64 = 100;
const CONTENT: &[u8] = b"\0{\"\xc3\xb1\":1}";

fn certificate(account: AccountId, number: u8) -> Certificate {
    // Made one after the other.
    let created = NOW + jiff::SignedDuration::from_secs(number.into());
    Certificate { code: CertificateCode([number; 16]), account, created, title: format!("«ñ» {number}") }
}

pub(super) async fn add<S: Certificates>(store: &S, account: AccountId, number: u8) -> Certificate {
    let new = certificate(account, number);
    store.add_certificate(&new, CONTENT, MAX_BYTES).await.expect("an account with room");
    new
}

pub(super) async fn find<S: Certificates>(store: &S, number: u8) -> Option<(Certificate, Vec<u8>)> {
    store.certificate(CertificateCode([number; 16])).await.expect("a store that answers")
}

async fn list<S: Certificates>(store: &S, account: AccountId, most: u32) -> Vec<Certificate> {
    store.certificates(account, most).await.expect("a store that answers")
}

pub async fn a_certificate_is_found_by_its_code<S: Accounts + Certificates>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let (first, second) = (add(&*store, owner, 1).await, add(&*store, owner, 2).await);
    assert_eq!(find(&*store, 1).await, Some((first.clone(), CONTENT.to_vec())));
    assert_eq!(find(&*store, 3).await, None);
    assert_eq!(list(&*store, owner, 9).await, [second.clone(), first]);
    assert_eq!(list(&*store, owner, 1).await, [second]);
    assert_eq!(list(&*store, other, 9).await, []);
}

pub async fn a_certificate_is_deleted_by_its_owner_only<S: Accounts + Certificates + Audit>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let code = add(&*store, owner, 1).await.code;
    let delete = async |account| store.delete_certificate(account, code).await.expect("a store that answers");
    assert!(!delete(other).await);
    assert!(find(&*store, 1).await.is_some());
    assert!(delete(owner).await);
    assert_eq!(find(&*store, 1).await, None);
    assert!(!delete(owner).await);
    let lines = store.lines(&AuditFilter { object: Some("certificate"), ..AuditFilter::default() }, 9).await;
    let actions: Vec<_> = lines.expect("a store that answers").into_iter().map(|line| line.action).collect();
    assert_eq!(actions, ["certificate.create", "certificate.delete"]);
}

/// Each account has room of its own.
pub async fn certificates_are_bounded<S: Accounts + Certificates>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let most = 2 * CONTENT.len() as u64;
    let add = async |owner, number| {
        let added = store.add_certificate(&certificate(owner, number), CONTENT, most).await;
        added.map_err(|error| error.kind)
    };
    assert_eq!((add(owner, 1).await, add(owner, 2).await, add(other, 3).await), (Ok(()), Ok(()), Ok(())));
    assert_eq!(add(owner, 4).await, Err(StoreErrorKind::LimitReached));
    assert_eq!(find(&*store, 4).await, None);
    assert_eq!(add(AccountId(other.0 + 1), 5).await, Err(StoreErrorKind::Missing));
}

pub async fn old_certificates_are_swept<S: Accounts + Retention + Certificates>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let (first, second) = (add(&*store, owner, 1).await, add(&*store, owner, 2).await);
    store.delete_old(OldRows::Certificates, first.created).await.expect("a store that answers");
    assert_eq!(list(&*store, owner, 9).await, [second.clone(), first]);
    store.delete_old(OldRows::Certificates, second.created).await.expect("a store that answers");
    assert_eq!(list(&*store, owner, 9).await, [second]);
    store.delete_old(OldRows::Certificates, LATER).await.expect("a store that answers");
    assert_eq!(find(&*store, 2).await, None);
}
