//! `kuraka demo`: the whole service on a bundled sample, with an account and a token of its own, and calls to paste.
//! Needs no internet and touches nothing outside its data folder.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::sources::sunat_portal::{Config as PortalConfig, USER_AGENT};
use kuraka_adapters::store::Store;
use kuraka_app::{CreateToken, calendar, token};
use kuraka_ports::{Accounts, Clock, Email, PlanName, Tokens};
use kuraka_registry::{ImportRequest, List, NoProgress, Origin, SourceFile};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{ISSUER, Upstream};
use kuraka_server::application::Application;
use kuraka_server::logs;
use kuraka_server::settings::{self, Provider, Settings, Values};

use super::runtime::{Failure, block_on};
use super::serve::stop_signal;
use super::store_access::open_store;
use super::{sandbox, token as tokens};
use crate::console;

/// The demo's account, under a name reserved for examples.
const EMAIL: &str = "demo@kuraka.example";
/// Where the demo keeps its own token, readable by its owner only.
const TOKEN_FILE: &str = "demo-token";
/// The provider that the stand-in plays behind the page: the one whose answers mirror it.
const PROVIDER: &str = "apisperu";
/// A company of the stand-in whose page is down.
const PAGE_DOWN: &str = "20999985034";
/// What the demo changes of the defaults; the operator's own settings go before it.
const DEFAULTS: [(&str, &str); 3] = [("data_dir", "data/demo"), ("log.level", "warn"), ("log.format", "text")];

pub(crate) fn demo(file: Option<&Path>) -> Result<(), Failure> {
    let values = Values::load_over(file, &DEFAULTS)?;
    let settings = Settings::read(&values)?;
    logs::start(&settings.log);
    fs::create_dir_all(&settings.data_dir)?;
    import_sample(&settings)?;
    block_on(async {
        let token = demo_token(&settings).await?;
        let stop = stop_signal()?;
        let upstream = sandbox::start((Ipv4Addr::LOCALHOST, 0).into()).await?;
        let settings = with_stand_in(settings, &values, &upstream)?;
        let application = Application::build(settings).await?;
        console::line(&welcome(application.api_address, application.admin_address, &token));
        application.run_until(stop).await?;
        upstream.stop().await;
        console::line("\nStopped. Everything the demo made is in its data folder; make run starts it again.");
        Ok(())
    })
}

/// The stand-in as the source of details, unless the operator has set one.
fn with_stand_in(settings: Settings, values: &Values, upstream: &Upstream) -> Result<Settings, Failure> {
    let official = match values.origin("official.url") {
        settings::Origin::Default => {
            // It stands for one taxpayer's page after another; nobody bans us here.
            let pace = Duration::ZERO;
            Some(PortalConfig::new(&upstream.official_url(), USER_AGENT, pace)?)
        }
        settings::Origin::File(_) | settings::Origin::Variable(_) => settings.official.clone(),
    };
    let providers = match values.origin("providers.chain") {
        settings::Origin::Default => vec![Provider {
            entry: PROVIDER.to_owned(),
            name: PROVIDER.to_owned(),
            token: Some("demo".to_owned().into()),
            url: upstream.provider_url(PROVIDER),
        }],
        settings::Origin::File(_) | settings::Origin::Variable(_) => settings.providers.clone(),
    };
    let vouchers = match settings.vouchers {
        None => Some(sandbox::vouchers(upstream)?),
        Some(theirs) => Some(theirs),
    };
    Ok(Settings { official, providers, vouchers, ..settings })
}

