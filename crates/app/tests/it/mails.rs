//! Attempts to send mails, and what the operator is told.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{MailOutcome, Mails};
use kuraka_domain::{DatasetRole, Date};
use kuraka_ports::contract::samples::{NOW, email};
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{
    Accounts, AttemptOutcome, DatasetAttempt, DatasetState, DatasetStatus, Datasets, Edition, EditionOrigin,
    ExchangeRateRecord, MailError, MailKind, NewMail, StoreErrorKind, UsageLedger,
};

use crate::fixture::{TestApp, delete_old_rows, plan};
use crate::quota::NOVEMBER;

fn mails() -> (Mails, Arc<ManualClock>) {
    let (mails, clock, _) = mails_in_store();
    (mails, clock)
}

fn mails_in_store() -> (Mails, Arc<ManualClock>, Arc<MemoryStore>) {
    let clock = Arc::new(ManualClock::at(NOW));
    let store = Arc::new(MemoryStore::new());
    let mails = Mails {
        outbox: store.clone(),
        accounts: store.clone(),
        codes: store.clone(),
        clock: clock.clone(),
        random: |_| Ok(()),
    };
    (mails, clock, store)
}

async fn add(mails: &Mails) {
    let mail = NewMail { kind: MailKind::Test, account: None, to: email(1), about: String::new(), key: None };
    mails.outbox.add_mail(&mail, mails.clock.now()).await.unwrap();
}

const fn failure(is_final: bool) -> impl Fn() -> Result<(), MailError> {
    move || Err(MailError { is_final, cause: "451".into() })
}

#[tokio::test]
async fn a_mail_is_attempted_for_two_days_with_growing_waits() {
    let (mails, clock) = mails();
    add(&mails).await;
    let mut mail = mails.lease().await.unwrap().expect("a mail that is due");
    let mut waits = Vec::new();
    while mails.settle(&mail, &failure(false)()).await.unwrap() == MailOutcome::Retried {
        let mut minutes = 0;
        mail = loop {
            clock.advance(Duration::from_secs(60));
            minutes += 1;
            if let Some(next) = mails.lease().await.unwrap() {
                break next;
            }
        };
        waits.push(minutes);
    }
    let waited: u64 = waits.iter().sum();
    assert_eq!(waits[..10], [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]);
    assert!((44 * 60..=48 * 60).contains(&waited), "{waited} min");
    clock.advance(Duration::from_secs(24 * 3_600));
    assert_eq!(mails.lease().await.unwrap(), None);
}

#[tokio::test]
async fn a_mail_that_is_sent_or_refused_for_good_is_not_attempted_again() {
    let (mails, clock) = mails();
    for (result, outcome) in [(Ok(()), MailOutcome::Sent), (failure(true)(), MailOutcome::GivenUp)] {
        add(&mails).await;
        let mail = mails.lease().await.unwrap().expect("a mail that is due");
        assert_eq!(mails.settle(&mail, &result).await.unwrap(), outcome);
        clock.advance(Duration::from_secs(3_600));
        assert_eq!(mails.lease().await.unwrap(), None);
    }
}

/// Of a killed server.
#[tokio::test]
async fn a_mail_whose_attempt_has_no_end_is_attempted_again_after_two_minutes() {
    let (mails, clock) = mails();
    add(&mails).await;
    let first = mails.lease().await.unwrap().expect("a mail that is due");
    clock.advance(Duration::from_secs(119));
    assert_eq!(mails.lease().await.unwrap(), None);
    clock.advance(Duration::from_secs(1));
    assert_eq!(mails.lease().await.unwrap().map(|mail| mail.id), Some(first.id));
}

/// The server is killed, or loses its store, before the sign-up is in the store.
#[tokio::test]
async fn a_sign_up_that_was_interrupted_keeps_its_password() {
    let (mails, clock, store) = mails_in_store();
    let sign_up = async |hash| {
        let about = format!("{hash}\nfree\n192.0.2.1");
        let mail = NewMail { kind: MailKind::SignUp, account: None, to: email(1), about, key: None };
        mails.outbox.add_mail(&mail, mails.clock.now()).await.unwrap();
    };
    sign_up("one").await;
    let first = mails.lease().await.unwrap().unwrap();
    mails.prepare(&first).await.unwrap();
    mails.settle(&first, &Ok(())).await.unwrap();
    clock.advance(Duration::from_secs(1));
    sign_up("two").await;
    let interrupted = mails.lease().await.unwrap().unwrap();
    store.fail(StoreErrorKind::Unavailable);
    mails.prepare(&interrupted).await.unwrap_err();
    store.fail(None);
    clock.advance(Duration::from_secs(120));
    let again = mails.lease().await.unwrap().unwrap();
    assert_eq!((again.id, again.attempts), (interrupted.id, 2));
    assert!(mails.prepare(&again).await.unwrap().is_some_and(|code| !code.is_empty()));
    let account = store.find(&email(1)).await.unwrap().unwrap();
    assert_eq!(store.password_hash(account.id).await.unwrap().as_deref(), Some("two"));
}

