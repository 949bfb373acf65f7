//! The only server is replaced under load, as an upgrade does it, behind nginx with the configuration of the
//! documentation. A call is answered, or refused with the time after which to try again.

use std::time::Duration;

use super::http::Answer;
use super::load::Load;
use super::nginx::Nginx;
use super::program::{Home, eventually, free_addresses};
use super::reliability::{figure, number};

const CLIENTS: usize = 4;
/// How long a client waits between calls, much less than a refused one is told to.
const PAUSE: Duration = Duration::from_millis(10);
const EMAIL: &str = "ana@example.pe";

fn is_refused(answer: &Answer) -> bool {
    answer.status == 503 && answer.header("retry-after").is_some() && answer.body.contains("\"retryable\":true")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replaced_server_answers_or_refuses_every_call_with_retry_after() {
    let upgrades = number("UPGRADES", 1);
    let [api, admin] = free_addresses().map(|address| address.to_string());
    let home = Home::new().plan(1_000_000, 1_000_000).with("KURAKA__HTTP__TRUSTED_PROXIES", "127.0.0.1");
    let home = home.with("KURAKA__HTTP__BIND", &api).with("KURAKA__ADMIN__BIND", &admin);
    let (mut serving, token) = home.serve_sample(EMAIL);
    let nginx = Nginx::start(serving.api);
    let load = Load::start(CLIENTS, nginx.address, &token, PAUSE, is_refused);
    let more_answers = async || {
        let before = load.answered();
        eventually("answers", || (load.answered() > before + 100).then_some(())).await;
    };
    more_answers().await;
    for _ in 0..upgrades {
        serving.stop();
        // The first command of the new program migrates the store.
        home.run(&["store", "migrate"]).succeeded();
        serving = home.serve();
        more_answers().await;
    }
    let (answered, refused) = load.end();
    assert!(refused > 0, "the server was replaced under load");
    serving.stop();
    assert_eq!(home.used(EMAIL).await, answered, "a refused call is not charged");
    let tried = format!("{upgrades} upgrades of the only server behind nginx");
    figure("L15", &tried, &format!("{answered} calls answered, {refused} refused with Retry-After, 0 failed"));
}
