//! Servers that are killed between a cause and its mail, and between a change and its line of the audit log.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::Duration;

use kuraka_adapters::datasets::FolderFeed;
use kuraka_adapters::store::Store;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::{AccountId, Accounts, ChangeFeed, DigestRhythm, Email, NewDigest, PlanName, StoredValue};
use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use sqlx::{Connection, SqliteConnection};
use tokio::task;

use super::browser::{Owner, submit};
use super::http::lookup;
use super::killed_deliveries::watch;
use super::mailbox::Mailbox;
use super::program::{Home, Serving, eventually};
use super::reliability::{figure, number};
use super::webhooks::ANA;

fn home(mailbox: &Mailbox) -> Home {
    Home::new()
        .with("KURAKA__MAIL__SERVER", &format!("smtp://{}", mailbox.address))
        .with("KURAKA__MAIL__FROM", "kuraka@example.pe")
        .with("KURAKA__HTTP__PUBLIC_URL", "https://api.example.pe")
}

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
    let home = home(&mailbox);
    home.import(sample::PADRON);
    home.token(ANA);
    let (store, account) = watch(&home).await;
    let cursor = FolderFeed::new(&home.data("registry"), &[&PADRON]).newest().await.unwrap().to_string();
    let (rhythm, code) = (DigestRhythm::Immediate, "0123456789abcdef0123456789abcdef");
    store.set_digest(&NewDigest { account, rhythm, code, cursor: &cursor, now: NOW, due: NOW }).await.unwrap();
    store.close().await;

    // `make reliability` sets a higher number.
    let kills = number("DIGEST_KILLS", 2) as u32;
    for round in 0..kills {
        let condition = if round % 2 == 0 { "NO HABIDO" } else { "HABIDO" };
        let serving = home.serve();
        home.import(&sample::changed_padron(condition, 1_240));
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

/// What accounts of one round are told by mail, as far as the server answered.
#[derive(Default)]
struct Answered {
    /// The addresses whose owner asked for a new password.
    resets: Vec<String>,
    /// The address of the account that used its last query.
    used_up: Vec<String>,
    /// Changes in the panel.
    changes: u64,
}

/// Asks for new passwords, changes an account in the panel and by commands, and uses a plan up, until the server is
/// killed.
fn until_killed(home: &Home, serving: Serving, session: &str, round: u64, token: &str, kill: Duration) -> Answered {
    let owner = Owner { api: serving.api, session: session.to_owned() };
    let mut answered = Answered::default();
    thread::scope(|scope| {
        let resets = scope.spawn(|| {
            let asks = |email: &String| {
                let fields = format!("email={}", email.replace('@', "%40"));
                submit(owner.api, "/clave", &fields).is_ok_and(|answer| answer.body.contains("Revise su correo"))
            };
            owners(round).filter(asks).collect::<Vec<_>>()
        });
        let changes = scope.spawn(|| {
            let rhythms = ["daily", "immediate", "off"].iter().cycle().take(50);
            let change = |rhythm: &&str| owner.try_post("/panel/seguimiento/correo", &format!("cuando={rhythm}"));
            rhythms.map_while(|rhythm| change(rhythm).ok()).filter(|answer| answer.status == 200).count() as u64
        });
        let used_up = scope.spawn(|| {
            let calls = (0..QUERIES).map_while(|_| lookup(owner.api, token, sample::COMPANY).ok());
            calls.filter(|answer| answer.status == 200).count() as u64 == QUERIES
        });
        // They are not killed.
        scope.spawn(|| {
            let id = (round + 1).to_string();
            home.run(&["token", "revoke", "--id", &id]).succeeded();
            let email = owners(round).next().unwrap();
            home.run(&["account", "set-plan", "--email", &email, "--plan", "otro"]).succeeded();
        });
        serving.kill_after(kill);
        answered.resets = resets.join().unwrap();
        answered.changes = changes.join().unwrap();
        answered.used_up.extend(used_up.join().unwrap().then(|| quota(round)));
    });
    answered
}

const QUERIES: u64 = 10;

/// Who asks for a new password.
fn owners(round: u64) -> impl Iterator<Item = String> {
    (0..4).map(move |number| format!("clave{round}.{number}@example.pe"))
}

fn quota(round: u64) -> String {
    format!("plan{round}@example.pe")
}

/// How often each mail to this address was taken, of those with this ASCII text in the subject.
fn taken(mailbox: &Mailbox, to: &str, subject: &str) -> Vec<usize> {
    let mut times = BTreeMap::<_, usize>::new();
    for mail in mailbox.mails().iter().filter(|mail| mail.to == to) {
        if mail.header("Subject").unwrap().contains(subject) {
            *times.entry(mail.header("Message-ID").unwrap().to_owned()).or_default() += 1;
        }
    }
    times.into_values().collect()
}

/// Compares an account with its lines. Returns the number of lines, and of those with this action.
async fn lines(store: &dyn Store, id: AccountId, counted: &str) -> Option<(u64, u64)> {
    let data = store.stored_data(id).await.unwrap();
    let rows = |table: &str| {
        let (_, rows) = data.iter().find(|(name, _)| *name == table).unwrap();
        rows.iter().map(|row| row.iter().cloned().collect::<BTreeMap<_, _>>()).collect::<Vec<_>>()
    };
    let text = |value: &StoredValue| match value {
        StoredValue::Integer(number) => number.map(|number| number.to_string()),
        StoredValue::Text(text) => text.clone(),
        StoredValue::Bytes(_) => None,
    };
    let accounts = rows("account");
    let account = accounts.first()?;
    let lines: Vec<_> =
        rows("audit").iter().map(|line| ["action", "object", "value_after"].map(|name| text(&line[name]))).collect();
    let of = |action: &str| lines.iter().filter(|[known, ..]| known.as_deref() == Some(action)).collect::<Vec<_>>();
    let objects = |action| of(action).into_iter().map(|[_, object, _]| object.clone().unwrap()).collect::<Vec<_>>();
    let tokens = |is_listed: &dyn Fn(&StoredValue) -> bool| {
        let listed = rows("token").into_iter().filter(|token| is_listed(&token["revoked"]));
        listed.map(|token| format!("token {}", text(&token["id"]).unwrap())).collect::<Vec<_>>()
    };
    assert_eq!(objects("token.create"), tokens(&|_| true));
    assert_eq!(objects("token.revoke"), tokens(&|revoked| *revoked != StoredValue::Integer(None)));
    let plans = [of("account.create"), of("account.set_plan")].concat();
    assert_eq!(plans.last().unwrap()[2], text(&account["plan"]));
    let rhythm = rows("digest").first().and_then(|digest| text(&digest["rhythm"]));
    assert_eq!(of("account.set_digest").last().and_then(|line| line[2].clone()), rhythm);
    Some((lines.len() as u64, of(counted).len() as u64))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_loses_no_mail_and_leaves_no_change_without_its_line() {
    let mailbox = Mailbox::start();
    let home = home(&mailbox).plan(QUERIES, 1_000_000).named_plan("OTRO", 1_000, 1_000);
    // The cookies of https have other names.
    let home = home.with("KURAKA__HTTP__PUBLIC_URL", "http://api.example.pe");
    home.import(sample::PADRON);
    home.token(ANA);
    home.set_password(ANA);
    let file = home.data("kuraka.db");
    let store = home.store_address().open().await.unwrap();
    let mut stranger = SqliteConnection::connect(file.to_str().unwrap()).await.unwrap();
    let mut session = None;

    // `make reliability` sets a higher number.
    let kills = number("MAIL_KILLS", 3);
    let mut answered = Vec::new();
    for round in 0..kills {
        let plan = PlanName::parse("free").unwrap();
        for email in owners(round) {
            Accounts::create(&*store, &Email::parse(&email).unwrap(), &plan, None, NOW).await.unwrap();
        }
        let token = home.token(&quota(round));
        let serving = home.serve();
        let session = session.get_or_insert_with(|| Owner::log_in(serving.api, ANA).session);
        let kill = Duration::from_millis(round * 613 % 2_500);
        answered.push(task::block_in_place(|| until_killed(&home, serving, session, round, &token, kill)));
        // As if two minutes had passed, after which a killed server's mail is attempted again.
        sqlx::query("UPDATE mail SET due = 0 WHERE due IS NOT NULL").execute(&mut stranger).await.unwrap();
    }
    let serving = home.serve();
    let resets: Vec<_> = answered.iter().flat_map(|answered| &answered.resets).collect();
    let used_up: Vec<_> = answered.iter().flat_map(|answered| &answered.used_up).collect();
    eventually("every mail is sent", || {
        let is_sent = |to: &&String, subject| !taken(&mailbox, to, subject).is_empty();
        let are_sent = resets.iter().all(|to| is_sent(to, "")) && used_up.iter().all(|to| is_sent(to, "agotaron"));
        are_sent.then_some(())
    })
    .await;
    serving.stop();
    let mails = mailbox.mails();
    let ids: BTreeSet<_> = mails.iter().map(|mail| mail.header("Message-ID").unwrap()).collect();
    let repeated = mails.len() - ids.len();
    assert!(repeated <= kills as usize, "{repeated} repeated");
    for (to, subject) in resets.iter().map(|to| (to, "")).chain(used_up.iter().map(|to| (to, "agotaron"))) {
        assert_eq!(taken(&mailbox, to, subject).len(), 1, "{to}");
    }
    let (mut all, mut changes, mut id) = (0, 0, 1);
    while let Some((lines, changed)) = lines(&*store, AccountId(id), "account.set_digest").await {
        (all, changes, id) = (all + lines, changes + changed, id + 1);
    }
    let changed: u64 = answered.iter().map(|answered| answered.changes).sum();
    // The first after a kill may set what was set before it.
    assert!(changes + kills >= changed, "{changes} lines of {changed} changes");
    let what = format!("{kills} servers killed while mails are sent and accounts change");
    let resets = format!("{} new passwords and {} used-up plans mailed", resets.len(), used_up.len());
    figure(
        "S30, S31",
        &what,
        &format!("{resets}, {repeated} of {} mails repeated, {changed} changes answered, {all} lines", ids.len()),
    );
}
