//! Readers of large pages that hardly read. `RELIABILITY_SLOW_READERS` sets the seconds for which 50 of them do.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{interval, timeout};

use super::browser::form_token;
use super::program::{DEADLINE, Home};
use super::reliability::{figure, number, setting};

const PASSWORD: &str = "una frase larga y propia";
/// Accounts that one address may create in an hour.
const PER_ADDRESS: u8 = 5;
const TICK: Duration = Duration::from_millis(100);
/// KiB by which the readers may increase the server's memory.
const MAX_GROWN_KIB: u64 = 64 << 10;

/// A connection that the kernel buffers little for.
async fn connect(to: SocketAddr, from: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, from), 0).into()).unwrap();
    socket.connect(to).await.unwrap()
}

/// Sends a request that closes its connection, and reads the whole answer.
async fn ask(to: SocketAddr, from: u8, request: &[u8]) -> String {
    let mut stream = connect(to, from).await;
    stream.write_all(request).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

fn head(method: &str, path: &str, to: SocketAddr, cookies: &str) -> String {
    let line = format!("{method} {path} HTTP/1.1\r\nHost: {to}\r\nOrigin: http://{to}\r\nConnection: close\r\n");
    if cookies.is_empty() { line } else { format!("{line}Cookie: {cookies}\r\n") }
}

fn cookies(answer: &str) -> String {
    let set = answer.lines().filter_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next());
    set.collect::<Vec<_>>().join("; ")
}

/// Signs up, keeps a list of this many columns whose names take the most bytes, and returns the request for its page.
async fn page_of_new_account(to: SocketAddr, from: u8, email: &str, columns: usize) -> Vec<u8> {
    let page = ask(to, from, (head("GET", "/registro", to, "") + "\r\n").as_bytes()).await;
    let form =
        format!("form_token={}&email={email}&password={}", form_token(&page).unwrap(), PASSWORD.replace(' ', "+"));
    let length = format!("Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n", form.len());
    let request = head("POST", "/registro", to, &cookies(&page)) + &length + &form;
    let signed_up = ask(to, from, request.as_bytes()).await;
    assert!(signed_up.starts_with("HTTP/1.1 303"), "{signed_up}");
    let session = cookies(&signed_up);
    let page = ask(to, from, (head("GET", "/panel/lista", to, &session) + "\r\n").as_bytes()).await;
    let cell = ",".to_owned() + &"<".repeat(90);
    let list =
        format!("RUC{}\n{}", cell.repeat(columns), ("20100119227".to_owned() + &cell.repeat(columns) + "\n").repeat(9));
    let part = |name: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"");
    let body = part("form_token")
        + "\r\n\r\n"
        + form_token(&page).unwrap()
        + "\r\n"
        + &part("file")
        + "; filename=\"a.csv\"\r\n\r\n"
        + &list
        + "\r\n--x--\r\n";
    let length = format!("Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {}\r\n\r\n", body.len());
    let kept = ask(to, from, (head("POST", "/panel/lista", to, &session) + &length + &body).as_bytes()).await;
    let path = kept.lines().find_map(|line| line.strip_prefix("location: ")).unwrap_or_else(|| panic!("{kept}"));
    (head("GET", path, to, &session) + "\r\n").into_bytes()
}

#[tokio::test]
async fn slow_readers_of_large_pages_take_bounded_memory() {
    let (seconds, is_long) = (number("SLOW_READERS", 1), setting("SLOW_READERS").is_some());
    let (accounts, readers) = if is_long { (25, 50) } else { (2, 10) };
    let home = Home::new();
    let serving = home.serve();
    let mut pages = Vec::new();
    for number in 0..accounts {
        let from = 2 + number / PER_ADDRESS;
        pages.push(page_of_new_account(serving.api, from, &format!("a{number}@example.pe"), 200).await);
    }
    let whole = ask(serving.api, 2, &pages[0]).await;
    assert!(whole.starts_with("HTTP/1.1 200") && whole.len() > 500_000, "{} bytes", whole.len());
    let before = serving.resident_kib();
    let (mut open, mut answered, mut buffer) = (Vec::new(), 0, [0; 1_024]);
    for number in 0..readers {
        let mut stream = connect(serving.api, 2).await;
        stream.write_all(&pages[number % pages.len()]).await.unwrap();
        let read = timeout(DEADLINE, stream.read(&mut buffer)).await.unwrap().unwrap_or_default();
        answered += usize::from(buffer[..read].starts_with(b"HTTP/1.1 200"));
        open.push(stream);
    }
    let (mut most, mut beat) = (serving.resident_kib(), interval(TICK));
    for _ in 0..seconds * 10 {
        beat.tick().await;
        for stream in &mut open {
            let _ = timeout(Duration::from_millis(1), stream.read(&mut buffer)).await;
        }
        most = most.max(serving.resident_kib());
    }
    assert!(most <= before + MAX_GROWN_KIB, "{before} KiB before, {most} KiB with {answered} of {readers} readers");
    assert_eq!(answered, 8.min(2 * accounts as usize), "as many as there are places");
    figure(
        "S27",
        &format!("{readers} readers of pages of {} KiB, of {accounts} accounts, for {seconds} s", whole.len() >> 10),
        &format!("{before} KiB before, {most} KiB at most; {answered} were answered"),
    );
    drop(open);
    serving.stop();
}
