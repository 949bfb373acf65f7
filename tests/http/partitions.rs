//! A server cut off from the shared store answers until its leased queries are used, then reports the outage, and
//! recovers with the network. No account exceeds its plan.

use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval};

use crate::app::{App, Owner, eventually, scene};
use crate::cable::{Cable, Network};
use crate::crowd::crowd;
use crate::postgres::database;
use crate::reliability::{figure, number};

const PLAN: u64 = 20_000;
const BLOCK: u64 = PLAN / 100;

/// How long a call may wait for a store that does not respond: for a connection and for a statement.
const STORE_PATIENCE: Duration = Duration::from_millis(1_000 + 2_200 + 500);
/// How long the recovery may take.
const RECOVERY: Duration = Duration::from_secs(2);

/// A server behind a relay, and another that is never cut off.
struct Pair {
    cut_off: App,
    other: App,
    cable: Cable,
    owner: Owner,
}

async fn pair(plan: u64) -> Pair {
    let address = database().await;
    let (cable, by_way) = Cable::to_database(&address).await;
    let scene = || scene().plan(plan, 1_000_000, 1_000_000);
    let other = scene().set("store.url", &address).start().await;
    let cut_off = scene().set("store.url", &by_way).with_editions_of(&other).start().await;
    let owner = other.owner().await;
    Pair { cut_off, other, cable, owner }
}

/// Asks until the answer is not a record. Returns the number of records, the code, and the longest duration of a call.
async fn ask_until_refused(app: &App, owner: &Owner) -> (u64, String, Duration) {
    let mut wire = app.connect().await;
    let request = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
    let (mut found, mut longest) = (0, Duration::ZERO);
    loop {
        let began = Instant::now();
        let answer = wire.ask(&request).await;
        longest = longest.max(began.elapsed());
        if answer.status != 200 {
            return (found, answer.code(), longest);
        }
        found += 1;
    }
}

