//! Lists of 37 RUCs from many clients against one plan, while servers are killed: never more than the plan, and each list
//! is answered whole or not at all.

use std::net::SocketAddr;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use kuraka_sandbox::sample;

use super::http::{Client, request};
use super::postgres::database;
use super::program::{DEADLINE, Home};
use super::reliability::{figure, number};

const CLIENTS: usize = 100;
const PLAN: u64 = 10_000;
const ITEMS: u64 = 37;
/// Queries of the largest block of the plan.
const BLOCK: u64 = PLAN / 100;

/// The servers' addresses, and a signal that one has changed.
type Servers = (Mutex<Vec<SocketAddr>>, Condvar);

/// What a client was told.
enum Told {
    List,
    PlanUsedUp,
}

/// Sends lists to one of the servers until the plan is used up. A call that a kill interrupts is made again.
fn call((servers, changed): &Servers, client: usize, token: &str, told: &Sender<Told>) {
    let rucs = vec![sample::COMPANY; ITEMS as usize].join("\",\"");
    let body = format!("{{\"rucs\":[\"{rucs}\"]}}");
    let request = request("/ruc-multiple", token, "Accept: text/csv\r\n", &body);
    let server = |servers: &Vec<SocketAddr>| servers[client % servers.len()];
    loop {
        let api = server(&servers.lock().unwrap());
        let mut connection = Client::with_request(api, request.clone());
        while let Ok(answer) = connection.answer() {
            match answer.status {
                200 => {
                    let found = answer.body.lines().filter(|line| line.contains(",found,")).count() as u64;
                    assert_eq!(found, ITEMS, "{}", answer.body);
                    told.send(Told::List).unwrap();
                }
                429 => {
                    assert!(answer.body.contains("quota_exceeded"), "{}", answer.body);
                    return told.send(Told::PlanUsedUp).unwrap();
                }
                // A lease that waited too long for its turn.
                status => assert_eq!(status, 503, "{}", answer.body),
            }
        }
        // The server was killed, and its successor has another address.
        let is_same = |servers: &mut Vec<SocketAddr>| server(servers) == api;
        drop(changed.wait_timeout_while(servers.lock().unwrap(), DEADLINE, is_same).unwrap());
    }
}

/// Runs the clients against so many servers, and kills one of them after the other.
async fn kill_under_lists(home: Home, count: usize) {
    let home = home.plan(PLAN, 1_000_000);
    home.import(sample::PADRON);
    let token = home.token("ana@example.pe");
    let mut serving: Vec<_> = (0..count).map(|_| home.serve()).collect();
    let servers: Servers = (Mutex::new(serving.iter().map(|server| server.api).collect()), Condvar::new());
    let servers = Arc::new(servers);
    let (sender, told) = channel();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let (servers, token, sender) = (Arc::clone(&servers), token.clone(), sender.clone());
            thread::spawn(move || call(&servers, client, &token, &sender))
        })
        .collect();
    drop(sender);
    let (mut answered, mut kills, mut is_used_up) = (0, 0, false);
    // `make reliability` sets a higher number.
    let most = number("BATCH_KILLS", 4);
    for told in told {
        match told {
            Told::List => answered += 1,
            Told::PlanUsedUp => is_used_up = true,
        }
        if kills < most && !is_used_up && answered >= 10 * (kills + 1) {
            let place = kills as usize % count;
            serving.remove(place).kill();
            serving.insert(place, home.serve());
            servers.0.lock().unwrap()[place] = serving[place].api;
            servers.1.notify_all();
            kills += 1;
        }
    }
    clients.into_iter().for_each(|client| client.join().unwrap());
    for server in serving {
        server.stop();
    }
    let used = home.used("ana@example.pe").await;
    let tried = format!("{CLIENTS} clients, lists of {ITEMS}, a plan of {PLAN}, {count} servers, {kills} kills");
    figure("Q18", &tried, &format!("{answered} lists = {} answered <= {used} used <= {PLAN}", answered * ITEMS));
    assert!(answered * ITEMS <= used && used <= PLAN, "{answered} lists answered, {used} used");
    // A kill loses the block, and the lists of the server that were charged and not answered.
    let lost_at_most = (kills + count as u64) * (BLOCK + CLIENTS.div_ceil(count) as u64 * ITEMS);
    assert!(kills > 0 && PLAN - answered * ITEMS <= lost_at_most, "{answered} lists, {kills} kills");
}

#[tokio::test]
async fn lists_to_a_killed_server_never_exceed_the_plan() {
    kill_under_lists(Home::new(), 1).await;
}

#[tokio::test]
async fn lists_to_three_servers_of_which_some_are_killed_never_exceed_the_plan() {
    kill_under_lists(Home::new().store(&database().await), 3).await;
}
