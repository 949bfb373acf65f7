//! Starts that fail, and starts with a damaged registry.

use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixDatagram;
use std::sync::mpsc::channel;
use std::thread;

use kuraka_sandbox::sample;
use tokio::net::TcpSocket;

use super::balancer::carry;
use super::files::next_day;
use super::http::{get, lookup};
use super::postgres::database;
use super::program::{DEADLINE, Home, eventually, free_addresses};

/// The error line of a start that fails.
fn refusal(home: &Home) -> String {
    let done = home.run(&["serve"]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(1), ""), "{done:?}");
    // A line of the log may come later.
    let error = done.stderr.lines().rev().find_map(|line| line.strip_prefix("error: "));
    error.unwrap_or_else(|| panic!("{done:?}")).to_owned()
}

#[test]
fn a_port_in_use_is_reported_with_its_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for (variable, key) in [("KURAKA__HTTP__BIND", "http.bind"), ("KURAKA__ADMIN__BIND", "admin.bind")] {
        let line = refusal(&Home::new().with(variable, &address));
        assert!(line.starts_with(&format!("cannot listen on {address}: ")) && line.contains("in use"), "{line}");
        assert!(line.ends_with(&format!("; set {key} to another address")), "{line}");
    }
}

#[test]
fn a_second_server_on_the_same_data_folder_is_refused() {
    let home = Home::new();
    let first = home.serve();
    let line = refusal(&home);
    assert!(line.starts_with("another server already serves "), "{line}");
    assert!(line.contains(home.path("data").to_str().unwrap()), "{line}");
    assert_eq!(get(first.admin, "/healthz").status, 200);
    first.stop();
    home.serve().stop();
}

#[test]
fn an_unusable_edition_is_skipped_and_a_server_without_another_is_not_ready() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let (first, second) = (home.import(sample::PADRON), home.import(&next_day()));
    std::fs::write(home.edition("padron", &second), b"").unwrap();
    let serving = home.serve();
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert_eq!((answer.status, answer.header("x-registry-edition")), (200, Some(&*first)));
    assert_eq!(get(serving.admin, "/readyz").status, 200);
    let log = serving.stop();
    let skipped = log.iter().find(|line| line.contains("an edition was skipped")).unwrap();
    assert!(skipped.contains(&second) && skipped.contains("\"ERROR\""), "{skipped}");

    std::fs::write(home.edition("padron", &first), b"").unwrap();
    let serving = home.serve();
    let ready = get(serving.admin, "/readyz");
    assert!(ready.status == 503 && ready.body.contains("\"unusable\""), "{ready:?}");
    let answer = lookup(serving.api, &token, sample::COMPANY).unwrap();
    assert!(answer.status == 503 && answer.body.contains("upstream_unavailable"), "{answer:?}");
}

#[test]
fn piped_logs_have_no_colour() {
    for format in ["text", "json"] {
        let log = Home::new().with("KURAKA__LOG__FORMAT", format).with("KURAKA__LOG__LEVEL", "debug");
        let mut serving = log.start(&["serve"]);
        serving.log("listening");
        let logged = serving.stop();
        assert!(!logged.iter().any(|line| line.contains('\u{1b}')), "{format}: {logged:?}");
    }
}

/// An address that refuses connections until the returned listener listens.
fn closed() -> (SocketAddr, TcpSocket) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    (socket.local_addr().unwrap(), socket)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_postgresql_is_alive_and_waits() {
    let database = database().await;
    let (there, name) = database.rsplit_once('@').unwrap().1.split_once('/').unwrap();
    let (address, socket) = closed();
    let [api, admin] = free_addresses();
    let home = Home::new()
        .with("KURAKA__HTTP__BIND", &api.to_string())
        .with("KURAKA__ADMIN__BIND", &admin.to_string())
        .with("KURAKA__DATASETS__ENABLED", "padron")
        .with("KURAKA__STORE__URL", &database.replace(&format!("{there}/{name}"), &format!("{address}/{name}")))
        .with("NOTIFY_SOCKET", "notify")
        .with("WATCHDOG_USEC", "100000");
    let (systemd, (sender, told)) = (UnixDatagram::bind(home.path("notify")).unwrap(), channel());
    thread::spawn(move || {
        let mut buffer = [0; 64];
        while let Ok(read) = systemd.recv(&mut buffer) {
            let _ = sender.send(String::from_utf8_lossy(&buffer[..read]).into_owned());
        }
    });
    let told = |state: &str| while told.recv_timeout(DEADLINE).unwrap() != state {};
    let waits = "the server waits for its store";

    // SIGTERM ends a server that waits.
    let mut serving = home.start(&["serve"]);
    assert!(serving.log(waits).contains("refused"));
    serving.stop();

    let mut serving = home.start(&["serve"]);
    serving.log(waits);
    told("READY=1");
    told("WATCHDOG=1");
    assert_eq!(get(admin, "/healthz").status, 200);
    let ready = get(admin, "/readyz");
    assert!(ready.status == 503 && ready.body.contains("\"store\":\"not opened yet\""), "{ready:?}");
    assert!(get(admin, "/metrics").body.contains("\nkuraka_ready 0\n"));

    let listener = socket.listen(16).unwrap();
    let there: SocketAddr = there.parse().unwrap();
    tokio::spawn(async move {
        while let Ok((near, _)) = listener.accept().await {
            tokio::spawn(carry(near, there));
        }
    });
    serving.log("\"listening\"");
    let is_open = || get(admin, "/readyz").body.contains("\"store\":\"reachable\"").then_some(());
    eventually("the store is open", is_open).await;
    let log = serving.stop();
    assert_eq!(log.iter().filter(|line| line.contains(waits)).count(), 1, "{log:?}");
    told("STOPPING=1");
}

#[tokio::test]
async fn a_server_that_postgresql_refuses_does_not_wait() {
    let database = database().await;
    let line = refusal(&Home::new().store(&format!("{database}_that_does_not_exist")));
    assert!(line.contains("does not exist"), "{line}");
}

#[test]
fn a_healthcheck_asks_the_running_server() {
    let home = Home::new()
        .with("KURAKA__DATASETS__UPDATE_EVERY", "24h")
        .with("KURAKA__DATASETS__BUILDER_URL", "http://127.0.0.1:9");
    let serving = home.serve();
    let address = serving.admin.to_string();
    let check = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env("KURAKA__ADMIN__BIND", &address).status().unwrap().code()
    };
    assert_eq!(check(&["healthcheck"]), Some(0));
    assert_eq!(check(&["healthcheck", "--ready"]), Some(1), "the server has no padrón yet");
    serving.stop();
    assert_eq!(check(&["healthcheck"]), Some(1));
}
