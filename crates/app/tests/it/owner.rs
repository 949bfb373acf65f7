//! Calls that an owner makes in the panel, without a token.

use std::sync::Arc;

use kuraka_app::{AdmitError, AuthenticateError, Caller, ConcurrencyLimit};
use kuraka_ports::{Account, AccountStatus, PlanName};

use crate::fixture::{DETAIL, TestApp, plan};

async fn owner(app: &TestApp, account: &Account) -> Result<Arc<Caller>, AuthenticateError> {
    let limit = ConcurrencyLimit::new(1);
    app.admission.owner(account, &limit).await.map(|(caller, _)| caller)
}

#[tokio::test]
async fn an_owner_shares_rate_and_quota_with_its_tokens() {
    let app = TestApp::with(&[plan("free", 3, 1, 2)]).await;
    let first = app.admit(app.caller().await.unwrap()).await.unwrap();
    let second = app.admission.admit(owner(&app, &app.account).await.unwrap(), DETAIL, || 2).await.unwrap();
    assert_eq!((first.limits().left, second.limits().left), (Some(2), Some(0)));
    let third = app.admit(owner(&app, &app.account).await.unwrap()).await;
    assert!(matches!(third, Err(AdmitError::TooFast { retry_after: 1, .. })));
    app.clock.advance(std::time::Duration::from_secs(1));
    let fourth = app.admit(owner(&app, &app.account).await.unwrap()).await;
    assert!(matches!(fourth, Err(AdmitError::Exhausted { left: 0, .. })));
}

#[tokio::test]
async fn an_owner_is_refused_when_no_call_of_its_token_would_be_admitted() {
    let app = TestApp::with(&[plan("free", 3, 1, 2)]).await;
    let suspended = Account { status: AccountStatus::Suspended, ..app.account.clone() };
    assert!(matches!(owner(&app, &suspended).await, Err(AuthenticateError::Inactive(AccountStatus::Suspended))));
    let lost = Account { plan: PlanName::parse("gone").unwrap(), ..app.account.clone() };
    assert!(matches!(owner(&app, &lost).await, Err(AuthenticateError::NoSuchPlan(id)) if id == app.account.id));
    let full = ConcurrencyLimit::new(1);
    let _permit = full.acquire().await.unwrap();
    let refused = app.admission.owner(&app.account, &full).await.err().unwrap();
    assert!(matches!(refused, AuthenticateError::Overloaded));
}

#[tokio::test]
async fn a_call_of_an_owner_is_no_use_of_a_token() {
    let app = TestApp::with(&[plan("free", 3, 1, 2)]).await;
    app.admit(owner(&app, &app.account).await.unwrap()).await.unwrap();
    let asked = app.store.asked();
    app.credentials.note_uses().await.unwrap();
    assert_eq!(app.store.asked(), asked, "there is nothing to write");
}
