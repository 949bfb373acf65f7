//! Servers that are killed between a publication and its mail.

use std::collections::BTreeMap;
use std::time::Duration;

use kuraka_adapters::datasets::FolderFeed;
use kuraka_adapters::store::StoreAddress;
use kuraka_domain::Ruc;
use kuraka_ports::contract::samples::{NOW, watch_limits};
use kuraka_ports::{Accounts, ChangeFeed, DigestRhythm, Email, NewDigest, WatchListId, WatchedRuc};
use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;

use super::killed_deliveries::with_condition;
use super::mailbox::Mailbox;
use super::program::{Home, eventually};
use super::reliability::{figure, number};
use super::webhooks::ANA;

/// The number of changes that mails tell, repetitions of a mail once, and the number of repetitions.
fn told(mailbox: &Mailbox) -> (u32, usize) {
    let mails = mailbox.mails();
    let by_id: BTreeMap<_, u32> = mails
        .iter()
        .map(|mail| {
            let number = mail.header("Subject").unwrap().split(' ').next().unwrap().parse().unwrap();
            (mail.header("Message-ID").unwrap().to_owned(), number)
        })
        .collect();
    (by_id.values().sum(), mails.len() - by_id.len())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_is_mailed_once_although_servers_are_killed() {
    let mailbox = Mailbox::start();
    let home = Home::new()
        .with("KURAKA__MAIL__SERVER", &format!("smtp://{}", mailbox.address))
        .with("KURAKA__MAIL__FROM", "kuraka@example.pe")
        .with("KURAKA__HTTP__PUBLIC_URL", "https://api.example.pe");
    home.import(sample::PADRON);
    home.token(ANA);
    let store = StoreAddress::Sqlite(home.data("kuraka.db")).open().await.unwrap();
    let account = Accounts::find(&*store, &Email::parse(ANA).unwrap()).await.unwrap().unwrap().id;
    let watched = WatchedRuc { ruc: Ruc::parse(sample::DESCRIBED).unwrap(), code: None };
    store.change(WatchListId::live(account), &[watched], &[], watch_limits(1)).await.unwrap().unwrap();
    let cursor = FolderFeed::new(&home.data("registry"), &[&PADRON]).newest().await.unwrap().to_string();
    let (rhythm, code) = (DigestRhythm::Immediate, "0123456789abcdef0123456789abcdef");
    store.set_digest(&NewDigest { account, rhythm, code, cursor: &cursor, now: NOW, due: NOW }).await.unwrap();
    store.close().await;

    // `make reliability` sets a higher number.
    let kills = number("DIGEST_KILLS", 2) as u32;
    for round in 0..kills {
        let condition = if round % 2 == 0 { "NO HABIDO" } else { "HABIDO" };
        let serving = home.serve();
        home.import(&with_condition(condition));
        // Until four seconds later it tells.
        serving.kill_after(Duration::from_millis(u64::from(round) * 613 % 5_000));
    }
    let serving = home.serve();
    eventually("every change is mailed", || (told(&mailbox).0 >= kills).then_some(())).await;
    serving.stop();
    let (changes, repeated) = told(&mailbox);
    assert!(changes == kills && repeated <= kills as usize, "{:?}", mailbox.mails());
    let what = format!("{kills} servers killed between a publication and its mail");
    figure("S33", &what, &format!("{changes} changes mailed, {repeated} mails repeated"));
}