/// Imports the sample, unless the folder has an edition that can be read.
fn import_sample(settings: &Settings) -> Result<(), Failure> {
    let folder = settings.registry_dir();
    if kuraka_registry::open_current(&folder)?.edition.is_some() {
        return Ok(());
    }
    let source = |name: &str, bytes: &[u8]| -> Result<SourceFile, Failure> {
        let path = settings.data_dir.join(name);
        fs::write(&path, bytes)?;
        Ok(SourceFile::local(path))
    };
    let request = ImportRequest {
        padron: source("padron_reducido_ruc.txt", sample::PADRON)?,
        lists: BTreeMap::from([
            (List::WITHHOLDING_AGENTS, source("AgenRet_TXT.txt", sample::WITHHOLDING)?),
            (List::GOOD_TAXPAYERS, source("BueCont_TXT.txt", sample::GOOD_TAXPAYERS)?),
        ]),
        date: None,
        today: calendar::today(SystemClock::start().now()),
        origin: Origin::Sample,
        force: false,
    };
    let report = kuraka_registry::import(&folder, &request, &NoProgress)?;
    for source in request.lists.into_values().chain([request.padron]) {
        fs::remove_file(source.path)?;
    }
    console::line(&format!("Imported the bundled sample: {} taxpayers, edition {}.", report.rows, report.label));
    Ok(())
}

/// The demo's token: the one it kept if that is still good, else a new one.
async fn demo_token(settings: &Settings) -> Result<String, Failure> {
    let store = open_store(settings).await?;
    let path = settings.data_dir.join(TOKEN_FILE);
    if let Ok(kept) = fs::read_to_string(&path)
        && let Ok(digest) = token::digest_of(kept.as_bytes())
        && Tokens::find(&*store, &digest).await?.is_some()
    {
        store.close().await;
        return Ok(kept);
    }
    let made = new_token(&store, &path).await?;
    store.close().await;
    Ok(made)
}

async fn new_token(store: &Arc<dyn Store>, path: &Path) -> Result<String, Failure> {
    let email = Email::parse(EMAIL)?;
    let account = match Accounts::find(&**store, &email).await? {
        Some(account) => account,
        None => Accounts::create(&**store, &email, &PlanName::parse("free")?, SystemClock::start().now()).await?,
    };
    let token =
        tokens::make(store, account.id, &CreateToken { name: "demo".to_owned(), ..CreateToken::default() }).await?;
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(token.reveal().as_bytes())?;
    Ok(token.reveal().to_owned())
}

fn welcome(api: SocketAddr, admin: SocketAddr, token: &str) -> String {
    // One line a call: what is pasted must not depend on how a terminal wraps it.
    let post = |path: &str, body: &str| {
        format!(
            "curl -i http://{api}/{path} -H 'Authorization: Bearer {token}' -H 'Content-Type: application/json' \
             -d '{body}'"
        )
    };
    let call = |path: &str, ruc: &str| post(path, &format!(r#"{{"ruc":"{ruc}"}}"#));
    let voucher = format!(
        r#"{{"ruc_emisor":"{ISSUER}","codigo_tipo_documento":"01","serie_documento":"F001","numero_documento":"1","fecha_de_emision":"2026-01-15","total":118.00}}"#
    );
    format!(
        "\nKuraka answers on http://{api} with a bundled sample (health and metrics on http://{admin}).\n\
         Open it in a browser to make an account and a token of your own.\n\n\
         A company (200):\n{}\n\nA RUC that does not exist (404):\n{}\n\nA RUC with a mistyped digit (400):\n{}\n\n\
         The company in detail, from a stand-in for the tax authority's page (200):\n{}\n\n\
         A company whose page is down, from a stand-in for a provider (200, and a line of log here):\n{}\n\n\
         A voucher that was accepted, from a stand-in for the voucher service (200):\n{}\n\n\
         More of what the stand-in can do: kuraka sandbox --outcomes. Ctrl-C stops it.",
        call("ruc", sample::COMPANY),
        call("ruc", sample::ABSENT),
        call("ruc", sample::BAD_CHECK_DIGIT),
        call("ruc-official", sample::COMPANY),
        call("ruc-official", PAGE_DOWN),
        post("cpe", &voucher),
    )
}
