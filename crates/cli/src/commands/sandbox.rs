//! `kuraka sandbox`: simulates SUNAT, the providers and the exchange rate's sources, faults included.

use std::net::SocketAddr;

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_adapters::sources::sunat_vouchers::{Config as VouchersConfig, Credentials};
use kuraka_sandbox::upstream::{
    CLIENT_ID, CLIENT_SECRET, FaultCase, FaultTarget, ISSUER, ProviderShape, REQUESTER_RUC, Upstream, VOUCHERS,
};

use super::runtime::{Failure, block_on};
use crate::console;
use kuraka_server::stop_signal;

pub(crate) fn run(bind: SocketAddr, outcomes: bool) -> Result<(), Failure> {
    if outcomes {
        list_outcomes();
        list_vouchers();
        return Ok(());
    }
    block_on(async {
        let stop = stop_signal()?;
        let upstream = start(bind).await?;
        console::line(&format!("KURAKA__OFFICIAL__URL={}", upstream.official_url()));
        console::line(&format!("KURAKA__DATASETS__TIPO_DE_CAMBIO__URL={}", upstream.rate_text_url()));
        console::line(&format!("KURAKA__DATASETS__TIPO_DE_CAMBIO__SERIES_URL={}", upstream.rate_series_url()));
        for preset in PRESETS {
            if let Some(url) = upstream.provider_url(preset.name) {
                console::line(&format!("KURAKA__PROVIDERS__{}__URL={url}", preset.name.to_uppercase()));
            }
        }
        for (key, value) in [
            ("TOKEN_URL", upstream.token_url()),
            ("API_URL", upstream.vouchers_url()),
            ("RUC", REQUESTER_RUC.to_owned()),
            ("CLIENT_ID", CLIENT_ID.to_owned()),
            ("CLIENT_SECRET", CLIENT_SECRET.to_owned()),
        ] {
            console::line(&format!("KURAKA__VOUCHERS__{key}={value}"));
        }
        console::note(
            "the sandbox serves until Ctrl-C; kuraka sandbox --outcomes lists a RUC for each result, and the vouchers",
        );
        stop.await;
        upstream.stop().await;
        Ok(())
    })
}

/// Starts the sandbox with every preset.
pub(super) async fn start(bind: SocketAddr) -> Result<Upstream, Failure> {
    let shapes = PRESETS.iter().map(|preset| ProviderShape::from_file(preset.name, preset.text));
    Ok(Upstream::start(bind, shapes.collect::<Result<_, _>>()?).await?)
}

/// The settings that use the sandbox as the voucher service.
pub(super) fn vouchers(upstream: &Upstream) -> Result<VouchersConfig, Failure> {
    let credentials = Credentials {
        ruc: REQUESTER_RUC.parse()?,
        client_id: CLIENT_ID.to_owned(),
        client_secret: CLIENT_SECRET.to_owned().into(),
    };
    Ok(VouchersConfig::new(&upstream.token_url(), &upstream.vouchers_url(), vec![credentials])?)
}

fn list_outcomes() {
    let ruc =
        |outcome: &FaultCase, fault_target| outcome.ruc(fault_target).map(|ruc| ruc.to_string()).unwrap_or_default();
    let rows: Vec<[String; 4]> = FaultCase::ALL
        .iter()
        .map(|outcome| {
            let [page, providers, both] = FaultTarget::ALL.map(|fault_target| ruc(outcome, fault_target));
            [outcome.name.to_owned(), page, providers, both]
        })
        .collect();
    console::table(["OUTCOME", "OF THE PAGE", "OF THE PROVIDERS", "OF BOTH"], &rows);
}

fn list_vouchers() {
    console::line(&format!("\nVouchers, all of them issued by {ISSUER}:"));
    let rows: Vec<[String; 6]> = VOUCHERS
        .iter()
        .map(|known| {
            [known.kind, known.series, &known.number.to_string(), known.issued, known.total, known.about]
                .map(str::to_owned)
        })
        .collect();
    console::table(["KIND", "SERIES", "NUMBER", "ISSUED", "TOTAL", "OUTCOME"], &rows);
}
