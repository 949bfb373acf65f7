//! `kuraka mcp`: answers an agent over standard input and output, one message a line, with what a server's `/mcp` answers.
//! Without a server to call, one is started in this process, for this process alone, on the published files: it has no
//! source, no credential and a store that ends with it.

use std::env;
use std::fs;
use std::io;
use std::net::Ipv4Addr;
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{self, Path, PathBuf};
use std::time::Duration;

use kuraka_adapters::http::{ClientLimits, client};
use kuraka_adapters::store::StoreAddress;
use kuraka_app::Plan;
use kuraka_domain::Envelope;
use kuraka_ports::PlanName;
use kuraka_server::application::Application;
use kuraka_server::logs;
use kuraka_server::settings::{Log, LogFormat, Settings};
use kuraka_server::stop_signal;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::lookup::NO_EDITION;
use super::runtime::{Failure, block_on};
use super::{simulated, token};
use crate::console;

/// Longer than a server takes for a voucher.
const LIMITS: ClientLimits =
    ClientLimits { connect: Duration::from_secs(5), read: Duration::from_secs(40), total: Duration::from_secs(40) };
const USER_AGENT: &str = concat!("kuraka-mcp/", env!("CARGO_PKG_VERSION"));
const EMAIL: &str = "mcp@kuraka.example";
const PLAN: &str = "mcp";
const MANY: u64 = 1_000_000;
/// The code of an error between this process and the server.
const NOT_ANSWERED: i32 = -32000;

struct Server {
    url: String,
    token: String,
}

pub(crate) fn run(data_dir: Option<PathBuf>, file: Option<&Path>) -> Result<(), Failure> {
    logs::start(&Log { level: "error".to_owned(), format: LogFormat::Text });
    let variable = |name| {
        let text = env::var_os(name).and_then(|text| text.into_string().ok());
        text.filter(|text| !text.is_empty())
    };
    if let (Some(url), None) = (variable("KURAKA_URL"), &data_dir) {
        let token = variable("KURAKA_TOKEN").ok_or("KURAKA_TOKEN is missing: set it to a token of that server")?;
        let server = Server { url, token };
        return block_on(async { spawn_blocking(move || answer_all(&server)).await? });
    }
    let mut settings = Settings::load(file)?;
    settings.data_dir = data_dir.unwrap_or(settings.data_dir);
    let mut random = [0; 8];
    getrandom::fill(&mut random)?;
    let folder = env::temp_dir().join(format!("kuraka-mcp-{:016x}", u64::from_ne_bytes(random)));
    fs::DirBuilder::new().mode(0o700).create(&folder)?;
    let served = prepare(&mut settings, &folder).and_then(|()| block_on(serve(settings)));
    fs::remove_dir_all(&folder)?;
    served
}

/// Leaves only the published files, and a store in `folder`.
fn prepare(settings: &mut Settings, folder: &Path) -> Result<(), Failure> {
    let datasets = path::absolute(settings.datasets_dir())?;
    if !datasets.is_dir() {
        return Err(NO_EDITION.into());
    }
    settings.data_dir = folder.to_owned();
    symlink(datasets, settings.datasets_dir())?;
    settings.store = StoreAddress::Sqlite(folder.join("kuraka.db"));
    (settings.official, settings.vouchers) = (None, None);
    settings.providers.clear();
    settings.compat.providers.clear();
    (settings.webhooks.enabled, settings.datasets.all.update_every) = (false, None);
    // The editions are another server's to keep in order.
    settings.datasets.is_swept = false;
    settings.sign_up = None;
    settings.plans = [Plan::new(PlanName::parse(PLAN)?, MANY, MANY, MANY)?].into_iter().collect();
    settings.admin_bind = (Ipv4Addr::LOCALHOST, 0).into();
    settings.http.bind = settings.admin_bind;
    (settings.http.public_url, settings.http.workers) = (None, Some(1));
    settings.http.stop_delay = Duration::ZERO;
    Ok(())
}

async fn serve(settings: Settings) -> Result<(), Failure> {
    let stop = stop_signal()?;
    let store = settings.store.open().await?;
    let token = token::of_email(&store, EMAIL, PLAN, PLAN).await?;
    store.close().await;
    let test_data = simulated::test_data(&settings.data_dir)?;
    let application = Application::build(settings, test_data).await?;
    let server = Server { url: format!("http://{}", application.api_address), token: token.reveal().to_owned() };
    let mut answered = Ok(());
    let ended = async {
        tokio::select! {
            ended = spawn_blocking(move || answer_all(&server)) => answered = ended.unwrap_or_else(|panic| Err(panic.into())),
            () = stop => {}
        }
    };
    application.run_until(ended).await?;
    answered
}

/// Answers every line until the input ends.
fn answer_all(server: &Server) -> Result<(), Failure> {
    let client = client(USER_AGENT, LIMITS)?;
    let url = format!("{}/mcp", server.url.trim_end_matches('/'));
    for line in io::stdin().lines() {
        let line = line?;
        let message: Value = serde_json::from_str(&line).unwrap_or_default();
        let mut request = client.post(&url).bearer_auth(&server.token).header("Content-Type", "application/json");
        // What a client of HTTP repeats in headers.
        let fields = [
            ("MCP-Protocol-Version", "/params/_meta/io.modelcontextprotocol~1protocolVersion"),
            ("Mcp-Method", "/method"),
            ("Mcp-Name", "/params/name"),
        ];
        for (header, pointer) in fields {
            if let Some(value) = message.pointer(pointer).and_then(Value::as_str) {
                request = request.header(header, value);
            }
        }
        let answer = Handle::current().block_on(async { request.body(line).send().await?.text().await });
        let id = message.get("id");
        match answer {
            Ok(text) if text.is_empty() || id.is_none() && message.is_object() => {}
            Ok(text) if text.contains("\"jsonrpc\"") => console::line(&text),
            Ok(text) => console::line(&failed(id, refusal(&text))),
            Err(error) => console::line(&failed(id, logs::chain(&error.without_url()))),
        }
    }
    Ok(())
}

/// The message of an answer about the token or the address, which is no message of the protocol.
fn refusal(text: &str) -> String {
    match serde_json::from_str::<Envelope<Value>>(text) {
        Ok(Envelope::Failed { message, .. }) => message.into_owned(),
        Ok(Envelope::Found { .. }) | Err(_) => "KURAKA_URL is not the address of a Kuraka with /mcp".to_owned(),
    }
}

fn failed(id: Option<&Value>, message: String) -> String {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": NOT_ANSWERED, "message": message}}).to_string()
}
