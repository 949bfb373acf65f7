//! `kuraka sandbox`: a stand-in for the tax authority's page and for the providers, faults included.

use std::net::SocketAddr;

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_sandbox::upstream::{Config, Outcome, ProviderShape, Sufferer, Upstream};

use super::serve::stop_signal;
use super::{Failure, block_on};
use crate::console;

pub(crate) fn run(bind: SocketAddr, outcomes: bool) -> Result<(), Failure> {
    if outcomes {
        list_outcomes();
        return Ok(());
    }
    block_on(async {
        let stop = stop_signal()?;
        let upstream = start(bind).await?;
        console::line(&format!("KURAKA__OFFICIAL__URL={}", upstream.official_url()));
        for preset in PRESETS {
            if let Some(url) = upstream.provider_url(preset.name) {
                console::line(&format!("KURAKA__PROVIDERS__{}__URL={url}", preset.name.to_uppercase()));
            }
        }
        console::note("the stand-in answers until Ctrl-C; kuraka sandbox --outcomes lists a RUC for each outcome");
        stop.await;
        upstream.stop().await;
        Ok(())
    })
}

/// The stand-in with every preset.
pub(super) async fn start(bind: SocketAddr) -> Result<Upstream, Failure> {
    let shapes = PRESETS.iter().map(|preset| ProviderShape::from_file(preset.name, preset.text));
    let config = Config { providers: shapes.collect::<Result<_, _>>()?, pace: None };
    Ok(Upstream::start(bind, config).await?)
}

fn list_outcomes() {
    let ruc = |outcome: &Outcome, sufferer| outcome.ruc(sufferer).map(|ruc| ruc.to_string()).unwrap_or_default();
    let rows: Vec<[String; 4]> = Outcome::ALL
        .iter()
        .map(|outcome| {
            let [page, providers, both] =
                [Sufferer::Official, Sufferer::Providers, Sufferer::Both].map(|sufferer| ruc(outcome, sufferer));
            [outcome.name.to_owned(), page, providers, both]
        })
        .collect();
    console::table(["OUTCOME", "OF THE PAGE", "OF THE PROVIDERS", "OF BOTH"], &rows);
}
