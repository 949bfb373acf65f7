//! The controls of the fakes.

use kuraka_domain::TaxpayerProfile;
use kuraka_ports::contract::samples::{NOW, account, digest, email, latest, plan, token};
use kuraka_ports::fake::{MemoryStore, ScriptedRegistry};
use kuraka_ports::{
    AccountStatus, Accounts, Changed, PlanName, ProfileParts, SourceErrorKind, StoreErrorKind, TaxpayerRegistry,
    TokenKey, Tokens,
};

use crate::fakes::{company, edition};

#[tokio::test]
async fn a_failing_store_keeps_its_rows() {
    let store = MemoryStore::new();
    let owner = account(&store, 1).await;
    store.fail(StoreErrorKind::Unavailable);
    let refusal = Accounts::create(&store, &email(2), &plan(), None, NOW).await.unwrap_err();
    assert_eq!(refusal.kind, StoreErrorKind::Unavailable);
    store.fail(None);
    assert_eq!(Accounts::find(&store, &owner.email).await.unwrap(), Some(owner));
    assert_eq!(Accounts::find(&store, &email(2)).await.unwrap(), None);
    assert_eq!(store.asked(), 4);
}

#[tokio::test]
async fn a_credential_shows_the_accounts_status_and_plan() {
    let store = MemoryStore::new();
    let owner = account(&store, 1).await.id;
    Tokens::create(&store, &token(owner, 1)).await.unwrap();
    let pro = PlanName::parse("pro").unwrap();
    store.set_status(owner, AccountStatus::Suspended).await.unwrap();
    store.set_plan(owner, &pro).await.unwrap();
    let found = Tokens::find(&store, &digest(1)).await.unwrap().unwrap().account;
    assert_eq!((found.status, found.plan), (AccountStatus::Suspended, pro));
}

#[tokio::test]
async fn a_new_token_key_reports_everything_changed() {
    let store = MemoryStore::new();
    let before = latest(&store).await;
    store.replace_token_key(TokenKey([1; 32]));
    assert_eq!(store.changes(before).await.unwrap().what, Changed::Everything);
    let after = latest(&store).await;
    assert_eq!(after.number, before.number + 1);
    assert!(store.changes(after).await.unwrap().what.is_nothing());
    assert_eq!(store.token_key().await.unwrap(), TokenKey([1; 32]));
}

#[test]
fn a_scripted_failure_affects_one_ruc_or_one_part() {
    let (good, bad) = (company("20131312955", "UNO S.A."), company("20100070970", "DOS S.A."));
    let registry = ScriptedRegistry::with(edition("2026-11-20-00000000"), [good.clone(), bad.clone()]);
    registry.fail(bad.ruc, SourceErrorKind::Unreadable);
    registry.damage(ProfileParts::ANNEXES);
    let snapshot = registry.snapshot().unwrap();
    let profile = |ruc, parts| snapshot.profile(ruc, parts).map_err(|error| error.kind);
    assert_eq!(profile(bad.ruc, ProfileParts::NONE), Err(SourceErrorKind::Unreadable));
    assert_eq!(profile(good.ruc, ProfileParts::FLAGS), Ok(Some(TaxpayerProfile::from_summary(good.clone()))));
    assert_eq!(profile(good.ruc, ProfileParts::FLAGS.and(ProfileParts::ANNEXES)), Err(SourceErrorKind::Unreadable));
    assert_eq!(registry.asked(), [bad.ruc, good.ruc, good.ruc]);
}

#[test]
fn a_new_edition_replaces_the_old_one() {
    let (old, new) = (company("20131312955", "UNO S.A."), company("20100070970", "DOS S.A."));
    let registry = ScriptedRegistry::with(edition("2026-11-20-00000000"), [old.clone()]);
    registry.publish(edition("2026-11-21-00000000"), [new.clone()]);
    let snapshot = registry.snapshot().unwrap();
    assert_eq!(snapshot.profile(old.ruc, ProfileParts::NONE).unwrap(), None);
    assert_eq!(&*snapshot.edition().label, "2026-11-21-00000000");
    assert_eq!(snapshot.profile(new.ruc, ProfileParts::FLAGS).unwrap(), Some(TaxpayerProfile::from_summary(new)));
}
