//! What the test tokens of a server under test are answered from.

use std::future::pending;
use std::path::Path;
use std::sync::Arc;

use config::Environment;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{CLIENT_ID, CLIENT_SECRET, REQUESTER_RUC};
use kuraka_server::bootstrap::test_instance::{StartTestData, TestData};
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
            let file = folder.join("kuraka.toml");
            std::fs::write(&file, text)?;
            // The environment of the tests must not matter.
            let nothing = Environment::with_prefix("KURAKA").source(Some(Default::default()));
            let settings = Settings::read(&Values::load_with(Some(file), nothing, &[])?)?;
            tokio::spawn(async move {
                pending::<()>().await;
                drop(upstream);
            });
            Ok(settings)
        })
    });
    TestData { changing: sample::DESCRIBED.parse().unwrap(), start }
}
