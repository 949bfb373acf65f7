//! The job that sends mails, and what it tells the operator about sources.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_adapters::layers::{Breaker, CallResult, Jitter, Observer};
use kuraka_app::{AccountMeters, Mails, Plans};
use kuraka_ports::contract::samples::{NOW, email};
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{
    AccountId, LeasedMail, MailError, MailKind, MailMessage, MailSender, NewMail, Outbox, Period, PlanName,
    ReachedQuota, SourceErrorKind, StoreError, StoreErrorKind,
};
use kuraka_server::background::{Job, SendMails};
use kuraka_server::metrics::Metrics;
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::test_api::NoStatuses;

/// A store that takes no new mails while it is full.
struct Full(Arc<MemoryStore>, AtomicBool);

#[async_trait]
impl Outbox for Full {
    async fn add_mail(&self, mail: &NewMail, now: Timestamp) -> Result<(), StoreError> {
        if self.1.load(Ordering::Relaxed) {
            return Err(StoreError::new(StoreErrorKind::Unwritable));
        }
        self.0.add_mail(mail, now).await
    }

    async fn reached_quotas(&self, plans: &[(PlanName, u64)], period: Period) -> Result<Vec<ReachedQuota>, StoreError> {
        self.0.reached_quotas(plans, period).await
    }

    async fn add_quota_mail(
        &self,
        mail: &NewMail,
        account: AccountId,
        period: Period,
        told: (u8, u64),
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.0.add_quota_mail(mail, account, period, told, now).await
    }

    async fn lease_mail(&self, now: Timestamp, until: Timestamp) -> Result<Option<LeasedMail>, StoreError> {
        self.0.lease_mail(now, until).await
    }

    async fn settle_mail(&self, mail: &LeasedMail, again: Option<Timestamp>) -> Result<(), StoreError> {
        self.0.settle_mail(mail, again).await
    }

    async fn count_mails(&self) -> Result<[u64; 2], StoreError> {
        unreachable!("the job counts no mails")
    }
}

#[derive(Default)]
struct Sent(Mutex<Vec<String>>);

#[async_trait]
impl MailSender for Sent {
    async fn send(&self, mail: &MailMessage) -> Result<(), MailError> {
        self.0.lock().push(mail.subject.clone());
        Ok(())
    }
}

#[tokio::test]
async fn a_look_that_fails_is_repeated_and_keeps_no_mail_from_being_sent() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(NOW)));
    let outbox = Arc::new(Full(Arc::clone(&store), AtomicBool::new(true)));
    let (sent, metrics) = (Arc::new(Sent::default()), Arc::new(Metrics::new([])));
    let jitter = Arc::new(Jitter::new(|| 0));
    let breaker = Breaker::new("sunat_vouchers", Duration::from_secs(1), clock.clone(), jitter);
    let (_stop, stopping) = watch::channel(false);
    let mut job = SendMails {
        mails: Mails {
            outbox: outbox.clone(),
            accounts: store.clone(),
            codes: store.clone(),
            clock: clock.clone(),
            random: |_| Ok(()),
        },
        sender: sent.clone(),
        public_url: "https://api.kuraka.example".to_owned(),
        contact: None,
        operator: Some(email(1)),
        changes: None,
        plans: Plans::default(),
        meters: Arc::new(AccountMeters::new(store.clone(), clock.clone(), Handle::current())),
        datasets: Arc::new(NoStatuses),
        breakers: vec![Arc::new(breaker)],
        metrics: Arc::clone(&metrics),
        refused: HashMap::new(),
        has_more: false,
        stopping,
    };
    let outcome = CallResult::Failed(SourceErrorKind::Credentials);
    metrics.observe("sunat_vouchers", outcome, Duration::ZERO);
    let test = NewMail { kind: MailKind::Test, account: None, to: email(2), about: String::new(), key: None };
    store.add_mail(&test, NOW).await.unwrap();
    assert!(!job.tick(0).await, "the operator is not told");
    assert_eq!(*sent.0.lock(), ["Correo de prueba"]);
    outbox.1.store(false, Ordering::Relaxed);
    for _ in 0..2 {
        assert!(job.tick(0).await);
    }
    assert_eq!(sent.0.lock()[1..], ["sunat_vouchers: las credenciales fueron rechazadas"]);
}
