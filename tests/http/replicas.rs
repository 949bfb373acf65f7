//! Several servers on one PostgreSQL behave as one: plan, revocations, rates and months.

use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::clock::SystemClock;
use kuraka_app::calendar;
use kuraka_ports::{AccountStatus, Clock, Period, PlanName};
use kuraka_sandbox::sample;
use sqlx::{AssertSqlSafe, Executor};
use tokio::time::{Instant, interval};

use crate::answer::Answer;
use crate::app::{App, Owner, Scene, eventually, now, scene};
use crate::crowd::crowd;
use crate::load::{is_alone, slack};
use crate::postgres::{database, shell};
use crate::reliability::figure;

/// Starts this many equal servers on one new database, each with its own folder.
pub(crate) async fn servers(count: usize, scene: impl Fn() -> Scene) -> Vec<App> {
    let address = database().await;
    let mut servers = vec![scene().set("store.url", &address).start().await];
    while servers.len() < count {
        servers.push(scene().set("store.url", &address).with_editions_of(&servers[0]).start().await);
    }
    servers
}

fn counts() -> &'static [usize] {
    if is_alone() { &[1, 3, 5] } else { &[3] }
}

/// Makes one call to one server.
async fn ask(app: &App, owner: &Owner) -> Answer {
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_servers_together_grant_exactly_the_plan() {
    for &count in counts() {
        let servers = servers(count, || scene().plan(1_000, 1_000_000, 1_000_000)).await;
        let owner = servers[0].owner().await;
        let told = crowd(&servers, &owner, 200, 3_000).await;
        assert_eq!((told.found, told.refused), (1_000, 2_000), "{count} servers");
        assert_eq!(servers[0].used(&owner).await, 1_000);
        let tried = format!("200 clients, a plan of 1,000, 3,000 calls to {count} servers");
        figure("Q1", &tried, "1,000 answered, 2,000 refused");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queries_leased_by_idle_servers_are_used_by_another() {
    const PLAN: u64 = 20_000;
    const LEFT: u64 = 600;
    for &count in counts().iter().filter(|count| **count > 1) {
        let servers = servers(count, || scene().plan(PLAN, 1_000_000, 1_000_000)).await;
        let owner = servers[0].owner().await;
        // The queries that other servers have used this month.
        let before = servers[0].store.lease(owner.account, calendar::period(now()), PLAN, PLAN - LEFT).await.unwrap();
        assert_eq!(before.granted, PLAN - LEFT);
        // Each server leases a block and stays idle, except the first, which goes on until the quota is exceeded.
        for server in &servers[1..] {
            ask(server, &owner).await.found();
        }
        let mut found = count as u64 - 1;
        found += crowd(&servers[..1], &owner, 20, LEFT as usize).await.found;
        let refused = Instant::now();
        let mut wire = servers[0].connect().await;
        let request = servers[0].post("/ruc").token(&owner.token).ruc(sample::COMPANY);
        let held = LEFT - found;
        while found < LEFT {
            assert!(refused.elapsed() < Duration::from_secs(5), "{found} of {LEFT}");
            found += u64::from(wire.ask(&request).await.status == 200);
        }
        let waited = refused.elapsed();
        assert!(waited <= Duration::from_secs(2), "{waited:?}");
        let told = crowd(&servers, &owner, 10, 100).await;
        assert_eq!((told.found, told.refused), (0, 100));
        assert_eq!(servers[0].used(&owner).await, PLAN);
        let tried = format!("{held} queries that {} idle servers hold, used by another", count - 1);
        figure("Q1", &tried, &format!("exactly the plan, {waited:.1?} after the first refusal"));
    }
}

/// Waits until every server answers a call with this code, and returns how long that took.
async fn until_all_say(servers: &[App], owner: &Owner, code: &str) -> Duration {
    let changed = Instant::now();
    // The servers' own work shares the cores with this test.
    let mut pauses = interval(Duration::from_millis(5));
    for server in servers {
        let mut wire = server.connect().await;
        let request = server.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
        while wire.ask(&request).await.code() != code {
            assert!(changed.elapsed() < Duration::from_secs(5), "no {code}");
            pauses.tick().await;
        }
    }
    changed.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_change_applies_on_all_servers_within_a_second() {
    let rounds = if is_alone() { 8 } else { 2 };
    let servers = servers(3, || scene().another_plan("none", 0)).await;
    let store = &servers[0].store;
    let plan = |name| PlanName::parse(name).unwrap();
    let mut worst = Duration::ZERO;
    for _ in 0..rounds {
        let owner = servers[0].owner().await;
        let mut all_say = async |code| worst = worst.max(until_all_say(&servers, &owner, code).await);
        all_say("found").await;
        store.set_plan(owner.account, &plan("none")).await.unwrap();
        all_say("quota_exceeded").await;
        store.set_plan(owner.account, &plan("free")).await.unwrap();
        all_say("found").await;
        store.set_status(owner.account, AccountStatus::Suspended).await.unwrap();
        all_say("forbidden").await;
        store.set_status(owner.account, AccountStatus::Active).await.unwrap();
        all_say("found").await;
        assert!(store.revoke(None, owner.token_id, now()).await.unwrap());
        all_say("unauthenticated").await;
    }
    assert!(worst <= Duration::from_secs(1) + slack(), "{worst:?}");
    let tried = format!("{} changes of plan, status and token under calls to 3 servers", rounds * 5);
    figure("Q9", &tried, &format!("in force on all after {worst:.0?} at the latest"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_servers_together_admit_the_plans_rate() {
    const RATE: u64 = 60;
    const SECONDS: u64 = 3;
    for &count in counts() {
        let servers = servers(count, || scene().plan(1_000_000, RATE, RATE)).await;
        let owner = servers[0].owner().await;
        for server in &servers {
            eventually("the server has heard of all the others", async || {
                let answer = ask(server, &owner).await;
                let left = answer.must("ratelimit").split_once(";r=").unwrap().1.split_once(';').unwrap().0;
                (left.parse::<u64>().unwrap() < RATE / count as u64).then_some(())
            })
            .await;
        }
        let mut wires = Vec::new();
        for server in &servers {
            wires.push((server.connect().await, server.post("/ruc").token(&owner.token).ruc(sample::COMPANY)));
        }
        let (began, mut admitted, mut beat) = (Instant::now(), 0_u32, interval(Duration::from_millis(5)));
        while began.elapsed() < Duration::from_secs(SECONDS) {
            beat.tick().await;
            for (wire, request) in &mut wires {
                let answer = wire.ask(request).await;
                match answer.status {
                    200 => admitted += 1,
                    _ => drop(answer.refused("rate_limited")),
                }
            }
        }
        let allowed = RATE as f64 * (1.0 + began.elapsed().as_secs_f64());
        assert!(f64::from(admitted) <= allowed, "{admitted} of {allowed}");
        assert!(f64::from(admitted) >= allowed * 0.6, "{admitted} of {allowed}");
        let tried =
            format!("{RATE}/s with a burst of {RATE}, {SECONDS} s of calls every 5 ms to each of {count} servers");
        figure("Q11", &tried, &format!("{admitted} admitted, {allowed:.0} allowed"));
    }
}

/// The clock of a machine that is wrong by this many seconds.
struct WrongBy(SystemClock, i64);

impl Clock for WrongBy {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(self.0.now().as_microsecond() + self.1 * 1_000_000).unwrap()
    }

    fn monotonic(&self) -> Duration {
        self.0.monotonic()
    }
}

/// Makes the database's clock show this time. The first call is for connections that are opened later.
async fn set_database_clock(address: &str, shows: &str) {
    let ahead = shows.parse::<Timestamp>().unwrap().as_second() - now().as_second();
    let mut shell = shell(address).await;
    // New connections find this function before PostgreSQL's own.
    let statements = format!(
        "CREATE TABLE IF NOT EXISTS public.clock AS SELECT 0 AS ahead;
         UPDATE public.clock SET ahead = {ahead};
         CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
             'SELECT pg_catalog.clock_timestamp() + ahead * INTERVAL ''1 second'' FROM public.clock';
         DO $$ BEGIN
             EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
         END $$"
    );
    shell.execute(AssertSqlSafe(statements)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_month_begins_by_the_databases_clock() {
    const PLAN: u64 = 120;
    let address = database().await;
    // December begins in Lima at 05:00 UTC.
    set_database_clock(&address, "2026-12-01T04:50:00Z").await;
    let mut servers: Vec<App> = Vec::new();
    for wrong_by in [-300, 0, 300] {
        let machine = WrongBy(SystemClock::start(), wrong_by);
        let scene = scene().plan(PLAN, 1_000_000, 1_000_000).set("store.url", &address).clock(machine);
        let scene = match servers.first() {
            Some(first) => scene.with_editions_of(first),
            None => scene,
        };
        servers.push(scene.start().await);
    }
    let owner = servers[0].owner().await;
    let store = &servers[0].store;
    let used = async || {
        let [november, december] = [11, 12].map(|month| Period { year: 2026, month });
        let [november, december] = [november, december].map(|month| store.used(owner.account, month));
        (november.await.unwrap(), december.await.unwrap())
    };
    let november = crowd(&servers, &owner, 30, 360).await.found;
    assert_eq!((november, used().await), (PLAN, (PLAN, 0)), "before the boundary");
    set_database_clock(&address, "2026-12-01T04:59:59Z").await;
    // Calls go on after the boundary until December's plan is used up too.
    let began = Instant::now();
    let mut december = 0;
    while december < PLAN {
        assert!(began.elapsed() < Duration::from_secs(20), "{december}");
        december += crowd(&servers, &owner, 30, 60).await.found;
    }
    december += crowd(&servers, &owner, 30, 120).await.found;
    assert_eq!((december, used().await), (PLAN, (PLAN, PLAN)), "after it");
    let tried = "3 servers whose clocks differ by 10 minutes, calls over the end of a month in Lima";
    figure("Q8", tried, &format!("{PLAN} of {PLAN} answered in each month"));
}

/// How many statements a server sends to PostgreSQL while it serves this many calls, and how long it runs.
async fn statements(plan: u64, calls: usize, at_least: Duration) -> (i64, Duration) {
    let address = database().await;
    let mut shell = shell(&address).await;
    let mut app = scene().plan(plan, 1_000_000, 1_000_000).set("store.url", &address).start().await;
    let owner = app.owner().await;
    let began = Instant::now();
    let told = crowd(std::slice::from_ref(&app), &owner, 10, calls).await;
    assert_eq!(told.found, calls as u64);
    tokio::time::timeout(at_least.saturating_sub(began.elapsed()), std::future::pending::<()>()).await.unwrap_err();
    let lived = began.elapsed();
    // PostgreSQL updates its statistics when a connection closes.
    app.stop().await;
    drop(app);
    let count = eventually("the server's connections are gone", async || {
        let mut other = crate::postgres::shell(&address).await;
        let left: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'kuraka' AND datname = current_database()",
        )
        .fetch_one(&mut other)
        .await
        .unwrap();
        (left == 0).then_some(())
    });
    count.await;
    let done: i64 = sqlx::query_scalar("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")
        .fetch_one(&mut shell)
        .await
        .unwrap();
    (done, lived)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_plan_needs_one_statement_per_lease() {
    const FEW: usize = 500;
    // The server's own transactions are subtracted only roughly: some tens may remain.
    let plans: &[(u64, usize, f64)] = if is_alone() {
        &[(1_000_000, 4_500, 15.0), (9_999, 2_500, 1_050.0)]
    } else {
        &[(1_000_000, 2_500, 35.0), (9_999, 900, 1_250.0)]
    };
    for &(plan, calls, most) in plans {
        let (many, lived) = statements(plan, calls, Duration::from_secs(2)).await;
        // A run of the same length with fewer calls: the difference is the cost of the calls.
        let (few, _) = statements(plan, FEW, lived).await;
        let each_thousand = (many - few) as f64 * 1_000.0 / (calls - FEW) as f64;
        assert!(each_thousand <= most, "{each_thousand} transactions per 1,000 calls of a plan of {plan}");
        let tried = format!("transactions in PostgreSQL per 1,000 calls, a plan of {plan}");
        figure("Q17", &tried, &format!("{:.1}", each_thousand.max(0.0)));
    }
}
