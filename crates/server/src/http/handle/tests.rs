//! A call that panics more than once is refunded once.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use actix_web::FromRequest;
use actix_web::test::TestRequest;
use jiff::Timestamp;
use kuraka_adapters::layers::Fallback;
use kuraka_app::{
    AbsenceRule, AccountMeters, Admission, ApiToken, CredentialCache, LookupDetail, LookupSummary, Places, Plan, Usage,
    ValidateVoucher,
};
use kuraka_ports::fake::{ManualClock, MemoryStore, ScriptedRegistry};
use kuraka_ports::{Accounts, Clock, Email, NewToken, PlanName, Tokens};
use tokio::runtime::Handle;

use super::super::admission::Call;
use super::super::documents::Documents;
use super::super::endpoint::Endpoint;
use super::super::operations::ENDPOINTS;
use super::*;
use crate::metrics::Metrics;

/// An API on fakes, and a token for it. The plan has 1,000 queries.
async fn api() -> (Data<Api>, ApiToken) {
    let store = Arc::new(MemoryStore::new());
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let free = PlanName::parse("free").unwrap();
    let owner = Accounts::create(&*store, &Email::parse("ana@example.pe").unwrap(), &free, clock.now()).await.unwrap();
    let token = ApiToken::generate(getrandom::fill).unwrap();
    let new = NewToken {
        account: owner.id,
        name: "test".to_owned(),
        digest: token.digest(),
        prefix: token.prefix().to_owned(),
        created: clock.now(),
        expires: None,
        allowed: Vec::new(),
    };
    Tokens::create(&*store, &new).await.unwrap();
    let plans = [Plan::new(free, 1_000, 1_000, 1_000).unwrap()].into_iter().collect();
    let meters = Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current(), []));
    let credentials = CredentialCache::new(store.clone(), clock.clone(), plans, meters.clone());
    let api = Api {
        endpoints: ENDPOINTS.to_vec(),
        documents: Data::new(Documents::new(Vec::new())),
        usage: Arc::new(Usage::new(store.clone(), store, meters, clock.clone())),
        admission: Admission::new(Arc::new(credentials), clock.clone()),
        places: ENDPOINTS.map(|endpoint| Places::new(endpoint.calls)).into(),
        lookup_summary: LookupSummary::new(Arc::new(ScriptedRegistry::empty()), AbsenceRule::new(clock.clone(), None)),
        lookup_detail: LookupDetail::new(Arc::new(Fallback::new(Vec::new(), Fallback::DEADLINE))),
        validate_voucher: ValidateVoucher::new(Arc::new(Fallback::of_validators(Vec::new(), Fallback::DEADLINE))),
        metrics: Arc::new(Metrics::new(ENDPOINTS.map(|endpoint| endpoint.operation.name))),
        clock,
        trusted_proxies: Vec::new(),
        draining: Arc::default(),
    };
    (Data::new(api), token)
}

#[actix_web::test]
async fn a_call_that_panics_twice_is_refunded_once() {
    let (api, token) = api().await;
    let Endpoint { operation, .. } = ENDPOINTS.into_iter().find(|endpoint| endpoint.operation.cost == 1).unwrap();
    let mut left = Vec::new();
    for panics in 0..3 {
        let request = TestRequest::post()
            .insert_header(("Authorization", format!("Bearer {}", token.reveal())))
            .insert_header(("Content-Type", "application/json"));
        let (request, mut payload) = request.set_payload("{}").to_http_parts();
        let payload = Payload::from_request(&request, &mut payload).await.unwrap();
        let context = RequestContext::begin(request, Data::clone(&api), CallTerms::new(0, operation));
        let call = Call::admit(&context, payload).await;
        assert!(call.is_ok());
        for _ in 0..panics {
            let response = after_panic(&context, "a test");
            assert_eq!(response.code, ResultCode::InternalError);
            assert!(response.caller.is_some());
        }
        left.push(api.admission.standing(context.caller.get().unwrap()).left.unwrap());
    }
    // The first call did not panic; the others are free.
    assert_eq!(left, [999, 999, 999]);
}
