//! Attempts to send mails, and what the operator is told.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{MailOutcome, Mails};
use kuraka_ports::contract::samples::{NOW, email};
use kuraka_ports::fake::{ManualClock, MemoryStore};
use kuraka_ports::{MailError, MailKind, NewMail};

fn mails() -> (Mails, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::at(NOW));
    let store = Arc::new(MemoryStore::new());
    let mails = Mails {
        outbox: store.clone(),
        accounts: store.clone(),
        codes: store,
        clock: clock.clone(),
        random: |_| Ok(()),
    };
    (mails, clock)
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