#[tokio::test]
async fn an_account_that_is_not_confirmed_is_deleted_after_72_hours() {
    let (_, clock, store) = mails_in_store();
    let plan = kuraka_ports::contract::samples::plan();
    store.sign_up(&email(1), &plan, "hash", NOW).await.unwrap().unwrap();
    clock.advance(Duration::from_secs(72 * 3_600));
    delete_old_rows(&store, &clock).await;
    assert!(store.find(&email(1)).await.unwrap().is_some());
    clock.advance(Duration::from_secs(1));
    delete_old_rows(&store, &clock).await;
    assert_eq!(store.find(&email(1)).await.unwrap(), None);
}

/// One dataset whose last update failed for good.
struct Failing {
    cause: &'static str,
    force_helps: bool,
    is_served: bool,
}

impl Datasets for Failing {
    fn statuses(&self) -> Vec<DatasetStatus> {
        let Self { cause, force_helps, is_served } = *self;
        let outcome = AttemptOutcome::Failed {
            cause: cause.to_owned(),
            reason: "No.".to_owned(),
            needs_operator: true,
            force_helps,
        };
        let (label, date) = ("2026-11-19".into(), Date::parse("2026-11-19").unwrap());
        let edition = Edition { label, digest: None, date, origin: EditionOrigin::Published, rows: 1 };
        vec![DatasetStatus {
            name: "padron",
            role: DatasetRole::Summary,
            title: "",
            attribution: "",
            is_required: true,
            when_absent: "",
            when_too_old: "",
            state: DatasetState::Loaded,
            edition: is_served.then(|| Arc::new(edition)),
            lacks_history: false,
            next_update: None,
            age_days: None,
            max_age_days: None,
            is_too_old: false,
            last_attempt: Some(DatasetAttempt { at: NOW, outcome }),
            progress: None,
        }]
    }

    fn exchange_rates(&self) -> Option<Arc<ExchangeRateRecord>> {
        None
    }
}

#[tokio::test]
async fn the_operator_is_told_of_each_cause_of_a_failed_update_once() {
    let (mails, _) = mails();
    let told = async |cause, force_helps, is_served| {
        mails.tell_operator(&email(1), &Failing { cause, force_helps, is_served }, &[]).await.unwrap();
        let mail = mails.lease().await.unwrap()?;
        mails.settle(&mail, &Ok(())).await.unwrap();
        Some(mail.about)
    };
    let first = told("the file is refused: 2 rows", true, true).await;
    assert_eq!(first.as_deref(), Some("padron\n2026-11-19\n--force\nNo. the file is refused: 2 rows"));
    assert_eq!(told("the file is refused: 2 rows", true, true).await, None);
    let again = "the publisher still serves the file that was refused before: the file is refused: 2 rows";
    assert_eq!(told(again, true, true).await, None);
    let other = told("the file is refused: no header", false, true).await;
    assert_eq!(other.as_deref(), Some("padron\n2026-11-19\n\nNo. the file is refused: no header"));
    let unserved = told("the file is refused: no header", false, false).await;
    assert_eq!(unserved.as_deref(), Some("padron\n\n\nNo. the file is refused: no header"));
}

#[tokio::test]
async fn refunded_queries_are_not_used_up() {
    let plans = [plan("free", 10, 10, 10)];
    let app = TestApp::with(&plans).await;
    app.store.lease(app.account.id, NOVEMBER, 10, 9).await.unwrap();
    let store = app.store.clone();
    let (outbox, accounts, codes) = (store.clone(), store.clone(), store);
    let mails = Mails { outbox, accounts, codes, clock: app.clock.clone(), random: |_| Ok(()) };
    let told = async || {
        mails.tell_of_quotas(&plans.iter().cloned().collect(), &app.meters, false).await.unwrap();
        let mut told = Vec::new();
        while let Some(mail) = mails.lease().await.unwrap() {
            mails.settle(&mail, &Ok(())).await.unwrap();
            told.push(mail.about);
        }
        told
    };
    let call = app.admit(app.caller().await.unwrap()).await.unwrap();
    call.refund();
    assert_eq!(told().await, ["80\n10\n2026-11"], "the ledger has 10, and one came back");
    assert_eq!(told().await, [""; 0]);
    app.admit(app.caller().await.unwrap()).await.unwrap();
    assert_eq!(told().await, ["100\n10\n2026-11"]);
    assert_eq!(told().await, [""; 0]);
}
