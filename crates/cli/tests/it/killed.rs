//! `kill -9` under load: the ledger has every answered query, and at most the leased and unfinished ones besides.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use kuraka_sandbox::sample;

use super::http::{lookup, lookup_request};
use super::postgres::database;
use super::program::{DEADLINE, Home};
use super::reliability::{figure, number};

/// Clients per plan.
const CLIENTS: u64 = 4;
/// Name, queries and block of the plans: one leases single queries, one leases a thousand at a time.
const PLANS: [(&str, u64, u64); 2] = [("small", 9_999, 1), ("large", 100_000, 1_000)];

/// Calls until the server is killed or the plan is used up, and sends the plan for each record.
fn call_until_killed(api: SocketAddr, plan: usize, token: &str, answers: &Sender<usize>) -> Option<()> {
    let request = lookup_request(token, sample::COMPANY, "");
    let mut stream = TcpStream::connect(api).ok()?;
    stream.set_read_timeout(Some(DEADLINE)).ok()?;
    let mut buffer = [0; 4_096];
    loop {
        stream.write_all(request.as_bytes()).ok()?;
        let mut read = 0;
        // The answer ends with the record.
        while !buffer[..read].ends_with(b"}") {
            match stream.read(&mut buffer[read..]).ok()? {
                0 => return None,
                more => read += more,
            }
        }
        // A long run uses up the plan.
        if buffer.starts_with(b"HTTP/1.1 429 ") {
            return None;
        }
        // A disk that needs a second for a lease: not charged.
        if buffer.starts_with(b"HTTP/1.1 503 ") {
            continue;
        }
        assert!(buffer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&buffer[..read]));
        answers.send(plan).ok()?;
    }
}

/// Kills a server under load repeatedly. `beside` other servers on the same store keep running.
async fn kill_repeatedly(mut home: Home, beside: usize) {
    for (name, queries, _) in PLANS {
        home = home.named_plan(&name.to_uppercase(), queries, 1_000_000);
    }
    home.import(sample::PADRON);
    let email = |name: &str| format!("{name}@example.pe");
    let tokens = PLANS.map(|(name, _, _)| {
        home.run(&["account", "create", "--email", &email(name), "--plan", name]).succeeded();
        home.run(&["token", "create", "--email", &email(name), "--name", "t"]).succeeded().trim_end().to_owned()
    });

    // `make reliability` sets a higher number.
    let kills = number("KILLS", 10);
    let others: Vec<_> = (0..beside).map(|_| home.serve()).collect();
    let mut answered = [0_u64; PLANS.len()];
    for round in 1..=kills {
        let serving = home.serve();
        let (sender, answers) = channel();
        let callers: Vec<_> = (0..PLANS.len() as u64 * CLIENTS)
            .map(|client| {
                let plan = client as usize % PLANS.len();
                let (api, token, sender) = (serving.api, tokens[plan].clone(), sender.clone());
                thread::spawn(move || call_until_killed(api, plan, &token, &sender))
            })
            .collect();
        drop(sender);
        for other in &others {
            for (plan, token) in tokens.iter().enumerate() {
                answered[plan] += u64::from(lookup(other.api, token, sample::COMPANY).unwrap().status == 200);
            }
        }
        // Each round kills the server after another number of answers.
        for plan in answers.iter().take((round * 37 % 101) as usize + 1) {
            answered[plan] += 1;
        }
        serving.kill();
        for caller in callers {
            let _gone = caller.join().unwrap();
        }
        answers.iter().for_each(|plan| answered[plan] += 1);
    }
    for other in others {
        other.stop();
    }
    for ((name, queries, block), answered) in PLANS.into_iter().zip(answered) {
        let used = home.used(&email(name)).await;
        let lost_at_most = kills * (block + CLIENTS);
        let tried = format!("a server killed under load {kills} times, {beside} beside it, plan {name}");
        figure("Q2, Q4", &tried, &format!("{answered} answered <= {used} used <= {}", answered + lost_at_most));
        assert!((answered..=answered + lost_at_most).contains(&used), "{name}: {answered} answered, {used} used");
        assert!(used <= queries, "{name}");
    }
}

#[tokio::test]
async fn a_killed_server_loses_no_charge_and_at_most_its_leases() {
    kill_repeatedly(Home::new(), 0).await;
}

#[tokio::test]
async fn one_killed_server_of_three_loses_no_charge_on_postgresql() {
    kill_repeatedly(Home::new().store(&database().await), 2).await;
}