/// How long it takes until the server returns a record again.
async fn until_found(app: &App, owner: &Owner) -> Duration {
    let began = Instant::now();
    let mut wire = app.connect().await;
    let request = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
    while wire.ask(&request).await.status != 200 {
        assert!(began.elapsed() < RECOVERY * 5, "it does not recover");
    }
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_partitioned_server_uses_its_lease_then_fails_and_recovers() {
    for network in [Network::Cut, Network::Silent] {
        let Pair { cut_off, other, cable, owner } = pair(PLAN).await;
        cut_off.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
        cable.does(network);
        let (found, code, longest) = ask_until_refused(&cut_off, &owner).await;
        assert_eq!((found, code.as_str()), (BLOCK - 1, "service_unavailable"), "{network:?}");
        assert!(longest <= STORE_PATIENCE, "{network:?}: {longest:?}");
        // Many callers wait no longer than one does.
        let mut callers = JoinSet::new();
        for _ in 0..100 {
            let mut wire = cut_off.connect().await;
            let request = cut_off.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
            callers.spawn(async move {
                let began = Instant::now();
                wire.ask(&request).await.refused("service_unavailable");
                began.elapsed()
            });
        }
        let crowded = callers.join_all().await.into_iter().max().unwrap();
        assert!(crowded <= STORE_PATIENCE, "{network:?}: {crowded:?}");
        // The other server is not affected.
        let told = crowd(std::slice::from_ref(&other), &owner, 10, 200).await;
        assert_eq!((told.found, told.refused), (200, 0));

        cable.does(Network::Whole);
        let recovered = until_found(&cut_off, &owner).await;
        assert!(recovered <= RECOVERY, "{network:?}: {recovered:?}");
        let answered = 1 + (BLOCK - 1) + 200 + 1;
        // A lease whose answer the outage took counts as used: a block at most, and a query for each later caller.
        let used = answered..=answered + BLOCK + 101;
        eventually("idle blocks are back", async || used.contains(&other.used(&owner).await).then_some(())).await;
        let tried = format!("one of two servers cut off from PostgreSQL (network {network:?}), 101 callers");
        let measured = format!(
            "{} more answered, then service_unavailable after {longest:.1?}, crowd {crowded:.1?}, back after {recovered:.1?}",
            BLOCK - 1
        );
        figure("Q5, C12", &tried, &measured);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_lease_survives_an_outage_and_is_returned() {
    let Pair { cut_off, other, cable, owner } = pair(PLAN).await;
    cut_off.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    cable.does(Network::Cut);
    // Longer than a block may idle and than the server needs to notice the outage. No call fails in this time.
    let mut answered = 1;
    let mut beat = interval(Duration::from_millis(1_500));
    for _ in 0..3 {
        beat.tick().await;
        cut_off.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
        answered += 1;
    }
    cable.does(Network::Whole);
    eventually("the block is back", async || (other.used(&owner).await == answered).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lease_with_a_lost_answer_counts_as_used() {
    for (plan, block) in [(1_000, 1), (PLAN, BLOCK)] {
        let Pair { cut_off, other, cable, owner } = pair(plan).await;
        let rounds = number("LOST_ANSWERS", 2);
        let (mut answered, mut lost_at_most) = (0, 0);
        for _ in 0..rounds {
            // The result of the server's last lease, for one query, is unknown. It holds that query if the lease succeeded
            // after its caller was refused; the next call then takes no other.
            let before = other.used(&owner).await;
            cut_off.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
            answered += 1;
            eventually("the idle block is back", async || (other.used(&owner).await <= before + 1).then_some(())).await;
            cable.does(Network::LosesAnswers);
            let mut refused = 0;
            while refused < 3 {
                let answer = cut_off.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
                // From a lease of the round before that succeeded late.
                if answer.status == 200 {
                    answered += 1;
                    continue;
                }
                answer.refused("service_unavailable");
                refused += 1;
            }
            // The first may have been a whole block; each later one risks one query.
            lost_at_most += block + 2;
            cable.does(Network::Whole);
            until_found(&cut_off, &owner).await;
            answered += 1;
        }
        let used = other.used(&owner).await;
        assert!((answered..=answered + lost_at_most).contains(&used), "{answered} answered, {used} used");
        let tried = format!("{} leases whose answer is lost on the way, a plan of {plan}", rounds * 3);
        let measured = format!("{answered} answered <= {used} used <= {}", answered + lost_at_most);
        figure("C13", &tried, &measured);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unstable_network_never_exceeds_the_plan() {
    const CLIENTS: usize = 8;
    let plan = number("UNSTABLE_QUERIES", 400);
    let Pair { cut_off, other, cable, owner } = pair(plan).await;
    let mut callers = JoinSet::new();
    for client in 0..CLIENTS {
        let app = if client % 2 == 0 { &cut_off } else { &other };
        let request = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
        let mut wire = app.connect().await;
        callers.spawn(async move {
            let mut found = 0;
            loop {
                let answer = wire.ask(&request).await;
                match answer.code().as_str() {
                    "found" => found += 1,
                    "service_unavailable" => {}
                    code => return (found, code.to_owned()),
                }
            }
        });
    }
    let mut networks = [Network::Cut, Network::Whole, Network::LosesAnswers, Network::Whole].into_iter().cycle();
    let mut answered = 0_u64;
    let mut beat = interval(Duration::from_millis(70));
    loop {
        tokio::select! {
            // When the clients of the other server have ended, the plan is used up. The rest need the network to learn it.
            _ = beat.tick() => cable.does(match callers.len() > CLIENTS / 2 {
                true => networks.next().unwrap(),
                false => Network::Whole,
            }),
            ended = callers.join_next() => match ended {
                Some(ended) => {
                    let (found, code) = ended.unwrap();
                    assert_eq!(code, "quota_exceeded");
                    answered += found;
                }
                None => break,
            },
        }
    }
    let used = other.used(&owner).await;
    assert_eq!(used, plan);
    // Every cut loses at most one lease for each client of that server.
    assert!((plan / 2..=plan).contains(&answered), "{answered}");
    figure(
        "Q5",
        &format!("a network that is cut or loses answers 14 times a second, a plan of {plan} used up on two servers"),
        &format!("{answered} answered, {} leases lost, 0 beyond the plan", plan - answered),
    );
}
