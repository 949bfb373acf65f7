//! `kuraka demo`: serves a bundled sample with its own account and token, without internet, and writes only to its data
//! folder.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use kuraka_app::PresentedToken;
use kuraka_domain::{EditionOrigin, Ruc};
use kuraka_ports::Tokens;
use kuraka_registry::changes;
use kuraka_registry::dataset::PADRON;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::ISSUER;
use kuraka_server::application::Application;
use kuraka_server::logs;
use kuraka_server::settings::{self, Settings, Values, absolute};
use kuraka_server::stop_signal;

use super::owner;
use super::runtime::{Failure, block_on, today};
use super::{sandbox, simulated, token as tokens};
use crate::console;

/// The demo's account, under a domain reserved for examples.
const EMAIL: &str = "demo@kuraka.example";
/// The file with the demo's token, readable only by its owner.
const TOKEN_FILE: &str = "demo-token";
const NO_DEMO: &str = "no demo has been started in this folder: run kuraka demo first";
/// A company in the sandbox whose page is down.
const PAGE_DOWN: &str = "20999985034";
/// The demo's defaults. The operator's settings override them.
const DEFAULTS: [(&str, &str); 3] =
    [("data_dir", "data/demo"), ("log.level", "warn,audit=off"), ("log.format", "text")];

/// The settings of the demo, and where they come from.
fn load(file: Option<&Path>) -> Result<(Values, Settings), Failure> {
    let values = Values::load_with(file.map(Path::to_owned), settings::environment(), &DEFAULTS)?;
    let settings = Settings::read(&values)?;
    owner::check(&settings)?;
    Ok((values, settings))
}

pub(crate) fn demo(file: Option<&Path>, port: Option<u16>) -> Result<(), Failure> {
    let (values, mut settings) = load(file)?;
    if let Some(port) = port {
        settings.http.bind = (Ipv4Addr::LOCALHOST, port).into();
        settings.admin_bind = (Ipv4Addr::LOCALHOST, 0).into();
    }
    let command = Invocation::new(&values, &settings);
    logs::start_queued(&settings.log)?;
    fs::create_dir_all(&settings.data_dir)?;
    import_sample(&settings, &command)?;
    block_on(async {
        let token = demo_token(&settings).await?;
        let stop = stop_signal()?;
        let upstream = sandbox::start((Ipv4Addr::LOCALHOST, 0).into()).await?;
        let folder = absolute(&settings.data_dir);
        let test_data = simulated::test_data(&settings.data_dir)?;
        let is_default = |key: &str| values.origin(key) == settings::Origin::Default;
        let settings = simulated::with_sandbox(settings, is_default, &upstream)?;
        let application = Application::build(settings, test_data).await?;
        console::line(&welcome(application.api_address, application.admin_address, &token));
        application.run_until(stop).await?;
        upstream.stop().await;
        console::line(&format!("\nStopped. All data of the demo is in {folder}; {} starts it again.", command.demo));
        Ok(())
    })
}

/// Publishes a sample with a changed company, so that a demo has something to report.
pub(crate) fn change(file: Option<&Path>) -> Result<(), Failure> {
    let (_, settings) = load(file)?;
    let registry = settings.datasets_dir();
    let edition = kuraka_registry::open_current(&registry, &PADRON)?.edition.ok_or(NO_DEMO)?;
    if edition.meta().origin != EditionOrigin::Sample {
        return Err("the padrón here is not the sample, which is all that the demo changes".into());
    }
    let summary = edition.summary(Ruc::parse(sample::DESCRIBED)?)?.ok_or(NO_DEMO)?;
    let condition = if summary.condition.as_str() == "HABIDO" { "NO HABIDO" } else { "HABIDO" };
    // A new number in the address each time, so that no two editions are equal.
    let number = changes::list_files(&registry, &PADRON)?.len() + 1;
    let (bytes, date) = (sample::changed_padron(condition, number), today().max(edition.meta().date));
    let report = simulated::import_of_sample(&settings, &PADRON, "padron_reducido_ruc.txt", &bytes, Some(date))?;
    console::line(&format!("{} is {condition} and has moved, in edition {}.", sample::DESCRIBED, report.label));
    Ok(())
}

/// The demo's commands, with its settings file or folder.
struct Invocation {
    demo: String,
    list: String,
}

