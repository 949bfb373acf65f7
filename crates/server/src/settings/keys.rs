//! The names of all settings with their defaults, and the lookup of a name.

use std::borrow::Cow;

use kuraka_adapters::sources::sunat_portal::OFFICIAL_URL;
use kuraka_adapters::sources::sunat_vouchers::{API_URL, TOKEN_URL};
use kuraka_registry::dataset;

/// Every setting and its default. `*` stands for a name that the operator chooses, or for a dataset's.
const KEYS: &[(&str, &str)] = &[
    ("data_dir", "data"),
    ("http.bind", "127.0.0.1:8080"),
    ("http.workers", "0"),
    ("http.trusted_proxies", ""),
    ("http.public_url", ""),
    ("http.stop_delay", "0s"),
    ("http.head_timeout", "5s"),
    ("http.body_timeout", "10s"),
    ("http.response_grace", "15s"),
    ("http.response_min_rate", "240"),
    ("http.keep_alive", "5s"),
    ("http.max_head_bytes", "32768"),
    ("http.max_connections", "10000"),
    ("http.max_connections_per_address", "1024"),
    ("calls.*", ""),
    ("panel.sign_up", "free"),
    ("admin.bind", "127.0.0.1:9090"),
    ("store.url", ""),
    ("store.url_file", ""),
    ("registry.padron_url", "http://www2.sunat.gob.pe/padron_reducido_ruc.zip"),
    ("registry.withholding_url", "https://www.sunat.gob.pe/descarga/AgentRet/AgenRet_TXT.zip"),
    ("registry.good_taxpayers_url", "https://www.sunat.gob.pe/descarga/BueCont/BueCont_TXT.zip"),
    ("registry.edition_url", ""),
    ("registry.edition_sha256_url", ""),
    ("registry.max_age_days", "7"),
    ("registry.update_every", "off"),
    ("datasets.enabled", "all"),
    ("datasets.*.url", ""),
    ("datasets.changes_kept_days", "365"),
    ("official.url", OFFICIAL_URL),
    ("official.min_interval_ms", "1100"),
    ("official.user_agent", ""),
    ("official.open_data", "true"),
    ("providers.chain", ""),
    ("providers.*.token", ""),
    ("providers.*.token_file", ""),
    ("providers.*.url", ""),
    ("sources.deadline", "10s"),
    ("sources.page", "6s"),
    ("sources.provider", "3s"),
    ("sources.voucher", "8s"),
    ("sources.found_for", "10m"),
    ("sources.not_found_for", "1m"),
    ("sources.breaker_open", "15s"),
    ("vouchers.token_url", TOKEN_URL),
    ("vouchers.api_url", API_URL),
    ("vouchers.ruc", ""),
    ("vouchers.client_id", ""),
    ("vouchers.client_secret", ""),
    ("vouchers.client_secret_file", ""),
    ("vouchers.more.*.ruc", ""),
    ("vouchers.more.*.client_id", ""),
    ("vouchers.more.*.client_secret", ""),
    ("vouchers.more.*.client_secret_file", ""),
    ("plans.free.queries", "1000"),
    ("plans.free.rate", "5"),
    ("plans.free.burst", "10"),
    ("plans.*.queries", ""),
    ("plans.*.rate", ""),
    ("plans.*.burst", ""),
    ("log.level", "info"),
    ("log.format", "json"),
];

/// The settings without a name that the operator chooses, with their defaults.
pub(super) fn fixed<'a>() -> impl Iterator<Item = (Cow<'a, str>, &'a str)> {
    let written =
        KEYS.iter().filter(|(key, _)| !key.contains('*')).map(|(key, default)| (Cow::Borrowed(*key), *default));
    written.chain(dataset::ALL.iter().map(|dataset| (Cow::Owned(url_of(dataset.name)), dataset.address)))
}

/// The setting of a dataset's address.
pub(super) fn url_of(dataset: &str) -> String {
    format!("datasets.{dataset}.url")
}

/// Whether there is a setting with this name.
pub(super) fn is_known(key: &str) -> bool {
    unknown_dataset(key).is_none() && KEYS.iter().any(|(known, _)| is_of(known, key))
}

fn is_of(known: &str, key: &str) -> bool {
    let (mut known, mut key) = (known.split('.'), key.split('.'));
    loop {
        match (known.next(), key.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b || a == "*" => {}
            (Some(_) | None, Some(_) | None) => return false,
        }
    }
}

/// The error for a setting of a dataset that does not exist.
fn unknown_dataset(key: &str) -> Option<dataset::UnknownDataset> {
    let (name, _) = key.strip_prefix("datasets.")?.split_once('.')?;
    dataset::named(name).err()
}

/// Suggests the setting that shares the longest prefix with an unknown name, if any is similar.
pub(super) fn hint(key: &str) -> String {
    if let Some(unknown) = unknown_dataset(key) {
        return unknown.to_string();
    }
    let shared = |known: &str| known.chars().zip(key.chars()).take_while(|(a, b)| a == b).count();
    let nearest = KEYS.iter().map(|(known, _)| *known).max_by_key(|known| shared(known));
    match nearest {
        Some(known) if shared(known) > 2 => format!("did you mean {known}?"),
        Some(_) | None => "docs/reference/configuration.md lists them all".to_owned(),
    }
}
