//! A whole server in the fuzzer's process, with the sample and one account, and a client that keeps its connection.

use std::cell::RefCell;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use config::Environment;
use kuraka_adapters::clock::SystemClock;
use kuraka_app::{ApiToken, calendar};
use kuraka_domain::EditionOrigin;
use kuraka_ports::{Accounts, Clock, Email, NewToken, PlanName, Tokens};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Import, NoProgress, SourceFile, import};
use kuraka_sandbox::sample;
use kuraka_server::application::Application;
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
use kuraka_server::settings::{Settings, Values};
use serde_json::Value;
use tokio::runtime::Runtime;

/// The longest time that any answer may take, with the sanitizer and without a source to ask.
const MAX_TIME: Duration = Duration::from_secs(2);

/// The server's address and the token of its account.
pub struct Served {
    pub token: String,
    api: SocketAddr,
    _runtime: Runtime,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

pub static SERVED: LazyLock<Served> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap().keep();
    let padron = folder.join("padron.txt");
    std::fs::write(&padron, sample::PADRON).unwrap();
    let today = calendar::today(SystemClock::start().now());
    let request = Import { origin: EditionOrigin::Sample, ..Import::new(SourceFile::local(padron), today) };
    import(&folder.join("data/registry"), &PADRON, &request, &NoProgress).unwrap();
    let file = folder.join("kuraka.toml");
    let text = format!(
        "data_dir = {:?}\nhttp.bind = \"127.0.0.1:0\"\nhttp.workers = 1\nadmin.bind = \"127.0.0.1:0\"\n\
         http.trusted_proxies = \"127.0.0.1\"\ndatasets.enabled = \"padron\"\n\
         datasets.update_every = \"off\"\nofficial.url = \"\"\n\
         [plans.free]\nqueries = 1000000000\nrate = 1000000\nburst = 1000000\n",
        folder.join("data")
    );
    std::fs::write(&file, text).unwrap();
    let nothing = Environment::with_prefix("KURAKA").source(Some(Default::default()));
    let settings = Settings::read(&Values::load_with(Some(file), nothing, &[]).unwrap()).unwrap();
    rustls::crypto::ring::default_provider().install_default().unwrap();
    let runtime = Runtime::new().unwrap();
    let (api, token) = runtime.block_on(async {
        let store = settings.store.open().await.unwrap();
        let now = SystemClock::start().now();
        let email = Email::parse("fuzz@kuraka.example").unwrap();
        let account = Accounts::create(&*store, &email, &PlanName::parse("free").unwrap(), None, now).await.unwrap();
        let key = store.token_key().await.unwrap();
        let token = ApiToken::generate(kuraka_ports::TokenKind::Live, &key, getrandom::fill).unwrap();
        let new = NewToken {
            account: account.id,
            name: "fuzz".to_owned(),
            digest: token.digest(),
            prefix: token.prefix().to_owned(),
            created: now,
            expires: None,
            allowed: Vec::new(),
        };
        Tokens::create(&*store, &new).await.unwrap();
        let (changing, start): (_, StartTestData) =
            (sample::DESCRIBED.parse().unwrap(), Arc::new(|| Box::pin(async { Err("no test data".into()) })));
        let application = Application::build(settings, TestData { changing, start }).await.unwrap();
        let api = application.api_address;
        tokio::spawn(application.run_until(std::future::pending()));
        (api, token.reveal().to_owned())
    });
    Served { token, api, _runtime: runtime }
});

thread_local! {
    static CONNECTION: RefCell<Option<TcpStream>> = const { RefCell::new(None) };
}

/// Sends a request with `Content-Length` and reads its answer. `head` has no empty line at its end.
pub fn ask(head: &[u8], body: &[u8]) -> Answer {
    let kept = CONNECTION.with_borrow_mut(Option::take);
    let mut stream = kept.unwrap_or_else(|| {
        let stream = TcpStream::connect(SERVED.api).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    });
    let length = format!("Content-Length: {}\r\n\r\n", body.len());
    let began = Instant::now();
    stream.write_all(&[head, length.as_bytes(), body].concat()).unwrap();
    let mut bytes = Vec::new();
    let mut buffer = [0; 8_192];
    let answer = loop {
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "the connection is closed within an answer: {:?}", String::from_utf8_lossy(&bytes));
        bytes.extend_from_slice(&buffer[..read]);
        if let Some(answer) = whole(&bytes) {
            break answer;
        }
    };
    let took = began.elapsed();
    assert!(took <= MAX_TIME, "{took:?}");
    if answer.header("connection").is_none() && answer.status != 400 {
        CONNECTION.set(Some(stream));
    }
    answer
}

fn whole(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut answer = Answer { status: head[9..12].parse().unwrap(), head, body: String::new() };
    let length: usize = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
    let body = bytes.get(end + 4..end + 4 + length)?;
    answer.body = String::from_utf8(body.to_vec()).unwrap();
    Some(answer)
}

impl Answer {
    /// A header that occurs at most once.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        let mut values = lines.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        let first = values.next();
        assert_eq!(values.next(), None, "{name} comes twice: {}", self.head);
        first
    }

    /// Checks the envelope and returns the code and the data or message.
    pub fn envelope(&self) -> (String, Value) {
        let envelope: Value = serde_json::from_str(&self.body).unwrap();
        let code = envelope["code"].as_str().unwrap().to_owned();
        let status = match code.as_str() {
            "found" => 200,
            "invalid_input" => 400,
            "unauthenticated" => 401,
            "forbidden" => 403,
            "document_not_found" | "route_not_found" => 404,
            "method_not_allowed" => 405,
            "payload_too_large" => 413,
            "unsupported_media_type" => 415,
            "rate_limited" | "quota_exceeded" => 429,
            "upstream_unavailable" | "service_unavailable" => 503,
            other => panic!("{other}: {}", self.body),
        };
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(envelope["success"], Value::Bool(code == "found"));
        let field = if code == "found" { "data" } else { "message" };
        (code, envelope[field].clone())
    }
}
