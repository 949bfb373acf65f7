//! What the test tokens of a server under test are answered from.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use config::Environment;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{CLIENT_ID, CLIENT_SECRET, REQUESTER_RUC};
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
use kuraka_server::http::Running;
use kuraka_server::settings::{Settings, Values};

use crate::datasets;
use crate::imported::Files;
use crate::published::REGISTRY;
use crate::sandbox::{PROVIDER, sandbox};

/// The sample with every dataset, and a sandbox of its own as every source.
pub(crate) fn test_data(folder: &Path) -> TestData {
    let folder = folder.join("test");
    let start: StartTestData = Arc::new(move || {
        let folder = folder.clone();
        Box::pin(async move {
            Files::read(&datasets::registry()).write(&folder.join(REGISTRY));
            let upstream = sandbox().await;
            let text = format!(
                "data_dir = {:?}\n[official]\nurl = {:?}\nmin_interval_ms = 0\n[providers]\nchain = {PROVIDER:?}\n\
                 [providers.{PROVIDER}]\nurl = {:?}\ntoken = \"token\"\n[vouchers]\ntoken_url = {:?}\napi_url = {:?}\n\
                 ruc = {REQUESTER_RUC:?}\nclient_id = {CLIENT_ID:?}\nclient_secret = {CLIENT_SECRET:?}\n",
                folder.join("data"),
                upstream.official_url(),
                upstream.provider_url(PROVIDER).unwrap(),
                upstream.token_url(),
                upstream.vouchers_url(),
            );
            let settings = read_settings(&folder.join("kuraka.toml"), &text)?;
            Ok((settings, Box::new(upstream) as Running))
        })
    });
    TestData { changing: sample::DESCRIBED.parse().unwrap(), start }
}

/// The settings of this text, written to `file`.
pub(crate) fn read_settings(file: &Path, text: &str) -> Result<Settings, Box<dyn Error + Send + Sync>> {
    std::fs::write(file, text)?;
    // The environment of the tests must not matter.
    let nothing = Environment::with_prefix("KURAKA").source(Some(Default::default()));
    Ok(Settings::read(&Values::load_with(Some(file.to_owned()), nothing, &[])?)?)
}