impl Invocation {
    fn new(values: &Values, settings: &Settings) -> Self {
        let file = settings.file.as_ref().map(|file| format!(" --config {}", file.display())).unwrap_or_default();
        let origin = values.origin("data_dir");
        let variable = format!("KURAKA__DATA_DIR={} ", settings.data_dir.display());
        // Other commands have other defaults.
        let of_list = if matches!(origin, settings::Origin::File(_)) { "" } else { &*variable };
        let of_demo = if matches!(origin, settings::Origin::Variable(_)) { &*variable } else { "" };
        Self { demo: format!("{of_demo}kuraka{file} demo"), list: format!("{of_list}kuraka{file} dataset list") }
    }
}

/// Imports the sample, unless the padrón is not the sample.
fn import_sample(settings: &Settings, command: &Invocation) -> Result<(), Failure> {
    let padron = kuraka_registry::open_current(&settings.datasets_dir(), &PADRON)?.edition;
    if padron.is_some_and(|edition| edition.meta().origin != EditionOrigin::Sample) {
        return Ok(());
    }
    let imported = simulated::import_sample(settings)?;
    if imported > 0 {
        let list = &command.list;
        console::line(&format!("Imported the bundled sample of {imported} datasets: {list} shows them."));
    }
    Ok(())
}

/// The saved token if valid, otherwise a new one.
async fn demo_token(settings: &Settings) -> Result<String, Failure> {
    let store = settings.store.open().await?;
    let path = settings.data_dir.join(TOKEN_FILE);
    if let Ok(saved) = fs::read_to_string(&path)
        && let Some(token) = PresentedToken::read(saved.as_bytes())
        && Tokens::find(&*store, &token.digest()).await?.is_some()
    {
        store.close().await;
        return Ok(saved);
    }
    let token = tokens::of_email(&store, EMAIL, "free", "demo").await?;
    store.close().await;
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(token.reveal().as_bytes())?;
    Ok(token.reveal().to_owned())
}

fn welcome(api: SocketAddr, admin: SocketAddr, token: &str) -> String {
    // One line per call, whatever the terminal's width.
    let post = |path: &str, body: &str| {
        format!(
            "curl -i http://{api}/{path} -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' \
             -d '{body}'"
        )
    };
    let ruc = |ruc: &str| format!(r#"{{"ruc":"{ruc}"}}"#);
    let voucher = format!(
        r#"{{"ruc_emisor":"{ISSUER}","codigo_tipo_documento":"01","serie_documento":"F001","numero_documento":"1","fecha_de_emision":"2026-01-15","total":118.00}}"#
    );
    let calls = [
        ("A company (200)", "ruc", ruc(sample::COMPANY)),
        ("A RUC that does not exist (404)", "ruc", ruc(sample::ABSENT)),
        ("A RUC with a mistyped digit (400)", "ruc", ruc(sample::BAD_CHECK_DIGIT)),
        ("The company in detail, from a sandbox of SUNAT's page (200)", "ruc-official", ruc(sample::COMPANY)),
        (
            "A company whose page is down, from a sandbox of a provider (200, and a log line here)",
            "ruc-official",
            ruc(PAGE_DOWN),
        ),
        ("An accepted voucher, from a sandbox of the voucher service (200)", "cpe", voucher),
        ("All that the published files say about a company (200)", "ruc-ficha", ruc(sample::DESCRIBED)),
        ("Its annex premises (200)", "ruc-anexos", ruc(sample::DESCRIBED)),
        (
            "A company whose page and provider are down, from the published files (200, and log lines here)",
            "ruc-official",
            ruc(sample::OPEN_DATA_ONLY),
        ),
        ("What a company was in another edition (200)", "ruc-historial", ruc(sample::DESCRIBED)),
    ];
    let calls: String = calls.iter().map(|(what, path, body)| format!("{what}:\n{}\n\n", post(path, body))).collect();
    format!(
        "\nKuraka answers on http://{api} with a bundled sample (health and metrics on http://{admin}).\n\
         Open it in a browser to create an account and a token of your own.\n\n\
         {calls}More examples of the sandbox: kuraka sandbox --outcomes. A change for /cambios and webhooks: kuraka demo \
         --change, in another terminal. Ctrl-C stops it."
    )
}
