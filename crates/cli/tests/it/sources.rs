//! The sandbox as every source of a server, and a body of a call that queries it.

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_sandbox::upstream::{CLIENT_ID, ProviderShape, REQUESTER_RUC, Upstream};

use super::program::Home;

/// A voucher of the sandbox, as the body of a call.
pub(crate) const VOUCHER: &str = r#"{"ruc_emisor":"20999990062","codigo_tipo_documento":"01","serie_documento":"F001","numero_documento":"1","fecha_de_emision":"2026-01-15","total":118.00}"#;

/// Starts a healthy sandbox with every preset provider on its own port.
pub(crate) async fn sandbox() -> Upstream {
    let shape = |name, text| ProviderShape::from_file(name, text).unwrap();
    let providers = PRESETS.iter().map(|preset| shape(preset.name, preset.text)).collect();
    Upstream::start(([127, 0, 0, 1], 0).into(), providers).await.unwrap()
}

/// Uses the sandbox's page without a rate limit, these providers with their tokens, and the sandbox's voucher service
/// with this secret.
pub(crate) fn with_sources(home: Home, upstream: &Upstream, providers: &[(&str, &str)], secret: &str) -> Home {
    let chain: Vec<&str> = providers.iter().map(|(name, _)| *name).collect();
    let home = home
        .with("KURAKA__OFFICIAL__URL", &upstream.official_url())
        .with("KURAKA__OFFICIAL__MIN_INTERVAL_MS", "0")
        .with("KURAKA__PROVIDERS__CHAIN", &chain.join(","))
        .with("KURAKA__VOUCHERS__TOKEN_URL", &upstream.token_url())
        .with("KURAKA__VOUCHERS__API_URL", &upstream.vouchers_url())
        .with("KURAKA__VOUCHERS__RUC", REQUESTER_RUC)
        .with("KURAKA__VOUCHERS__CLIENT_ID", CLIENT_ID)
        .with("KURAKA__VOUCHERS__CLIENT_SECRET", secret);
    providers.iter().fold(home, |home, (name, token)| {
        let variable = |field: &str| format!("KURAKA__PROVIDERS__{}__{field}", name.to_uppercase());
        home.with(&variable("URL"), &upstream.provider_url(name).unwrap()).with(&variable("TOKEN"), token)
    })
}
